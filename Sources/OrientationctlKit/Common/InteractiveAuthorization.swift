// SPDX-License-Identifier: Apache-2.0

import Glibc
import Systemd

/// Whether polkit may ask the user to authenticate, and how long a call may take then.
///
/// It may if the standard input is a terminal.
struct InteractiveAuthorization {
  /// The paragraph on permissions in the help texts of the commands that need one.
  static let help = """
    Programs of a session on the device itself may do this. Other programs, such as those of a session over ssh, may do \
    so after the user has authenticated; the user is asked if the standard input is a terminal.
    """

  private let isAllowed = isatty(STDIN_FILENO) != 0

  /// How long to wait for the answer to a call, in seconds; nil is D-Bus's usual time.
  ///
  /// The daemon answers with an error after 120 s.
  var timeoutSeconds: Double? { isAllowed ? 125 : nil }

  /// Sets in a call whether polkit may ask the user because of it.
  func apply(to call: borrowing Message) throws(BusError) {
    if isAllowed { try call.allowInteractiveAuthorization() }
  }
}
