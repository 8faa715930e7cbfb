// SPDX-License-Identifier: Apache-2.0

import CLinux
import CSystemd

/// What logind has written down of a seat (`sd_seat_get_active`).
public enum LoginSeat {
  /// The user of the session that is active on a seat: who sees its screen.
  ///
  /// Reads a file below /run; nobody is asked.
  ///
  /// - Parameter seat: Such as `seat0`.
  /// - Returns: The user; nil where nobody has logged in, and where there is no logind.
  public static func activeUser(of seat: String) -> UInt32? {
    var session: UnsafeMutablePointer<CChar>?
    var user: uid_t = 0
    let result = sd_seat_get_active(seat, &session, &user)
    free(session)
    return result < 0 ? nil : user
  }
}
