// SPDX-License-Identifier: Apache-2.0

/// The angles and times with which the pipeline decides.
package struct PipelineSettings: Equatable, Sendable {
  /// How readily the orientation changes.
  package var responsiveness = Responsiveness.normal
  /// How far past the border between two orientations gravity must turn.
  ///
  /// At the border to flat they are degrees of weighed gravity, fewer of the tablet: 5.3 when it is raised, 4.5 when it is laid
  /// down. 50 mg of noise, a very noisy sensor, can simulate a roll of 2.9 degrees of a screen that is vertical, and of 6 of one
  /// that rises by 28; a change needs more than single samples. Measured on
  /// still tablets in the bands, at rises of 17 to 80 degrees, 400 hours each: with 50 mg at 25 Hz, no change; at 10 Hz, 11,
  /// most of them where three orientations meet, at a rise of 30; with 70 mg at 10 Hz, 345, all at rises of 22 to 45.
  package var hysteresis = Angle(degrees: 7)
  /// The time constant of the filter for the direction of gravity, in seconds.
  ///
  /// It only removes the noise of single samples: 0.03 s is about one sample at 25 Hz. The evidence averages the rest.
  package var filterTimeConstantSeconds = 0.03
  /// How long turns to and fro are remembered, in seconds: 3.5 s are two or three movements of a hand.
  package var handlingMemorySeconds = 3.5

  /// The defaults.
  package init() {}
}

/// How readily the orientation changes: the compromise between late changes and unwanted ones.
package enum Responsiveness: String, CaseIterable, Sendable {
  /// Twice the evidence is needed.
  case calm
  /// The best compromise for the recordings of real hands.
  case normal
  /// Half the evidence is needed.
  case quick

  /// The evidence that a change needs, in seconds (``Evidence``).
  ///
  /// A turn by 90 degrees ends with an excess of 0.58, so if the device is then still, normal needs 28 ms of it.
  var neededEvidence: Float {
    switch self {
    case .calm: 0.032
    case .normal: 0.016
    case .quick: 0.008
    }
  }
}
