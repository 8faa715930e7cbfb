// SPDX-License-Identifier: Apache-2.0

/// The angles and times by which the pipeline decides.
public struct PipelineSettings: Equatable, Sendable {
  /// How readily the orientation changes.
  public var responsiveness = Responsiveness.normal
  /// How far past the border between two orientations gravity must turn.
  ///
  /// 7 degrees are more than twice the tilt that a very noisy sensor's 50 mg feign (2.9 degrees). Measured on still tablets
  /// at the worst attitudes, an hour each at 10 Hz: at 6.5 degrees 2 of 644 changed once too often, at 7 one of 2,112.
  public var hysteresis = Angle(degrees: 7)
  /// The time constant of the filter that says where gravity is, in seconds.
  ///
  /// It takes off the noise of single samples, no more: 0.03 s is about one sample at 25 Hz. The evidence averages the rest.
  public var filterTimeConstantSeconds = 0.03
  /// How long being turned to and fro is remembered, in seconds: 3.5 s are two or three movements of a hand.
  public var handlingMemorySeconds = 3.5

  /// The defaults.
  public init() {}
}
