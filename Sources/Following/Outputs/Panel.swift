// SPDX-License-Identifier: Apache-2.0

import Systemd

/// Which output is the tablet's own screen.
public enum Panel: Equatable, Sendable {
  /// The output with this name.
  case found(String)
  /// There is none yet: no outputs, or not the one that was asked for.
  case missing
  /// The outputs do not say: none of them is built in, or several are.
  case ambiguous

  /// The connectors of screens that are built in: "eDP-1", and "eDP1" as some drivers of X servers call it.
  private static let builtIn = ["eDP", "DSI", "LVDS"]

  /// Finds the panel.
  ///
  /// - Parameters:
  ///   - outputs: what the desktop reports.
  ///   - name: the output that the user has named; nil is the only one that is built in.
  public init(among outputs: [Output], named name: String?) {
    let candidates = outputs.map(\.name).filter { candidate in
      name.map { $0 == candidate } ?? Self.builtIn.contains { candidate.hasPrefix($0) }
    }
    switch candidates.count {
    case 1: self = .found(candidates[0])
    case 0 where name != nil || outputs.isEmpty: self = .missing
    default: self = .ambiguous
    }
  }
}

extension [Output] {
  /// Whether it is not certain which one a name means.
  var hasEqualNames: Bool { Set(map(\.name)).count < count }

  /// The names, for people: "DSI-1, HDMI-A-1".
  var list: String {
    isEmpty
      ? "none"
      : map { $0.isEnabled ? $0.name.printable : "\($0.name.printable) (off)" }.joined(separator: ", ")
  }
}
