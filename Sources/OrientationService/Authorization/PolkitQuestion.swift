// SPDX-License-Identifier: Apache-2.0

// polkit's D-Bus interface, as far as it is used here:
// https://polkit.pages.freedesktop.org/polkit/eggdbus-interface-org.freedesktop.PolicyKit1.Authority.html

import Systemd

/// polkit on the bus.
enum Polkit {
  /// Its bus name.
  static let service = "org.freedesktop.PolicyKit1"
  /// Its object.
  static let path = "/org/freedesktop/PolicyKit1/Authority"
  /// The interface of that.
  static let interface = "org.freedesktop.PolicyKit1.Authority"
}

/// Whether the user may be asked to authenticate.
enum Interaction {
  /// The caller allows it.
  case allowed
  /// The caller does not allow it.
  case notAllowed
  /// The caller allows it, but too many calls that may ask the user wait already.
  case quotaExceeded
}

/// Who wants to do something.
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

extension Bus {
  /// Makes the call that asks polkit whether somebody may do something.
  ///
  /// - Parameters:
  ///   - subject: who.
  ///   - action: the action.
  ///   - interaction: whether the user may be asked, for whom the answer then waits.
  ///   - cancellation: identifies the question for `polkitCancellation(of:)`; unique among those that wait.
  /// - Returns: the call, to be sent.
  /// - Throws: `BusError` if the connection is closed.
  func polkitQuestion(
    subject: PolkitSubject, action: AuthorizedAction, interaction: Interaction, cancellation: String
  ) throws(BusError) -> Message {
    let question = try polkitCall("CheckAuthorization")
    try question.append(subject)
    try question.append(action.rawValue)
    try question.append(.array, "{ss}") { _ in }
    // AllowUserInteraction, the only flag.
    try question.append(interaction == .allowed ? 1 : 0 as UInt32)
    try question.append(cancellation)
    return question
  }

  /// Makes the call that cancels a question.
  func polkitCancellation(of cancellation: String) throws(BusError) -> Message {
    let call = try polkitCall("CancelCheckAuthorization")
    try call.append(cancellation)
    // If polkit has ended meanwhile, there is no question to cancel.
    try call.forbidAutoStart()
    return call
  }

  private func polkitCall(_ member: String) throws(BusError) -> Message {
    try methodCall(
      destination: Polkit.service, path: Polkit.path, interface: Polkit.interface, member: member)
  }
}

extension Message {
  fileprivate borrowing func append(_ subject: PolkitSubject) throws(BusError) {
    try append(.structure, "sa{sv}") { fields throws(BusError) in
      switch subject {
      case .client(let name):
        try fields.append("system-bus-name")
        try fields.append(.array, "{sv}") { details throws(BusError) in
          try details.append("name", "s") { value throws(BusError) in try value.append(name) }
        }
      case .process(let process, let user):
        try fields.append("unix-process")
        try fields.append(.array, "{sv}") { details throws(BusError) in
          try details.append("pid", "u") { value throws(BusError) in
            try value.append(UInt32(bitPattern: process))
          }
          // 0: polkit reads it. The service does not see other processes.
          try details.append("start-time", "t") { value throws(BusError) in try value.append(0 as UInt64) }
          try details.append("uid", "i") { value throws(BusError) in try value.append(Int32(bitPattern: user))
          }
        }
      }
    }
  }

  private borrowing func append(
    _ name: String, _ type: String, _ value: (borrowing Message) throws(BusError) -> Void
  ) throws(BusError) {
    try append(.dictionaryEntry, "sv") { entry throws(BusError) in
      try entry.append(name)
      try entry.append(.variant, type, value)
    }
  }
}
