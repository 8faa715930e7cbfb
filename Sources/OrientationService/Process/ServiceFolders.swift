// SPDX-License-Identifier: Apache-2.0

import CLinux

/// Decides where the state is kept.
enum StateDirectory {
  /// The folder of `--state`, else the service manager's `STATE_DIRECTORY`; nil if the state is not kept.
  static func path(for options: Options) -> String? {
    path(for: options, variable: getenv("STATE_DIRECTORY").map { String(cString: $0) })
  }

  /// As above, with the variable's value.
  static func path(for options: Options, variable: String?) -> String? {
    options.stateFolder ?? firstFolder(of: variable)
  }
}

/// Where that is kept which a restart must not lose, but the shutdown of the machine ends.
enum RuntimeFolder {
  /// The service manager's `RUNTIME_DIRECTORY`; nil without one.
  static var path: String? { firstFolder(of: getenv("RUNTIME_DIRECTORY").map { String(cString: $0) }) }
}

/// The first of the folders in a variable of the service manager, which are separated by colons (systemd.exec(5)).
private func firstFolder(of variable: String?) -> String? {
  let folders = variable?.split(separator: ":", omittingEmptySubsequences: false)
  return folders?.first.flatMap { $0.isEmpty ? nil : String($0) }
}
