// SPDX-License-Identifier: Apache-2.0

import Glibc
import Orientation
import TestSupport

/// A person who fidgets: turns the tablet to another pose, rests, turns again, at random.
///
/// What its sensor reads is made up of gravity, which turns with the tablet; of what the turn itself accelerates it by, as it
/// sits some centimetres off the axis; of the hand's tremor; and of noise. Each series has its own hand, by the seed.
struct Fidgeting {
  /// A turn about an axis that is fixed in the tablet.
  struct Turn {
    /// When it begins and ends, in seconds.
    let start, end: Double
    /// The pose at its end.
    let pose: DeviceOrientation
    fileprivate let from, to, axis: SIMD3<Double>
    fileprivate let angle: Double
    /// How far the hand goes beyond the end, in radians, and at which frequency it comes back from there, in hertz.
    fileprivate let overshoot, wobble: Double
    /// Where the sensor is, from a point of the axis, in metres.
    fileprivate let arm: SIMD3<Double>
  }

  /// The turns, in order.
  private(set) var turns: [Turn] = []
  /// How long it takes, in seconds.
  private(set) var seconds = 3.0

  private let first: SIMD3<Double>
  private var random: Noise
  private var tremor: [(hertz: Double, phase: SIMD3<Double>, strength: Double)] = []
  private let noise: Double

  private static let poses: [DeviceOrientation] = [
    .portrait, .portraitUpsideDown, .landscapeLeft, .landscapeRight, .faceUp,
  ]

  /// Draws a series.
  ///
  /// - Parameters:
  ///   - seed: of all that is random.
  ///   - count: how many turns.
  ///   - rests: how long the tablet is held before each turn, in seconds.
  ///   - noise: the sensor's noise on each axis, in g; nil for one of a good sensor.
  init(seed: UInt64, turns count: Int = 16, rests: ClosedRange<Double>, noise: Double? = nil) {
    var random = Noise(seed: seed)
    func draw(_ range: ClosedRange<Double>) -> Double {
      range.lowerBound + (range.upperBound - range.lowerBound) * random.uniform()
    }
    var pose = DeviceOrientation.portrait
    var up = held(elevation: 80, roll: 0)
    first = up
    for _ in 0..<count {
      let others = Self.poses.filter { $0 != pose }
      pose = others[Int(random.uniform() * Double(others.count))]
      let to = Self.attitude(pose, tilt: draw(0...30), roll: draw(-12...12), around: draw(0...360))
      let axis = Self.axis(from: up, to: to)
      let across = up - axis * (axis * up).sum()
      let angle = atan2((cross(axis, up) * to).sum(), (across * to).sum())
      // Half a turn takes longer than a quarter.
      let duration = draw(0.3...0.8) * (abs(angle) > 2 ? 1.3 : 1)
      turns.append(
        Turn(
          start: seconds, end: seconds + duration, pose: pose, from: up, to: to, axis: axis, angle: angle,
          overshoot: draw(0...0.17), wobble: draw(2...4), arm: random.direction() * draw(0.03...0.2)))
      seconds += duration + draw(rests)
      up = to
    }
    // Physiological tremor lies between 4 and 12 Hz (Elble and Koller 1990); 5 to 30 mg of it.
    let strength = draw(0.005...0.03)
    for hertz in [draw(4...6), draw(7...9), draw(9...12)] {
      let phase = SIMD3(draw(0...6.3), draw(0...6.3), draw(0...6.3))
      tremor.append((hertz, phase, strength / 2))
    }
    let goodNoise = draw(0.001...0.006)
    self.noise = noise ?? goodNoise
    self.random = random
  }

  /// Feeds a new pipeline, and measures how late it announces each turn.
  ///
  /// The last change before the next turn counts, because a flip after the right one would be late, or wrong.
  ///
  /// - Parameter hertz: the sensor's rate.
  /// - Returns: the seconds since the end of each turn, in their order: 0 if it was announced on the way, infinite if it was
  ///   not announced before the next one.
  mutating func delays(hertz: Double) -> [Double] {
    var pipeline = OrientationPipeline(transform: .identity)
    let changes = pipeline.feed(samples(hertz: hertz))
    let ends = turns.dropFirst().map(\.start) + [seconds]
    return zip(turns, ends).map { turn, end in
      guard let said = changes.last(where: { $0.seconds < end }), said.orientation == turn.pose else {
        return .infinity
      }
      return max(said.seconds - turn.end, 0)
    }
  }

