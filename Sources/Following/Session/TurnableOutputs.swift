// SPDX-License-Identifier: Apache-2.0

/// The outputs of a desktop, by one of the ways in which desktops let others turn them.
///
/// They report to the ``OutputsListener`` that they were created with, from the event loop.
package protocol TurnableOutputs: AnyObject {
  /// Asks the desktop for a change.
  ///
  /// It is answered once, with ``OutputsListener/answered``; there is no other request before that.
  func apply(_ arrangement: Arrangement)
}

/// Receives what ``TurnableOutputs`` report.
package struct OutputsListener {
  /// All outputs, at the start and after each change, also those that others have made.
  package let changed: ([Output]) -> Void
  /// The answer to the change that was asked for.
  package let answered: (PanelTurner.Answer) -> Void
  /// The desktop has ended, or does not work; the first reason counts.
  package let failed: (CommandError) -> Void
}
