// SPDX-License-Identifier: Apache-2.0

import Systemd

/// Why a command failed, for the user: what is wrong, and what to do.
///
/// The line breaks in it are kept. So names from outside must be made `printable` before they are put into it.
struct CommandError: Error, Equatable, CustomStringConvertible {
  let description: String

  init(_ description: String) {
    self.description = description.printableLines
  }
}
