// SPDX-License-Identifier: Apache-2.0

import Glibc
import TestSupport
import Testing

@testable import Orientation

/// What a chip makes of gravity, in units of standard gravity.
private struct WrongChip {
  var scale = 1.0
  var offset = SIMD3<Double>()
  var isZDead = false

  func read(_ truth: TimedReading) -> TimedReading {
    var reading = truth.reading * scale + offset
    if isZDead { reading.z = 0 }
    return TimedReading(seconds: truth.seconds, reading: reading)
  }
}

/// People who turn the tablet, with a hand's tremor and a chip's noise.
private func turns(seed: UInt64, deviation: Double = 0.01) -> Movement {
  var movement = Movement(seed: seed, turns: 12)
  var noise = [SIMD3<Double>]()
  var generator = Noise(seed: seed)
  for _ in 0..<Int(movement.seconds * 100) + 1 { noise.append(generator.vector(deviation: deviation)) }
  movement.disturbance = { noise[Int($0 * 100)] }
  return movement
}

@Suite("The length of gravity in a sensor's readings")
struct GravityLengthTests {
  /// How late each pose was announced that was turned to, from the end of the turn, in seconds; infinite if it was not.
  private func delays(of movement: Movement, with chip: WrongChip, hertz: Double = 25) -> [Double] {
    var pipeline = OrientationPipeline(transform: .identity)
    let changes = pipeline.feed(movement.samples(hertz: hertz).map(chip.read))
    return movement.turns.indices.map { index in
      let turn = movement.turns[index]
      let next = index + 1 < movement.turns.count ? movement.turns[index + 1].start : .infinity
      let announced = changes.first {
        let time = Double($0.time.nanoseconds) * 1e-9
        return $0.orientation == turn.pose && time > turn.start && time < next + 0.4
      }
      return announced.map { Double($0.time.nanoseconds) * 1e-9 - turn.end } ?? .infinity
    }
  }

  @Test(
    "is learned, and then makes no difference, with a driver whose scale is wrong",
    arguments: [0.02, 0.05, 0.1, 0.25, 0.5, 0.55, 1.6, 2, 4, 9.8, 20, 50])
  func scale(factor: Double) {
    for seed in 1...5 {
      let movement = turns(seed: UInt64(seed))
      let right = delays(of: movement, with: WrongChip())
      let wrong = delays(of: movement, with: WrongChip(scale: factor))
      // The first turns come while it is learned.
      for index in movement.turns.indices.dropFirst(2) {
        #expect(wrong[index] <= max(right[index] + 0.1, 0.4), "seed \(seed), turn \(index)")
      }
    }
  }

  @Test(
    "is learned within two seconds of stillness at the start, from any pose",
    arguments: [0.02, 0.1, 0.5, 2, 10, 50])
  func start(factor: Double) {
    for (orientation, axis) in axes {
      var pipeline = OrientationPipeline(transform: .identity)
      var noise = Noise(seed: 3)
      let readings = (0..<60).map {
        TimedReading(seconds: Double($0) / 25, reading: (axis + noise.vector(deviation: 0.01)) * factor)
      }
      #expect(pipeline.feed(readings).map(\.orientation) == [orientation])
      let length = pipeline.takeLearnedLength() ?? 1
      #expect(abs(length / factor - 1) < 0.05)
      #expect(pipeline.takeLearnedLength() == nil)
    }
  }

  /// A tour of all poses, twice, with three seconds in each.
  private func tour(from first: DeviceOrientation) -> Movement {
    let isFlat = first == .faceUp || first == .faceDown
    let poses: [DeviceOrientation] =
      isFlat
      ? [.landscapeRight, .portrait, .faceDown, .portraitUpsideDown, .landscapeLeft, .faceUp]
      : [.faceUp, .portraitUpsideDown, .landscapeRight, .faceDown, .landscapeLeft, .portrait]
    var movement = Movement(from: first)
    movement.hold(3)
    for pose in poses + poses where pose != movement.last {
      movement.turn(to: pose, within: 0.4)
      movement.hold(3)
    }
    return movement
  }

