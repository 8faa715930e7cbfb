// SPDX-License-Identifier: Apache-2.0

import CLinux
import Systemd

/// The process at the other end of a connection to a local socket.
struct PacketPeer: ~Copyable {
  /// Its id, as this process sees it; 0 if it is in a namespace that this process does not see.
  let process: Int32
  /// Its user when it connected.
  ///
  /// In a service with `PrivateUsers=yes`, all users except root and its own are the overflow user.
  let user: UInt32
  /// Can be read once the process has ended; negative if the kernel has no such descriptor.
  private let descriptor: OwnedFileDescriptor

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
    self.user = user
    descriptor = OwnedFileDescriptor(
      adopting: process > 0 ? peerDescriptor(connection, process: process) : -1)
  }

  /// Whether the process has not ended; if it has, its id may be another one's.
  borrowing func isAlive() -> Bool {
    var request = pollfd(fd: descriptor.number, events: Int16(POLLIN), revents: 0)
    return descriptor.number >= 0 && poll(&request, 1, 0) == 0
  }
}
