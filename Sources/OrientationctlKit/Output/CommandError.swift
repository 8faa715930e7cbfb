// SPDX-License-Identifier: Apache-2.0

import Systemd

/// Why a command failed, for the person who gave it: what is wrong, and what to do.
///
/// Its lines are our own: what others say within them is made `printable` where it comes in.
struct CommandError: Error, Equatable, CustomStringConvertible {
  let description: String

  init(_ description: String) {
    self.description = description.printableLines
  }
}
