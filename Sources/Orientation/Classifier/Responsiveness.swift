// SPDX-License-Identifier: Apache-2.0

/// How readily the orientation changes: the choice between a late change and one too many.
public enum Responsiveness: String, CaseIterable, Sendable {
  /// Waits for twice the evidence.
  case calm
  /// The balance that the recordings of real hands ask for.
  case normal
  /// Takes half the evidence.
  case quick

  /// The evidence that a change needs, in g s.
  ///
  /// A turn by 90 degrees at rest ends 0.58 g past the border, so that normal means 26 ms of it. Measured on the
  /// recordings, half the time of changes are announced after 0.28, 0.19 and 0.12 s.
  var neededEvidence: Float {
    switch self {
    case .calm: 0.03
    case .normal: 0.015
    case .quick: 0.0075
    }
  }
}
