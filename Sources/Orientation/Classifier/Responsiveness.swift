// SPDX-License-Identifier: Apache-2.0

/// How readily the orientation changes: the compromise between late changes and unwanted ones.
public enum Responsiveness: String, CaseIterable, Sendable {
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
