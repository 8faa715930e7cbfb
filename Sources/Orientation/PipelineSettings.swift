// SPDX-License-Identifier: Apache-2.0

/// The angles and times by which the pipeline decides.
public struct PipelineSettings: Equatable, Sendable {
  /// How readily the orientation changes.
  public var responsiveness = Responsiveness.normal
  /// How far past the border between two orientations gravity must turn.
  ///
  /// 7 degrees are more than twice the tilt that a noise of 50 mg feigns (2.9 degrees), which the worst of the sensors in
  /// tablets have. At 6.5 degrees 2 of 644 noisy still tablets changed once too often in an hour at 10 Hz; at 7, none of 840.
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
