// SPDX-License-Identifier: Apache-2.0

import Glibc
import Orientation
import TestSupport
import Testing

/// The project's own regression set: recordings that need no file, with the changes expected of them and the latest time
/// at which each may come, in the recording's own time.
@Suite("Synthetic recordings")
struct SyntheticRecordingTests {
  /// Expects one change per turn, each no later than `delay` after the end of its turn.
  private func expectOneChangePerTurn(
    of movement: Movement, hertz: Double = 25, delay: Double, settings: PipelineSettings = PipelineSettings()
  ) {
    var pipeline = OrientationPipeline(transform: .identity, settings: settings)
    let changes = pipeline.feed(movement.samples(hertz: hertz))
    #expect(changes.map(\.orientation) == [movement.first] + movement.turns.map(\.pose))
    for (change, turn) in zip(changes.dropFirst(), movement.turns) {
      #expect(change.seconds > turn.start && change.seconds < turn.end + delay, "\(change), \(turn)")
    }
  }

  private let poses: [DeviceOrientation] = [.landscapeLeft, .portrait, .landscapeRight, .faceUp, .portrait]

  /// The five poses one after the other, each turn within `turn` seconds, each pose held for `hold` seconds.
  private func visit(turn: Double, hold: Double) -> Movement {
    var movement = Movement(from: .portrait)
    movement.hold(hold)
    for pose in poses {
      movement.turn(to: pose, within: turn)
      movement.hold(hold)
    }
    return movement
  }

  @Test("turns at any speed", arguments: [0.15, 0.2, 0.4, 0.6, 0.8, 1, 1.5, 2, 4], rates)
  func speeds(turn: Double, rate: Double) {
    // Measured at 25 Hz: 0.3 s after a flick of 0.2 s, and during the turn where that takes 0.8 s and more. At 10 Hz, it may
    // take one sample more.
    expectOneChangePerTurn(
      of: visit(turn: turn, hold: 3), hertz: rate, delay: turn < 0.7 ? 0.4 : max(0.1, 1.5 / rate))
  }

  @Test("quick comes before normal, calm after", arguments: [0.2, 0.5, 1])
  func responsiveness(turn: Double) {
    let movement = visit(turn: turn, hold: 3)
    let delays = [Responsiveness.quick, .normal, .calm].map { responsiveness in
      var settings = PipelineSettings()
      settings.responsiveness = responsiveness
      expectOneChangePerTurn(of: movement, delay: 0.6, settings: settings)
      var pipeline = OrientationPipeline(transform: .identity, settings: settings)
      let changes = pipeline.feed(movement.samples(hertz: 200)).dropFirst()
      return zip(changes, movement.turns).reduce(0) { $0 + $1.0.seconds - $1.1.end }
    }
    #expect(delays[0] < delays[1] && delays[1] < delays[2], "\(delays)")
  }

  @Test("a roll at any elevation of the screen", arguments: [32.0, 40, 50, 60, 70, 80, 90], [0.3, 0.6, 1.2])
  func elevations(elevation: Double, turn: Double) {
    let way = (0..<150).map { tick in
      let progress = min(max((Double(tick) / 25 - 2) / turn, 0), 1)
      return held(elevation: elevation, roll: 90 * progress * progress * (3 - 2 * progress))
    }
    var pipeline = OrientationPipeline(transform: .identity)
    let changes = pipeline.feed(way)
    #expect(changes.map(\.orientation) == [.portrait, .landscapeLeft])
    #expect(changes.allSatisfy { $0.seconds < 2 + turn + 0.4 })
  }

  /// Walking: the body goes up and down twice in a stride of 1.05 s and sways from side to side once, and the heel strikes
  /// (Inria's recordings of walking with a phone in the hand: 0.2-0.3 g along gravity, 0.1 g across).
  private func steps(strength: Double) -> (Double) -> SIMD3<Double> {
    { seconds in
      let phase = 2 * Double.pi * seconds / 1.05
      let strike = max(0, sin(2 * phase + 1)) * max(0, sin(2 * phase + 1))
      return SIMD3(0.1 * sin(phase), 0.25 * sin(2 * phase), 0.1 * sin(2 * phase + 0.7) + 0.1 * strike)
        * strength
    }
  }

  @Test("walking with it in the hand changes nothing", arguments: [0.5, 1, 1.5], rates)
  func walking(strength: Double, rate: Double) {
    for first in axes.map(\.orientation) {
      var movement = Movement(from: first)
      movement.hold(60)
      movement.disturbance = steps(strength: strength)
      expectOneChangePerTurn(of: movement, hertz: rate, delay: 0)
    }
  }

  @Test("it is turned while walking", arguments: [0.4, 0.8])
  func turnedWhileWalking(turn: Double) {
    var movement = visit(turn: turn, hold: 4)
    movement.disturbance = steps(strength: 1)
    expectOneChangePerTurn(of: movement, delay: 1)
  }

  @Test("it is knocked at every half second while it is turned from pose to pose")
  func knocked() {
    var movement = visit(turn: 0.8, hold: 3)
    movement.disturbance = { seconds in
      let since = seconds - (seconds * 2).rounded(.down) / 2
      return since < 0.03 ? SIMD3(5, -4, 6) * sin(.pi * since / 0.03) : SIMD3()
    }
    expectOneChangePerTurn(of: movement, hertz: 100, delay: 1)
  }

  @Test("an arm that swings by 50 degrees keeps the pose", arguments: [0.8, 1, 1.3])
  func swingingArm(hertz: Double) {
    var pipeline = OrientationPipeline(transform: .identity)
    let swing = (0..<1500).map { tick in
      held(elevation: 90, roll: 10 + 50 * sin(2 * .pi * hertz * Double(tick) / 25))
    }
    // The first swings, before it is known that they are many, may count.
    let changes = pipeline.feed(Array(repeating: held(elevation: 90, roll: 10), count: 50) + swing)
    #expect(changes.filter { $0.seconds > 8 }.isEmpty, "\(changes)")
  }

  @Test("held still after tumbling, the pose is known within a second", arguments: [0.6, 1, 1.4])
  func stillAfterTumbling(hertz: Double) throws {
    let tumbling = (0..<200).map { held(elevation: 90, roll: 360 * hertz * Double($0) / 25) }
    var pipeline = OrientationPipeline(transform: .identity)
    let rest = Array(repeating: SIMD3(-1.0, 0, 0), count: 75)
    let decided = try #require(pipeline.feed(tumbling + rest).last)
    #expect(decided.orientation == .landscapeRight)
    #expect(decided.seconds < 9)
  }
}
