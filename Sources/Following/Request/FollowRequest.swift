// SPDX-License-Identifier: Apache-2.0

// orientationctl reads the command line of people, and has the help texts. What it has read, it passes on in the form below to the
// program that follows, which needs no parser for that.

/// What `orientationctl follow` asks of the program that follows.
package struct FollowRequest: Equatable, Sendable {
  /// The name of the program that follows in this session.
  ///
  /// Wayland sessions have a `DISPLAY` as well, for programs that cannot speak Wayland.
  ///
  /// - Parameter environment: reads a variable.
  /// - Returns: the name.
  package static func program(environment: (String) -> String?) -> String {
    func has(_ name: String) -> Bool { environment(name).map { !$0.isEmpty } ?? false }
    let isX =
      has("DISPLAY") && !has("WAYLAND_DISPLAY") && !has("WAYLAND_SOCKET")
      && environment("XDG_SESSION_TYPE") != "wayland"
    return isX ? "orientationctl-follow-x" : "orientationctl-follow"
  }

  /// Whether the daemon is on the session bus.
  package var isUserBus = false
  /// The output to turn; nil is what is built in.
  package var output: String?
  /// What to run when the device has become a tablet or a laptop.
  package var onTabletMode: HookCommand?
  /// What to run when the screen was turned.
  package var onTransform: HookCommand?

  /// Creates a request for the panel, without commands, by the daemon on the system bus.
  package init() {}

  /// The arguments that have this meaning.
  package var words: [String] {
    let values = [
      ("--output", output), (Self.tabletModeOption, onTabletMode?.text),
      (Self.transformOption, onTransform?.text),
    ]
    return (isUserBus ? ["--user"] : []) + values.flatMap { name, value in value.map { [name, $0] } ?? [] }
  }

  /// The option for ``onTabletMode``.
  static let tabletModeOption = "--on-tablet-mode"
  /// The option for ``onTransform``.
  static let transformOption = "--on-transform"

  /// Reads arguments; nil if there are others than those of ``words``.
  ///
  /// - Parameter words: the arguments, in any order.
  package init?(words: [String]) {
    self.init()
    var rest = words[...]
    while let word = rest.popFirst() {
      switch word {
      case "--user": isUserBus = true
      case "--output":
        guard let value = rest.popFirst() else { return nil }
        output = value
      case Self.tabletModeOption, Self.transformOption:
        guard let text = rest.popFirst(), let command = try? HookCommand(text) else { return nil }
        if word == Self.transformOption { onTransform = command } else { onTabletMode = command }
      default: return nil
      }
    }
  }
}
