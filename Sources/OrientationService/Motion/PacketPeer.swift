// SPDX-License-Identifier: Apache-2.0

import CLinux
import Systemd

/// The process at the other end of a connection to a local socket.
///
/// Its number alone is no identity: the process that has connected may have ended, and another one has got its number. From Linux 6.5 on,
/// the kernel gives a descriptor of the very process. Before, there is only one of the process that has the number now, and that may be
/// any: whoever starts processes until the number comes round can choose. But the kernel also knows the user of the connection, which
/// stays. So there a process counts only if it belongs to that user, who can then pass off one of his programs as another one of his, and
/// gains nothing.
struct PacketPeer: ~Copyable {
  /// Its id, as this process sees it; 0 if it is in a namespace that this process does not see.
  let process: Int32
  /// Its user when it connected, unless `PrivateUsers=yes` hides that, which it does for all but root and the service's own.
  let user: ConnectionUser
  /// Whether the kernel has named the process itself, not only its number.
  let isCertain: Bool
  /// Can be read once the process has ended; negative if the kernel has no such descriptor.
  private let descriptor: OwnedFileDescriptor

  /// What stands for users outside of this process's user namespace (the default of /proc/sys/kernel/overflowuid).
  private static let overflowUser: UInt32 = 65534

  /// Finds out who has connected.
  ///
  /// - Parameter connection: the descriptor of the connection.
  /// - Throws: `SystemdError` if it is not a local socket.
  init(of connection: CInt) throws(SystemdError) {
    var (process, user): (pid_t, uid_t) = (0, 0)
    guard readPeer(connection, process: &process, user: &user) == 0 else {
      throw SystemdError(code: errno, operation: "SO_PEERCRED")
    }
    self.process = process
    self.user = user == Self.overflowUser ? .unknown : .user(user)
    var peer: CInt = process > 0 ? peerDescriptor(connection) : -1
    // Linux 6.5 to 6.15 fail for a process that has ended.
    isCertain = peer >= 0 || (process > 0 && errno != ENOPROTOOPT)
    if process > 0, !isCertain { peer = processDescriptor(process) }
    descriptor = OwnedFileDescriptor(adopting: peer)
  }

  /// Whether the process has not ended; if it has, its id may be another one's.
  borrowing func isAlive() -> Bool {
    var request = pollfd(fd: descriptor.number, events: Int16(POLLIN), revents: 0)
    return descriptor.number >= 0 && poll(&request, 1, 0) == 0
  }

  /// Whether the process, of which somebody has said that it belongs to a user, is the one that has connected, or at least of the same
  /// user.
  ///
  /// - Parameters:
  ///   - user: whose process it is.
  ///   - connection: the descriptor of the connection.
  ///   - diagnostics: a socket of the kernel's socket diagnostics that was opened where all users are seen; negative if there is none.
  /// - Returns: also false if the process has ended.
  borrowing func hasConnected(of user: ConnectionUser, over connection: CInt, diagnostics: CInt) -> Bool {
    guard isAlive() else { return false }
    guard !isCertain else { return true }
    guard self.user == .unknown else { return self.user == user }
    var owner = uid_t()
    return readPeerOwner(connection, diagnostics: diagnostics, user: &owner) == 0 && user == .user(owner)
  }
}
