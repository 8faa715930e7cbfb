// SPDX-License-Identifier: Apache-2.0

import Systemd

/// Why a command failed, for the user: what is wrong, and what to do.
///
/// The line breaks in it are kept. So names from outside must be made `printable` before they are put into it.
struct CommandError: Error, Equatable, CustomStringConvertible {
  let description: String
  /// The exit status for this process.
  let exitStatus: CInt

  init(_ description: String, exitStatus: CInt = 1) {
    self.description = description.printableLines
    self.exitStatus = exitStatus
  }
}
