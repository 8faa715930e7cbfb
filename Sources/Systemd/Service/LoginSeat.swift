// SPDX-License-Identifier: Apache-2.0

import CLinux
import CSystemd

/// What logind has recorded of a seat (`sd_seat_get_active`).
package enum LoginSeat {
  /// The user of the active session on a seat, who sees its screen.
  ///
  /// It reads a file below /run, and waits for no other process.
  ///
  /// - Parameter seat: Such as `seat0`.
  /// - Returns: The user; nil if no user is logged in there, or if logind does not run.
  package static func activeUser(of seat: String) -> UInt32? {
    var session: UnsafeMutablePointer<CChar>?
    var user: uid_t = 0
    let result = sd_seat_get_active(seat, &session, &user)
    free(session)
    return result < 0 ? nil : user
  }
}
