// SPDX-License-Identifier: Apache-2.0

// The kernel says which process has connected to a local socket, but in a service with PrivateUsers=yes it says the user only of root and
// of the service itself; all others are one overflow user. logind knows the user of every process in a session, by its control group,
// which the process cannot leave.

import CLinux
import Systemd

/// Finds out which user a process belongs to.
final class ProcessUsers {
  /// How long logind may take, in seconds.
  private static let patienceSeconds = 2.0
  private static let userPath = "/org/freedesktop/login1/user/_"

  private let connection: Connection

  /// Creates one that asks over a connection.
  init(on connection: Connection) {
    self.connection = connection
  }

  /// Asks for the user of a process.
  ///
  /// - Parameters:
  ///   - process: the process.
  ///   - handler: called once; with `unknown` if the process is in no session, or there is no logind.
  /// - Returns: the slot; destroying it cancels the question.
  /// - Throws: `BusError` if the connection is closed.
  func find(_ process: Int32, _ handler: @escaping (ConnectionUser) -> Void) throws(BusError) -> Slot {
    let question = try connection.bus.methodCall(
      destination: Logind.service, path: "/org/freedesktop/login1",
      interface: "org.freedesktop.login1.Manager",
      member: "GetUserByPID")
    try question.append(UInt32(bitPattern: process))
    try question.forbidAutoStart()
    return try connection.bus.callAsync(question, timeoutSeconds: Self.patienceSeconds) {
      [unowned(unsafe) self] reply in handler(user(in: reply))
    }
  }

  private func user(in reply: borrowing Message) -> ConnectionUser {
    guard !reply.isMethodError, connection.logind.hasSent(reply), let path = try? reply.readObjectPath(),
      path.hasPrefix(Self.userPath), let user = UInt32(path.dropFirst(Self.userPath.utf8.count))
    else { return .unknown }
    return .user(user)
  }
}