  /// All samples at a rate.
  mutating func samples(hertz: Double) -> [TimedReading] {
    (0..<Int(seconds * hertz)).map { tick in
      let now = Double(tick) / hertz
      return TimedReading(seconds: now, reading: reading(at: now) + random.vector(deviation: noise))
    }
  }

  /// What the sensor reads but for its noise, in g.
  private func reading(at now: Double) -> SIMD3<Double> {
    let shaken = tremor.reduce(SIMD3<Double>()) { sum, part in
      let angle = part.phase + 2 * .pi * part.hertz * now
      return sum + part.strength * SIMD3(sin(angle.x), sin(angle.y), sin(angle.z))
    }
    guard let turn = turns.last(where: { $0.start <= now }) else { return first + shaken }
    // The angle's speed and acceleration, from three close instants.
    let step = 0.002
    let (before, angle, after) = (turn.angle(at: now - step), turn.angle(at: now), turn.angle(at: now + step))
    let speed = (after - before) / (2 * step)
    let acceleration = (after - 2 * angle + before) / (step * step)
    let tangent = cross(turn.axis, turn.arm)
    let push = tangent * acceleration + cross(turn.axis, tangent) * speed * speed
    return rotated(turn.from, about: turn.axis, by: angle) + push / standardGravity + shaken
  }

  /// A pose as a person holds it: an upright one leaning back by `tilt` degrees and rolled, a flat one tilted by a third of
  /// that, less than the 17 degrees below which it counts as flat, in the direction `around`.
  private static func attitude(
    _ pose: DeviceOrientation, tilt: Double, roll: Double, around: Double
  ) -> SIMD3<Double> {
    switch pose {
    case .portrait: held(elevation: 90 - tilt, roll: roll)
    case .landscapeLeft: held(elevation: 90 - tilt, roll: 90 + roll)
    case .portraitUpsideDown: held(elevation: 90 - tilt, roll: 180 + roll)
    case .landscapeRight: held(elevation: 90 - tilt, roll: 270 + roll)
    default: held(elevation: tilt / 3, roll: around)
    }
  }

  /// The axis of a turn: across both directions; where these are nearly opposite, as near to the screen's normal as can be.
  private static func axis(from start: SIMD3<Double>, to end: SIMD3<Double>) -> SIMD3<Double> {
    let across = cross(start, end)
    guard (across * across).sum() < 0.5 else { return unit(across) }
    // Across the way from one to the other, so that a turn about it leads there.
    let way = unit(end - start)
    return unit(SIMD3(0, 0, 1) - way * way.z)
  }
}

extension Fidgeting.Turn {
  /// How far it has gone, in radians: the way of least jerk (Flash and Hogan 1985), and the overshoot that fades after it.
  fileprivate func angle(at now: Double) -> Double {
    let duration = end - start
    let share = min(max((now - start) / duration, 0), 1)
    let way = angle * share * share * share * (10 - 15 * share + 6 * share * share)
    let since = now - (end - 0.15 * duration)
    guard since > 0 else { return way }
    return way + overshoot * sin(2 * .pi * wobble * since) * exp(-since / 0.12) * min(1, since / 0.05)
  }
}

private func cross(_ first: SIMD3<Double>, _ second: SIMD3<Double>) -> SIMD3<Double> {
  SIMD3(
    first.y * second.z - first.z * second.y, first.z * second.x - first.x * second.z,
    first.x * second.y - first.y * second.x)
}

private func unit(_ vector: SIMD3<Double>) -> SIMD3<Double> { vector / (vector * vector).sum().squareRoot() }

/// A vector turned about an axis (Rodrigues 1840).
private func rotated(_ vector: SIMD3<Double>, about axis: SIMD3<Double>, by angle: Double) -> SIMD3<Double> {
  let along = (axis * vector).sum()
  return vector * cos(angle) + cross(axis, vector) * sin(angle) + axis * along * (1 - cos(angle))
}
