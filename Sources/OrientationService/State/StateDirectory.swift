// SPDX-License-Identifier: Apache-2.0

import CLinux

/// Decides where the state is kept.
enum StateDirectory {
  /// The folder of `--state`, else the service manager's `STATE_DIRECTORY`; nil if the state is not kept.
  static func path(for options: Options) -> String? {
    path(for: options, variable: getenv("STATE_DIRECTORY").map { String(cString: $0) })
  }

  /// As above, with the variable's value: folders separated by colons, of which the first counts (systemd.exec(5)).
  static func path(for options: Options, variable: String?) -> String? {
    if let folder = options.stateFolder { return folder }
    let folders = variable?.split(separator: ":", omittingEmptySubsequences: false)
    return folders?.first.flatMap { $0.isEmpty ? nil : String($0) }
  }
}
