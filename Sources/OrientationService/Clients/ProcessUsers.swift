// SPDX-License-Identifier: Apache-2.0

// The kernel says which process has connected to a local socket, but in a service with PrivateUsers=yes it says the user only of root and
// of the service itself; all others are one overflow user. logind knows the user of every process in a session, by its control group,
// which the process cannot leave.

import Systemd

extension Connection {
  /// Asks logind for the user of a process.
  ///
  /// - Parameters:
  ///   - process: the process.
  ///   - handler: called once, within two seconds; with `unknown` if the process is in no session, or there is no logind.
  /// - Returns: the slot; destroying it cancels the question.
  /// - Throws: `BusError` if the connection is closed.
  func askUser(
    ofProcess process: Int32, _ handler: @escaping (ConnectionUser) -> Void
  ) throws(BusError) -> Slot {
    let question = try bus.methodCall(
      destination: Logind.service, path: "/org/freedesktop/login1",
      interface: "org.freedesktop.login1.Manager",
      member: "GetUserByPID")
    try question.append(UInt32(bitPattern: process))
    try question.forbidAutoStart()
    return try bus.callAsync(question, timeoutSeconds: 2) { [unowned(unsafe) self] reply in
      handler(user(in: reply))
    }
  }

  private func user(in reply: borrowing Message) -> ConnectionUser {
    let folder = "/org/freedesktop/login1/user/_"
    guard !reply.isMethodError, logind.hasSent(reply), let path = try? reply.readObjectPath(),
      path.hasPrefix(folder), let user = UInt32(path.dropFirst(folder.utf8.count))
    else { return .unknown }
    return .user(user)
  }
}
