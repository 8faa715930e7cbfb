// SPDX-License-Identifier: Apache-2.0

internal import Orientation
internal import Systemd

/// A call of a method of the daemon, which can be sent to the thread of the bus.
struct DaemonCall: Sendable {
  /// An argument.
  enum Argument: Sendable {
    case bool(Bool)
    case uint32(UInt32)
    case string(String)
  }

  /// Who is asked if polkit demands it.
  enum Authorization: Sendable {
    /// Nobody: the call fails instead. For what an app does by itself.
    case silent
    /// Nobody, and there is no time limit: a daemon that hangs carries out the call later.
    case silentWithoutLimit
    /// The user, who has caused the call.
    case interactive

    /// How long to wait for the answer, in seconds; nil is D-Bus's usual 25 s.
    ///
    /// Polkit's agent gives a user two minutes.
    fileprivate var timeoutSeconds: Double? {
      switch self {
      case .silent: nil
      case .silentWithoutLimit: .infinity
      case .interactive: 125
      }
    }
  }

  let member: String
  let interface: String
  var arguments: [Argument] = []
  var authorization = Authorization.silent

  /// A call of the Device interface, by the library itself.
  static func device(_ member: String) -> DaemonCall {
    DaemonCall(member: member, interface: DBusNames.deviceInterface, authorization: .silentWithoutLimit)
  }

  /// A call of the Screen interface.
  static func screen(
    _ member: String, _ arguments: Argument..., authorization: Authorization = .silent
  ) -> DaemonCall {
    DaemonCall(
      member: member, interface: DBusNames.screenInterface, arguments: arguments, authorization: authorization
    )
  }

  /// Sends it.
  ///
  /// - Parameters:
  ///   - bus: the connection.
  ///   - destination: the bus starts a daemon that does not run only for the well-known name.
  ///   - answered: receives the answer, which may be an error.
  /// - Throws: `BusError` if the connection has ended.
  func send(
    on bus: borrowing Bus, to destination: String = DBusNames.service,
    answered: @escaping (borrowing Message) -> Void
  ) throws(BusError) {
    let call = try bus.daemonCall(member, of: interface, to: destination)
    for argument in arguments {
      switch argument {
      case .bool(let value): try call.append(value)
      case .uint32(let value): try call.append(value)
      case .string(let value):
        // In C, the text would end there.
        guard !value.utf8.contains(0) else {
          throw BusError(name: BusError.Name.invalidArguments, message: "a text contains a null character")
        }
        try call.append(value)
      }
    }
    if authorization == .interactive { try call.allowInteractiveAuthorization() }
    try bus.callAsync(call, timeoutSeconds: authorization.timeoutSeconds, reply: answered).detach()
  }
}
