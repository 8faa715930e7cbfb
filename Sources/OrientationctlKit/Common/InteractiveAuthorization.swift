// SPDX-License-Identifier: Apache-2.0

import Glibc
import OrientationClient

extension DaemonCall.Authorization {
  /// The paragraph on permissions in the help texts of the commands that need one.
  static let help = """
    Programs of a session on the device itself may do this. Other programs, such as those of a session over ssh, may do \
    so after the user has authenticated; the user is asked if the standard input is a terminal.
    """

  /// The user is asked if the standard input is a terminal.
  static var ofTerminal: DaemonCall.Authorization { isatty(STDIN_FILENO) != 0 ? .interactive : .silent }
}
