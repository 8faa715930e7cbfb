// SPDX-License-Identifier: Apache-2.0

import Glibc
import TestSupport
import Testing

@testable import Orientation
@testable import OrientationctlKit

extension RestSimulation {
  /// A pipeline of a tablet whose chip sits as its screen does.
  fileprivate init(_ sensor: Sensor, hertz: Double = 25) {
    self.init(OrientationPipeline(transform: .identity), sensor: sensor, rate: hertz)
  }

  /// Feeds readings with their times and returns the changes.
  fileprivate mutating func feed(_ samples: some Sequence<TimedReading>) -> [OrientationChange] {
    samples.compactMap { process($0) }
  }

  /// Feeds one reading.
  fileprivate mutating func process(_ sample: TimedReading) -> OrientationChange? {
    let force = sample.reading * standardGravity
    return process(
      Sample(
        time: BootTime(nanoseconds: Int64((sample.seconds * 1e9).rounded())),
        acceleration: Acceleration(x: force.x, y: force.y, z: force.z)))
  }
}

/// The sensors that rest.
private let resting = [RestSimulation.Sensor.polled, .onChange]

/// A still tablet's readings, with noise.
private func still(
  _ attitude: SIMD3<Double>, seconds: Double, deviation: Double = 0.002, from start: Double = 0,
  hertz: Double = 25
) -> [TimedReading] {
  var noise = SensorNoise(deviation: deviation, seed: UInt64(start * 1000) + 5)
  return (0..<Int(seconds * hertz)).map {
    TimedReading(seconds: start + Double($0) / hertz, reading: attitude + noise.next())
  }
}

@Suite("The pace")
struct RestDetectorTests {
  @Test("rests a second after the tablet came to lie still, at any rate", arguments: [5.0, 10, 25, 100, 200])
  func begins(rate: Double) throws {
    var pipeline = RestSimulation(.polled, hertz: rate)
    var restsAt: Double?
    for sample in still(SIMD3(0, 0.3, 0.95), seconds: 3, hertz: rate) where restsAt == nil {
      _ = pipeline.process(sample)
      if pipeline.isResting { restsAt = sample.seconds }
    }
    let seconds = try #require(restsAt)
    #expect(seconds >= 1 && seconds <= 1.5)
  }

  @Test(
    "does not interrupt a rest for the sensor's noise, which costs little even where it does",
    arguments: resting)
  func noise(sensor: RestSimulation.Sensor) {
    for deviation in [0.0, 0.001, 0.003, 0.006] {
      var pipeline = RestSimulation(sensor)
      _ = pipeline.feed(still(SIMD3(0, 0, 1), seconds: 600, deviation: deviation))
      // Looked at every 0.19 s, and at the full rate for 5 % of the time.
      #expect(pipeline.taken < 15_000 / 20, "\(deviation) g: \(pipeline.taken) samples")
    }
  }

  @Test("never rests while the noise of the sensor, or a hand, is too much to tell rest by")
  func unrest() {
    var pipeline = RestSimulation(.polled)
    for sample in still(SIMD3(0, 0, 1), seconds: 60, deviation: 0.03) {
      _ = pipeline.process(sample)
      #expect(!pipeline.isResting)
    }
  }

  @Test("never rests before the first orientation is known")
  func unknown() {
    // A sensor that does not work reads nothing.
    var pipeline = RestSimulation(.polled)
    #expect(pipeline.feed(still(SIMD3(), seconds: 10)) == [])
    #expect(!pipeline.isResting)
  }

  @Test(
    "never rests closer to a border than the rest reaches, as a tilt that it passes over might count there")
  func nearBorder() {
    for roll in stride(from: 0.0, through: 52, by: 0.5) {
      var constant = OrientationPipeline(transform: .identity)
      var pipeline = RestSimulation(.polled)
      // Held upright first, and then rolled so far.
      let readings =
        still(held(elevation: 90, roll: 0), seconds: 2, deviation: 0)
        + still(held(elevation: 90, roll: roll), seconds: 4, deviation: 0, from: 2)
      _ = pipeline.feed(readings)
      _ = constant.feed(readings)
      guard pipeline.isResting else {
        #expect(roll > 47)
        continue
      }
      // 2.8 degrees, which a rest may hide, decide nothing at the full rate.
      #expect(
        constant.feed(still(held(elevation: 90, roll: roll + 2.8), seconds: 60, deviation: 0, from: 6)) == [])
    }
  }

  @Test(
    "takes longer for stillness after rests that were short, so that nothing flaps, and a second again after a long one"
  )
  func flapping() {
    var pipeline = RestSimulation(.polled)
    // Nudged by 3 degrees once a second and a half, for a minute.
    let nudged = (0..<1500).map { tick -> TimedReading in
      let seconds = Double(tick) / 25
      return TimedReading(
        seconds: seconds, reading: held(elevation: 60, roll: Int(seconds / 1.5) % 2 == 0 ? 0 : 3))
    }
    var rests = 0
    for sample in nudged {
      let wasResting = pipeline.isResting
      _ = pipeline.process(sample)
      if pipeline.isResting && !wasResting { rests += 1 }
    }
    #expect(rests == 1)
    _ = pipeline.feed(still(held(elevation: 60, roll: 0), seconds: 60, deviation: 0, from: 60))
    #expect(pipeline.isResting)
    _ = pipeline.feed(still(held(elevation: 60, roll: 5), seconds: 1.6, deviation: 0, from: 120))
    #expect(pipeline.isResting)
  }
}

