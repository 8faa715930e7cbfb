// SPDX-License-Identifier: Apache-2.0

import Orientation
import Testing

@testable import OrientationService

@Suite("Means for the classifier")
struct BlockMeanTests {
  /// What the classifier gets of samples whose x is their index.
  private func means(
    rate: Double, sensorRate: Double, count: Int, stray: (Int) -> Int64 = { _ in 0 }
  ) -> [Sample<SensorFrame>] {
    var mean = BlockMean(rate: rate, sensorRate: sensorRate)
    return (0..<count).compactMap { index in
      let time = BootTime(nanoseconds: Int64(Double(index) / sensorRate * 1e9) + stray(index))
      return mean.add(Sample(time: time, acceleration: Acceleration(x: Double(index), y: 0, z: 0)))
    }
  }

  @Test("are the samples themselves if the sensor is no faster")
  func same() {
    for sensorRate in [20.0, 25, 30] {
      #expect(
        means(rate: 25, sensorRate: sensorRate, count: 50).map(\.acceleration.x) == (0..<50).map(Double.init))
    }
  }

  @Test("come at the classifier's rate, each of the samples since the last one", arguments: [50.0, 100, 200])
  func rate(sensorRate: Double) {
    let factor = Int(sensorRate) / 25
    let means = means(rate: 25, sensorRate: sensorRate, count: 40 * factor + 1)
    #expect(means.count == 41)
    for (index, mean) in means.enumerated().dropFirst() {
      let last = index * factor
      #expect(mean.acceleration.x == Double(last) - Double(factor - 1) / 2)
      #expect(mean.time.nanoseconds == Int64(Double(last) / sensorRate * 1e9))
    }
  }

  @Test("come at that rate on average from a sensor whose times jitter, or whose rate is no multiple")
  func jitter() {
    let jittered = means(rate: 25, sensorRate: 200, count: 2000) { Int64($0 % 5) * 1_000_000 }
    #expect((249...251).contains(jittered.count))
    let odd = means(rate: 25, sensorRate: 104, count: 1040)
    #expect((248...252).contains(odd.count))
  }

  @Test("begin again after a gap, and when time goes back")
  func gaps() {
    var mean = BlockMean(rate: 25, sensorRate: 200)
    func add(_ x: Double, milliseconds: Int64) -> Double? {
      let time = BootTime(nanoseconds: milliseconds * 1_000_000)
      return mean.add(Sample(time: time, acceleration: Acceleration(x: x, y: 0, z: 0)))?.acceleration.x
    }
    #expect(add(1, milliseconds: 1000) == 1)
    #expect(add(2, milliseconds: 1005) == nil)
    #expect(add(3, milliseconds: 9000) == 3)
    #expect(add(4, milliseconds: 9005) == nil)
    #expect(add(5, milliseconds: 2000) == 5)
    #expect(add(6, milliseconds: 2005) == nil)
  }

  @Test("leave out readings that are not numbers")
  func notANumber() {
    var mean = BlockMean(rate: 25, sensorRate: 200)
    var last: Sample<SensorFrame>?
    for index in 0...8 {
      let x = index % 2 == 0 ? 4.0 : .nan
      let time = BootTime(nanoseconds: Int64(index) * 5_000_000)
      last = mean.add(Sample(time: time, acceleration: Acceleration(x: x, y: 0, z: 0))) ?? last
    }
    #expect(last?.acceleration.x == 4)
  }
}

@Suite("The pace of a sensor")
struct SensorPaceTests {
  @Test("is the configuration's without readers, and for readers who want no more")
  func slow() {
    let usual = SensorPace(configured: 25, wanted: nil)
    #expect(usual.rate == 25)
    for wanted in [0.1, 10, 25] { #expect(SensorPace(configured: 25, wanted: wanted) == usual) }
  }

  @Test("is the readers' rate, and no more, if they want a faster one")
  func fast() {
    for wanted in [50.0, 100, 200] {
      let pace = SensorPace(configured: 25, wanted: wanted)
      #expect(pace.rate == wanted)
      #expect(pace.blockDuration <= 0.01)
    }
    #expect(SensorPace(configured: 80, wanted: 50).rate == 80)
    // Of a gyroscope, which has no configuration.
    for (wanted, rate) in [(0.1, 25.0), (50, 50)] { #expect(SensorPace(forReaders: wanted).rate == rate) }
  }

  @Test("is what a reader wants also if the configuration's rate is low", arguments: [5.0, 10, 25])
  func slowConfiguration(wanted: Double) {
    var hold = RateHold()
    let held = hold.rate(wanted: wanted, at: BootTime(nanoseconds: 1_000_000_000))
    #expect(SensorPace(configured: 5, wanted: held).rate == wanted)
  }
}
