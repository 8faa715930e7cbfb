// SPDX-License-Identifier: Apache-2.0

// This folder: the program that follows. Follower has the event loop, in which the daemon and the desktop meet.

/// A desktop that turns the screen by itself.
///
/// Two programs that do so would undo what the other has done.
enum Desktop: String, CaseIterable {
  // Phosh also calls itself GNOME.
  case phosh = "Phosh"
  case gnome = "GNOME"
  case plasma = "KDE"

  /// The desktop of the session; nil if it is another one.
  ///
  /// - Parameter environment: reads a variable.
  init?(environment: (String) -> String?) {
    let words = (environment("XDG_CURRENT_DESKTOP") ?? "").split(separator: ":").map { $0.lowercased() }
    guard let desktop = Self.allCases.first(where: { words.contains($0.rawValue.lowercased()) }) else {
      return nil
    }
    self = desktop
  }

  /// Why nothing is to be done there.
  var refusal: CommandError {
    CommandError.unavailable(
      "\(name) turns the screen itself, and two programs that do so would fight; it needs net.hadess.SensorProxy: "
        + "see SensorProxy in orientationd.conf(5)")
  }

  var name: String { self == .plasma ? "KDE Plasma" : rawValue }
}
