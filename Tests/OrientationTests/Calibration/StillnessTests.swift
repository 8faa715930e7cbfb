// SPDX-License-Identifier: Apache-2.0

import Glibc
import Orientation
import Testing

@Suite("Stillness")
struct StillnessTests {
  /// Feeds readings of y at a rate; returns the time of the first still second's end, in seconds, with its average.
  private func firstStill(
    _ readings: [Double], hertz: Double = 25
  ) -> (seconds: Double, reading: Acceleration<SensorFrame>)? {
    var stillness = Stillness()
    for (index, y) in readings.enumerated() {
      let seconds = Double(index) / hertz
      let time = BootTime(nanoseconds: Int64((seconds * 1e9).rounded()))
      if let reading = stillness.add(Sample(time: time, acceleration: Acceleration(x: 0, y: y, z: 0))) {
        return (seconds, reading)
      }
    }
    return nil
  }

  @Test("takes a second, and the average of it counts", arguments: [10.0, 25, 100])
  func second(hertz: Double) throws {
    let tremor = (0..<300).map { 9.8 + ($0 % 2 == 0 ? 0.5 : -0.5) }
    let still = try #require(firstStill(tremor, hertz: hertz))
    #expect(abs(still.seconds - 1) < 1e-9)
    #expect(abs(still.reading.y - 9.8) < 0.06)
  }

  @Test("begins anew with each move")
  func move() throws {
    let readings = Array(repeating: 9.8, count: 20) + Array(repeating: 2.0, count: 100)
    let still = try #require(firstStill(readings))
    #expect(still.seconds >= 1.8)
    #expect(still.reading.y == 2)
  }

  @Test("is not while the tablet is turned or shaken")
  func moving() {
    #expect(firstStill((0..<500).map { 9.8 * sin(Double($0) / 5) }) == nil)
    #expect(firstStill((0..<500).map { $0 % 5 == 0 ? 14 : 9.8 }) == nil)
  }

  @Test("is measured by how long gravity is in the readings", arguments: [0.1, 1, 20])
  func scaled(scale: Double) {
    #expect(firstStill((0..<300).map { scale * (9.8 + ($0 % 2 == 0 ? 0.5 : -0.5)) }) != nil)
    #expect(firstStill((0..<500).map { scale * 9.8 * sin(Double($0) / 5) }) == nil)
  }

  @Test("of an axis that reads only noise is said, too")
  func noise() {
    #expect(firstStill((0..<300).map { $0 % 2 == 0 ? 0.2 : -0.2 }) != nil)
  }

  @Test("of a slow hub is said of three samples")
  func slow() throws {
    let still = try #require(firstStill([9.8, 9.8, 9.8, 9.8], hertz: 0.2))
    #expect(still.seconds == 10)
  }

  @Test("begins anew where time goes back")
  func backwards() {
    var stillness = Stillness()
    let acceleration = Acceleration<SensorFrame>(x: 0, y: 9.8, z: 0)
    for seconds in [10.0, 10.5, 10.9, 3, 3.5, 3.9] {
      let time = BootTime(nanoseconds: Int64(seconds * 1e9))
      #expect(stillness.add(Sample(time: time, acceleration: acceleration)) == nil)
    }
    let end = Sample(time: BootTime(nanoseconds: 4_000_000_000), acceleration: acceleration)
    #expect(stillness.add(end) != nil)
  }
}
