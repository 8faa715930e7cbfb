// SPDX-License-Identifier: Apache-2.0

import Orientation
import Systemd

/// Which output is the tablet's own screen.
package enum Panel: Equatable, Sendable {
  /// The outputs with these names: one, or two of a laptop with a screen in its base, too, which is the second by its name.
  case found([String])
  /// There is none yet: no outputs, or not the one that was asked for.
  case missing
  /// The outputs do not say: none of them is built in, or several of different kinds or more than two are.
  case ambiguous

  /// Finds the panel.
  ///
  /// - Parameters:
  ///   - outputs: what the desktop reports.
  ///   - name: the output that the user has named; nil is what is built in.
  package init(among outputs: [Output], named name: String?) {
    let names = outputs.map { $0.name }
    let candidates = name.map { name in names.filter { $0 == name } } ?? Self.builtIn(among: names)
    switch candidates.count {
    case 1: self = .found(candidates)
    // "eDP-1" and "eDP-2": which of two kinds is the upper one is not known.
    case 2 where Self.kind(candidates[0]) == Self.kind(candidates[1]):
      self = .found(candidates.sorted())
    case 0 where name != nil || outputs.isEmpty: self = .missing
    default: self = .ambiguous
    }
  }

  private static func kind(_ name: String) -> Substring { name.prefix { !("0"..."9").contains($0) } }

  /// The outputs that are the most certainly built in; one of an unknown kind must be alone.
  private static func builtIn(among names: [String]) -> [String] {
    guard let best = names.compactMap({ BuiltInConnector(name: $0) }).min(),
      best != .unknown || names.count == 1
    else { return [] }
    return names.filter { BuiltInConnector(name: $0) == best }
  }
}

extension [Output] {
  /// Whether it is not certain which one a name means.
  var hasEqualNames: Bool {
    indices.contains { index in self[..<index].contains { $0.name == self[index].name } }
  }

  /// The names, for people: "DSI-1, HDMI-A-1".
  var list: String {
    isEmpty
      ? "none"
      : map { $0.isEnabled ? $0.name.printable : "\($0.name.printable) (off)" }.joined(separator: ", ")
  }
}
