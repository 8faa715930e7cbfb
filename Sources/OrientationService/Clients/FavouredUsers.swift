// SPDX-License-Identifier: Apache-2.0

import Systemd

/// Whom others must not lock out: root, and who sits before the screen.
enum FavouredUsers {
  /// The seat of the machine's own screen (sd-login(3)): tablets have one.
  private static let seat = "seat0"

  /// Who they are now.
  static func now() -> [ConnectionUser] {
    guard let user = LoginSeat.activeUser(of: seat), user != 0 else { return [.user(0)] }
    return [.user(0), .user(user)]
  }
}
