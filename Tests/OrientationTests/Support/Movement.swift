// SPDX-License-Identifier: Apache-2.0

import Glibc
import Orientation
import TestSupport

/// What a sensor reads at an instant, in g.
struct TimedReading {
  let seconds: Double
  let reading: SIMD3<Double>
}

/// A synthetic recording: the device is held in a pose, turned to the next, held again.
///
/// Turns begin and end at rest (smoothstep) and go along the great circle between two poses at right angles.
struct Movement {
  /// A turn to a pose.
  struct Turn {
    /// When it begins, in seconds.
    let start: Double
    /// When it ends, in seconds.
    let end: Double
    /// The pose at its end.
    let pose: DeviceOrientation
  }

  /// Where it begins.
  let first: DeviceOrientation
  /// The turns, in order.
  private(set) var turns: [Turn] = []
  /// What is added to gravity, by time: steps, knocks, noise.
  var disturbance: (Double) -> SIMD3<Double> = { _ in SIMD3() }

  /// Begins in a pose.
  init(from first: DeviceOrientation) {
    self.first = first
  }

  /// Random turns to neighbouring poses, each within 0.3 to 1.2 s, with 0.8 to 2.4 s between them.
  init(seed: UInt64, turns count: Int) {
    self.init(from: .portrait)
    var random = Noise(seed: seed)
    for _ in 0..<count {
      let neighbours = axes.filter { abs(($0.axis * Self.axis(of: last)).sum()) < 0.5 }
      let pose = neighbours[Int(random.uniform() * 4)].orientation
      hold(0.8 + 1.6 * random.uniform())
      turn(to: pose, within: 0.3 + 0.9 * random.uniform())
    }
    hold(2)
  }

  /// The pose at the end.
  var last: DeviceOrientation { turns.last?.pose ?? first }

  /// How long it takes, in seconds.
  var seconds: Double { now }

  private var now = 0.0

  /// Holds still.
  mutating func hold(_ seconds: Double) { now += seconds }

  /// Turns to a neighbouring pose.
  mutating func turn(to pose: DeviceOrientation, within seconds: Double) {
    turns.append(Turn(start: now, end: now + seconds, pose: pose))
    now += seconds
  }

  /// What the sensor reads at an instant.
  func sample(at seconds: Double) -> TimedReading {
    let current = turns.last { $0.start <= seconds }
    let before = turns.last { $0.start < current?.start ?? 0 }?.pose ?? first
    var reading = Self.axis(of: before)
    if let current {
      let progress = min((seconds - current.start) / (current.end - current.start), 1)
      let angle = progress * progress * (3 - 2 * progress) * .pi / 2
      reading = reading * cos(angle) + Self.axis(of: current.pose) * sin(angle)
    }
    return TimedReading(seconds: seconds, reading: reading + disturbance(seconds))
  }

  /// All samples at a rate.
  func samples(hertz: Double) -> [TimedReading] {
    (0..<Int(seconds * hertz)).map { sample(at: Double($0) / hertz) }
  }

  private static func axis(of pose: DeviceOrientation) -> SIMD3<Double> {
    axes.first { $0.orientation == pose }?.axis ?? SIMD3()
  }
}

extension OrientationPipeline {
  /// Feeds readings with their times and returns the changes.
  mutating func feed(_ samples: some Sequence<TimedReading>) -> [OrientationChange] {
    samples.compactMap { process(at: $0.seconds, $0.reading) }
  }
}
