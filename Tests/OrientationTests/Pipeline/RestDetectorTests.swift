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
    "rests as much with a driver whose scale is wrong, and as little where the tablet moves",
    arguments: [0.05, 0.1, 0.5, 2, 9.8, 20])
  func wrongScale(factor: Double) {
    for attitude in [SIMD3(0, 0, 1), SIMD3(0, 0.57, 0.82)] {
      let readings = still(attitude, seconds: 60) + still(attitude, seconds: 60, deviation: 0.03, from: 60)
      func taken(of samples: ArraySlice<TimedReading>, by scale: Double, in pipeline: inout RestSimulation)
        -> Int
      {
        let before = pipeline.taken
        _ = pipeline.feed(samples.map { TimedReading(seconds: $0.seconds, reading: $0.reading * scale) })
        return pipeline.taken - before
      }
      var (right, wrong) = (RestSimulation(.polled), RestSimulation(.polled))
      for part in [readings.prefix(1500), readings.dropFirst(1500)] {
        let (few, many) = (taken(of: part, by: 1, in: &right), taken(of: part, by: factor, in: &wrong))
        // It takes some seconds to learn the scale.
        #expect(abs(many - few) <= 150, "\(attitude): \(many) instead of \(few)")
      }
    }
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

/// A person's hand: tremor of 4 to 12 Hz and 5 mg and more (Elble and Koller 1990), and a sway of 0.1 to 1 Hz by a degree and more.
private func hand(seed: UInt64) -> (Double) -> SIMD3<Double> {
  var random = Noise(seed: seed)
  func waves(_ count: Int, _ hertz: ClosedRange<Double>, deviation: Double) -> [(
    SIMD3<Double>, SIMD3<Double>
  )] {
    (0..<count).map { _ in
      let frequency = hertz.lowerBound + (hertz.upperBound - hertz.lowerBound) * random.uniform()
      let phase = 2 * Double.pi * SIMD3(random.uniform(), random.uniform(), random.uniform())
      return (SIMD3(frequency, deviation * (2 / Double(count)).squareRoot(), 0), phase)
    }
  }
  let tremor = waves(5, 4...12, deviation: 0.005 + 0.015 * random.uniform())
  let sway = waves(5, 0.1...1, deviation: 0.009 + 0.02 * random.uniform())
  return { seconds in
    (tremor + sway).reduce(SIMD3()) { sum, wave in
      let angle = wave.1 + 2 * Double.pi * wave.0.x * seconds
      return sum + wave.0.y * SIMD3(sin(angle.x), sin(angle.y), sin(angle.z))
    }
  }
}

@Suite("A tablet that lies flat")
struct LyingTabletTests {
  /// Lies for some seconds, and is picked up within half a second to a second, any edge up.
  private func pickUp(seed: UInt64, deviation: Double) -> Movement {
    var random = Noise(seed: seed)
    var movement = Movement(from: .portrait)
    movement.hold(1)
    movement.turn(to: random.uniform() < 0.7 ? .faceUp : .faceDown, within: 0.7)
    // What a chip that hisses reads shows only after 16 s that it lies.
    movement.hold((deviation > 0.003 ? 18 : 6) + 20 * random.uniform())
    let edges: [DeviceOrientation] = [.portraitUpsideDown, .landscapeLeft, .landscapeRight, .portrait]
    movement.turn(to: edges[Int(random.uniform() * 4)], within: 0.5 + 0.5 * random.uniform())
    movement.hold(3)
    var noise = SensorNoise(deviation: deviation, seed: seed)
    let drawn = (0..<4000).map { _ in noise.next() }
    movement.disturbance = { drawn[Int(($0 * 25).rounded()) % drawn.count] }
    return movement
  }

  @Test(
    "turns the screen whenever it is picked up: 0.7 s late at most, and at most 0.4 s in 95 of 100 cases",
    arguments: [0.002, 0.005, 0.01])
  func pickedUp(deviation: Double) {
    var delays: [Double] = []
    for seed in UInt64(1)...200 {
      let samples = pickUp(seed: seed, deviation: deviation).samples(hertz: 25)
      var constant = OrientationPipeline(transform: .identity)
      let expected = constant.feed(samples)
      var pipeline = RestSimulation(.polled)
      let found = pipeline.feed(samples)
      #expect(found.map(\.orientation) == expected.map(\.orientation))
      guard let (last, lastExpected) = found.last.flatMap({ last in expected.last.map { (last, $0) } }) else {
        continue
      }
      delays.append(last.seconds - lastExpected.seconds)
    }
    delays.sort()
    #expect(delays.count == 200)
    // Samples are 0.04 s apart, so these are multiples of that, but for rounding.
    #expect(delays[189] < 0.401 && delays[199] < 0.701, "\(delays.suffix(12))")
  }

  @Test("is looked at every 0.19 s while a hand holds it", arguments: [0.0005, 0.002, 0.005, 0.01])
  func held(deviation: Double) {
    for seed in UInt64(1)...300 {
      let shake = hand(seed: seed)
      var noise = SensorNoise(deviation: deviation, seed: seed)
      var pipeline = RestSimulation(.polled)
      var (lastLook, longest) = (0.0, 0.0)
      for sample in still(SIMD3(0, 0, 1), seconds: 29, deviation: 0) {
        let before = pipeline.wakeUps
        let reading = sample.reading + shake(sample.seconds) + noise.next()
        _ = pipeline.process(TimedReading(seconds: sample.seconds, reading: reading))
        guard pipeline.wakeUps > before else { continue }
        longest = max(longest, sample.seconds - lastLook)
        lastLook = sample.seconds
      }
      #expect(longest < 0.25, "\(seed)")
    }
  }

  @Test(
    "costs one and a half looks a second from its third second on, or with a chip that hisses three in the first minute",
    arguments: [(0.0, 1.5), (0.002, 1.5), (0.003, 1.6), (0.005, 3), (0.007, 3), (0.01, 3)])
  func looks(deviation: Double, most: Double) {
    var woken = 0
    for seed in 0..<10 {
      var pipeline = RestSimulation(.polled)
      _ = pipeline.feed(still(SIMD3(0, 0, 1), seconds: 3, deviation: deviation, from: Double(100 * seed)))
      let before = pipeline.wakeUps
      _ = pipeline.feed(
        still(SIMD3(0, 0, 1), seconds: 60, deviation: deviation, from: Double(100 * seed + 3)))
      woken += pipeline.wakeUps - before
    }
    #expect(Double(woken) / 600 < most)
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

  @Test(
    "announces each turn as at the full rate, and no more than 0.2 s later, or 0.7 s if it lay flat",
    arguments: resting)
  func turns(sensor: RestSimulation.Sensor) {
    for seed in UInt64(1)...8 {
      let samples = movement(seed: seed).samples(hertz: 25)
      var constant = OrientationPipeline(transform: .identity)
      let expected = constant.feed(samples)
      var pipeline = RestSimulation(sensor)
      let found = pipeline.feed(samples)
      #expect(found.map(\.orientation) == expected.map(\.orientation))
      var wasFlat = false
      for (one, other) in zip(found, expected) {
        let delay = one.seconds - other.seconds
        // Samples are 0.04 s apart, so these are multiples of that, but for rounding.
        #expect(delay > -0.1 && delay < (wasFlat ? 0.701 : 0.201), "\(one) instead of \(other)")
        wasFlat = one.orientation.isFlat
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
    let tolerance = SIMD3(repeating: Rest.leastTolerance)
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
