// SPDX-License-Identifier: Apache-2.0

/// How readily the orientation changes: the compromise between late changes and unwanted ones.
public enum Responsiveness: String, CaseIterable, Sendable {
  /// Twice the evidence is needed.
  case calm
  /// The best compromise for the recordings of real hands.
  case normal
  /// Half the evidence is needed.
  case quick

  /// The evidence that a change needs, in g s.
  ///
  /// A turn by 90 degrees ends 0.58 g past the border if the device is then still, so normal needs 26 ms of it. Measured on
  /// the recordings, half of the changes are announced within 0.30, 0.20 and 0.13 s (calm, normal, quick).
  var neededEvidence: Float {
    switch self {
    case .calm: 0.03
    case .normal: 0.015
    case .quick: 0.0075
    }
  }
}