@Suite("A tablet whose sensor rests")
struct RestingTabletTests {
  @Test("keeps its state through any rest, however long", arguments: resting)
  func keeps(sensor: RestSimulation.Sensor) {
    for (orientation, axis) in axes {
      var pipeline = RestSimulation(sensor)
      #expect(pipeline.feed(still(axis, seconds: 2)).map(\.orientation) == [orientation])
      // Hours later, and a nudge ends it.
      #expect(pipeline.feed(still(axis, seconds: 1, from: 40_000)) == [])
      let nudged = axis + SIMD3(0.05, 0.05, 0.05)
      #expect(pipeline.feed(still(nudged, seconds: 3, from: 40_001)) == [])
    }
  }

  @Test("knows its first orientation as soon as ever", arguments: resting)
  func first(sensor: RestSimulation.Sensor) {
    for seed in 0..<50 {
      var random = Noise(seed: UInt64(seed))
      let samples = still(random.direction(), seconds: 1.5, deviation: 0.01)
      var constant = OrientationPipeline(transform: .identity)
      var pipeline = RestSimulation(sensor)
      #expect(pipeline.feed(samples) == constant.feed(samples))
    }
  }

  /// Rests of 2 s to 3 min, each ended by a turn of 0.3 to 1.2 s.
  private func movement(seed: UInt64) -> Movement {
    var movement = Movement(from: .portrait)
    var random = Noise(seed: seed)
    for _ in 0..<12 {
      let last = axes.first { $0.orientation == movement.last }?.axis ?? SIMD3()
      let neighbours = axes.filter { abs(($0.axis * last).sum()) < 0.5 }
      movement.hold(2 * exp(4.5 * random.uniform()))
      movement.turn(
        to: neighbours[Int(random.uniform() * 4)].orientation, within: 0.3 + 0.9 * random.uniform())
    }
    movement.hold(3)
    var noise = SensorNoise(deviation: 0.003, seed: seed)
    let drawn = (0..<200_000).map { _ in noise.next() }
    movement.disturbance = { drawn[Int(($0 * 200).rounded()) % drawn.count] }
    return movement
  }

  @Test("announces each turn as at the full rate, and no more than 0.2 s later", arguments: resting)
  func turns(sensor: RestSimulation.Sensor) {
    for seed in UInt64(1)...8 {
      let samples = movement(seed: seed).samples(hertz: 25)
      var constant = OrientationPipeline(transform: .identity)
      let expected = constant.feed(samples)
      var pipeline = RestSimulation(sensor)
      let found = pipeline.feed(samples)
      #expect(found.map(\.orientation) == expected.map(\.orientation))
      for (one, other) in zip(found, expected) {
        let delay = one.seconds - other.seconds
        #expect(delay > -0.1 && delay <= 0.2, "\(one) instead of \(other)")
      }
      // It did rest.
      #expect(pipeline.taken * 3 < samples.count)
    }
  }

  @Test(
    "is sampled at the full rate within 0.2 s of a movement that can be told from rest, at any phase",
    arguments: resting)
  func notices(sensor: RestSimulation.Sensor) throws {
    let upright = SIMD3(0.0, 1, 0)
    let tolerance = SIMD3(repeating: Rest.leastTolerance / standardGravity)
    for phase in 0..<20 {
      var movement = Movement(from: .portrait)
      movement.hold(20 + Double(phase) * 0.01)
      movement.turn(to: .landscapeLeft, within: 0.5)
      movement.hold(1)
      var pipeline = RestSimulation(sensor, hertz: 200)
      var (moved, noticed): (Double?, Double?)
      for sample in movement.samples(hertz: 200) {
        _ = pipeline.process(sample)
        if moved == nil,
          any((sample.reading - upright) .> tolerance) || any((upright - sample.reading) .> tolerance)
        {
          moved = sample.seconds
        }
        if moved != nil, noticed == nil, !pipeline.isResting { noticed = sample.seconds }
      }
      #expect(try #require(noticed) - #require(moved) <= 0.2)
    }
  }

  @Test(
    "forgets in a rest what it was doing before as it does at the full rate", arguments: [1.5, 3, 10, 100])
  func forgetting(seconds: Double) {
    // Turned to and fro for some seconds, then put down for a while, then turned once.
    var movement = Movement(from: .portrait)
    for turn in 0..<12 { movement.turn(to: turn % 2 == 0 ? .landscapeLeft : .portrait, within: 0.4) }
    movement.hold(seconds)
    let start = movement.seconds
    movement.turn(to: .landscapeRight, within: 0.6)
    var constant = OrientationPipeline(transform: .identity)
    var pipeline = RestSimulation(.polled)
    var (most, mostOfConstant) = (0.0, 0.0)
    for sample in movement.samples(hertz: 25) {
      _ = constant.process(at: sample.seconds, sample.reading)
      _ = pipeline.process(sample)
      guard sample.seconds > start else { continue }
      most = max(most, pipeline.pipeline.doubtFactor)
      mostOfConstant = max(mostOfConstant, constant.doubtFactor)
    }
    #expect(abs(most / mostOfConstant - 1) < 0.1, "\(most) instead of \(mostOfConstant)")
  }
}