  @Test("may be another one in each pose, with axes that are off by up to half of it")
  func offsets() {
    for (x, y, z) in [(0, 0, 0.45), (0, 0, -0.45), (0.5, 0, 0), (0, -0.5, 0), (0.3, 0.3, -0.3), (0, 0, 0.5)] {
      for first in [DeviceOrientation.portrait, .faceUp, .faceDown, .landscapeLeft] {
        let movement = tour(from: first)
        var pipeline = OrientationPipeline(transform: .identity)
        let chip = WrongChip(offset: SIMD3(x, y, z))
        let changes = pipeline.feed(movement.samples(hertz: 25).map(chip.read))
        for (index, turn) in movement.turns.enumerated() {
          // With x or y that far off, a flat tablet reads as if it rose by 27 degrees.
          let isFlat = turn.pose == .faceUp || turn.pose == .faceDown
          guard !isFlat || (x == 0 && y == 0) else { continue }
          // A pose is learned where the tablet is held so for the first time.
          let time = turn.end + (index < 6 ? 1.7 : 0.6)
          let announced = changes.last { Double($0.time.nanoseconds) * 1e-9 <= time }
          #expect(
            announced?.orientation == turn.pose,
            "offset \(x), \(y), \(z), from \(first.name), turn \(index)")
        }
      }
    }
  }

  @Test("is no condition for the poses that a chip with a dead axis can see")
  func deadAxis() {
    for seed in 1...5 {
      let movement = turns(seed: UInt64(seed))
      let delays = delays(of: movement, with: WrongChip(isZDead: true))
      for (turn, delay) in zip(movement.turns, delays) where turn.pose != .faceUp && turn.pose != .faceDown {
        let index = movement.turns.firstIndex { $0.start == turn.start } ?? 0
        // A turn from a face back to the pose before it is no change.
        guard index < 2 || movement.turns[index - 2].pose != turn.pose else { continue }
        #expect(delay <= 0.6, "seed \(seed), turn \(index)")
      }
    }
  }

  @Test(
    "is learned again upright if it was that of the offsets, as the third axis is dead",
    arguments: [0.02, 0.03, 0.06, 0.1])
  func deadAxisWithOffsets(offset: Double) {
    for seed in 1...20 {
      var noise = Noise(seed: UInt64(seed))
      var movement = Movement(from: .faceUp)
      movement.hold(10)
      for pose in [DeviceOrientation.portrait, .landscapeLeft, .portraitUpsideDown] {
        movement.turn(to: pose, within: 0.4)
        movement.hold(6)
      }
      let chip = WrongChip(offset: SIMD3(offset, -0.8 * offset, 0), isZDead: true)
      var pipeline = OrientationPipeline(transform: .identity)
      let changes = pipeline.feed(
        movement.samples(hertz: 25).map {
          var stray = noise.vector(deviation: 0.002)
          stray.z = 0
          return TimedReading(seconds: $0.seconds, reading: chip.read($0).reading + stray)
        })
      #expect(
        changes.suffix(2).map(\.orientation) == [.landscapeLeft, .portraitUpsideDown], "seed \(seed)")
    }
  }

  @Test(
    "is learned of a chip with two axes if it is too long, from any pose", arguments: [1.8, 2, 4, 9.8, 50])
  func twoAxes(factor: Double) {
    for rise in [30.0, 60, 90] {
      let sine = sin(rise * .pi / 180)
      var pipeline = OrientationPipeline(transform: .identity)
      pipeline.length = GravityLength(lacksAxis: true)
      let readings = (0..<250).map {
        let seconds = Double($0) / 25
        let pose = seconds < 4 ? SIMD3(0, sine, 0) : seconds < 7 ? SIMD3(0, 1, 0) : SIMD3(-1, 0, 0)
        return TimedReading(seconds: seconds, reading: pose * factor)
      }
      #expect(pipeline.feed(readings).map(\.orientation) == [.portrait, .landscapeRight], "\(rise)")
    }
  }

  @Test("is not learned by a sensor that is right, whatever happens to the tablet")
  func nothing() {
    var movements = (1...10).map { turns(seed: UInt64($0), deviation: 0.05) }
    var walk = Movement(from: .portrait)
    walk.hold(60)
    walk.disturbance = { SIMD3(0.2 * sin(11 * $0), 0.45 * sin(12.5 * $0), 0.3 * cos(12.5 * $0)) }
    var falls = Movement(from: .faceUp)
    falls.hold(20)
    // Half a second of weightlessness and a knock, again and again.
    falls.disturbance = {
      let phase = $0.truncatingRemainder(dividingBy: 2)
      return phase < 0.5 ? SIMD3(0.05, 0, -0.9) : phase < 0.54 ? SIMD3(0, 0, 8) : SIMD3()
    }
    movements += [walk, falls]
    for movement in movements {
      var pipeline = OrientationPipeline(transform: .identity)
      _ = pipeline.feed(movement.samples(hertz: 50))
      #expect(pipeline.takeLearnedLength() == nil)
      #expect(pipeline.length.scale == 1 && pipeline.length.shortest == CheckedForce.credible.lowerBound)
    }
  }

  @Test("is kept for the sensor's next session")
  func kept() {
    var pipeline = OrientationPipeline(transform: .identity)
    let readings = (0..<30).map { TimedReading(seconds: Double($0) / 25, reading: SIMD3(0, 0.1, 0)) }
    #expect(pipeline.feed(readings).count == 1)
    var next = OrientationPipeline(transform: .identity)
    next.length = pipeline.length
    #expect(next.feed(readings.prefix(10)).map(\.orientation) == [.portrait])
  }
}
