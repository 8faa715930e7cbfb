// SPDX-License-Identifier: Apache-2.0

package import DaemonClient
import Orientation
import Systemd

// What the button in a bar says of the screen, too.
extension ScreenSnapshot {
  /// The state of the lock, with the interface's orientation as it is named here.
  package func lockSentence(naming name: String) -> String {
    switch lock {
    // The lock keeps what was before the hold.
    case .locked where holds.contains { !$0.isWaiting }:
      "rotation is locked; an app holds the interface in \(name)"
    case .locked: "rotation is locked in \(name)"
    case .unlocked: "rotation is unlocked; the interface is in \(name)"
    }
  }

  /// A hold, for people: "org.example.Player: landscapeRight, landscapeLeft (plays a film)", with the names that are given.
  ///
  /// The app's texts are printable, so that nothing of them is drawn on what is around them.
  package func text(of hold: InterfaceOrientationHold, naming names: [String]) -> String {
    let waiting = hold.isWaiting ? "waiting for " : ""
    // `orientationctl hold` gives the command's name as both.
    let reason = hold.reason == hold.application ? "" : " (\(hold.reason.printable))"
    return "\(hold.application.printable): \(waiting)\(names.joined(separator: ", "))\(reason)"
  }
}
