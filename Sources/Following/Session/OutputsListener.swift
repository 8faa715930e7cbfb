// SPDX-License-Identifier: Apache-2.0

/// Receives what ``TurnableOutputs`` report.
public struct OutputsListener {
  /// All outputs, at the start and after each change, also those that others have made.
  public let changed: ([Output]) -> Void
  /// The answer to the change that was asked for.
  public let answered: (PanelTurner.Answer) -> Void
  /// The desktop has ended, or does not work; the first reason counts.
  public let failed: (FollowFailure) -> Void
}
