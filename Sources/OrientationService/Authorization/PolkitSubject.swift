// SPDX-License-Identifier: Apache-2.0

import Systemd

/// Who wants to do something, as polkit knows him.
enum PolkitSubject {
  /// A client of the bus, by the unique name of its connection.
  ///
  /// The bus never gives that to another one, and polkit looks up its process and session.
  case client(String)
  /// A process that is no client of the bus, and its user.
  ///
  /// polkit looks up its session. The user is named because it must be that of the connection: the process may execute a program that
  /// runs as root before polkit looks. Whoever asks checks afterwards that the process still runs, as another one may get its id.
  case process(Int32, user: UInt32)
}

extension Message {
  /// Appends a subject to a question.
  borrowing func append(_ subject: PolkitSubject) throws(BusError) {
    try append(.structure, "sa{sv}") { fields throws(BusError) in
      switch subject {
      case .client(let name):
        try fields.append("system-bus-name")
        try fields.append(.array, "{sv}") { details throws(BusError) in
          try details.appendEntry("name", name)
        }
      case .process(let process, let user):
        try fields.append("unix-process")
        try fields.append(.array, "{sv}") { details throws(BusError) in
          try details.appendEntry("pid", UInt32(bitPattern: process))
          // 0: polkit reads it. The service does not see other processes.
          try details.appendEntry("start-time", 0 as UInt64)
          try details.appendEntry("uid", Int32(bitPattern: user))
        }
      }
    }
  }
}
