// SPDX-License-Identifier: Apache-2.0

/// A first-order low-pass filter of the acceleration, which leaves gravity.
///
/// Each step weighs by the time between the samples' own time stamps, so jitter and lost samples do not change
/// its behaviour. Its gain at rest is one. After a gap of more than ``longestGap``, or time going back, nothing is
/// known of what happened in between and the filter starts anew.
public struct LowPassFilter: Sendable {
  /// The longest gap between samples that is bridged: 1 s, as in Android's WindowOrientationListener.
  public static let longestGap = 1.0

  /// The time constant: after it, 63 % of a step has passed.
  public let timeConstantSeconds: Double

  private var state = Acceleration<ScreenFrame>(x: 0, y: 0, z: 0)
  private var last: BootTime?

  /// Creates a filter that has seen nothing yet.
  public init(timeConstantSeconds: Double) {
    self.timeConstantSeconds = timeConstantSeconds
  }

  /// What a step found out.
  public enum Step {
    /// The filter started anew from this sample.
    case started
    /// The filter went on from its last sample.
    case continued
  }

  /// Takes in a sample.
  ///
  /// - Parameters:
  ///   - sample: the next sample; it must be finite.
  ///   - gravity: receives the filtered acceleration, m/s^2.
  /// - Returns: whether the filter went on or started anew.
  @inline(__always)
  public mutating func update(
    with sample: Sample<ScreenFrame>, gravity: inout Acceleration<ScreenFrame>
  ) -> Step {
    let elapsed = last.map { sample.time.seconds(since: $0) }
    last = sample.time
    guard let elapsed, elapsed >= 0, elapsed <= Self.longestGap else {
      state = sample.acceleration
      gravity = state
      return .started
    }
    let weight = elapsed / (timeConstantSeconds + elapsed)
    state.x += weight * (sample.acceleration.x - state.x)
    state.y += weight * (sample.acceleration.y - state.y)
    state.z += weight * (sample.acceleration.z - state.z)
    gravity = state
    return .continued
  }
}
