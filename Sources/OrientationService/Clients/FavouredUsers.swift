// SPDX-License-Identifier: Apache-2.0

import Systemd

/// The users whom others must not lock out: root, and the user of the session on the screen.
enum FavouredUsers {
  /// The seat of the machine's own screen (sd-login(3)): tablets have one.
  private static let seat = "seat0"

  /// Those users now.
  static func now() -> [ConnectionUser] {
    guard let user = LoginSeat.activeUser(of: seat), user != 0 else { return [.user(0)] }
    return [.user(0), .user(user)]
  }
}
