// SPDX-License-Identifier: Apache-2.0

import Orientation
package import Systemd

/// A call of a method of the daemon, which can be sent to the thread of the bus.
package struct DaemonCall: Sendable {
  /// The interface of D-Bus itself for properties.
  static let propertiesInterface = "org.freedesktop.DBus.Properties"

  /// An argument.
  package enum Argument: Sendable {
    /// A `b`.
    case bool(Bool)
    /// A `u`.
    case uint32(UInt32)
    /// An `s`.
    case string(String)
    /// An `as`.
    case strings([String])
    /// An `a{sv}` without entries.
    case noOptions
  }

  /// Who is asked if polkit demands it.
  package enum Authorization: Sendable {
    /// Nobody: the call fails instead. For what an app does by itself.
    case silent
    /// Nobody, and there is no time limit: a daemon that hangs carries out the call later.
    case silentWithoutLimit
    /// The user, who has caused the call.
    case interactive

    /// How long to wait for the answer, in seconds; nil is D-Bus's usual 25 s.
    ///
    /// Polkit's agent gives a user two minutes, and the daemon answers after 120 s.
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

  /// A call of the Device interface.
  package static func device(_ member: String, authorization: Authorization = .silent) -> DaemonCall {
    DaemonCall(member: member, interface: DBusNames.deviceInterface, authorization: authorization)
  }

  /// A call of the Sensor interface.
  package static func sensor(
    _ member: String, _ arguments: Argument..., authorization: Authorization = .silent
  ) -> DaemonCall {
    DaemonCall(
      member: member, interface: DBusNames.sensorInterface, arguments: arguments, authorization: authorization
    )
  }

  /// A call of the Screen interface.
  package static func screen(
    _ member: String, _ arguments: Argument..., authorization: Authorization = .silent
  ) -> DaemonCall {
    DaemonCall(
      member: member, interface: DBusNames.screenInterface, arguments: arguments, authorization: authorization
    )
  }

  /// A call that reads every property of one of the daemon's interfaces.
  package static func allProperties(of interface: String) -> DaemonCall {
    DaemonCall(member: "GetAll", interface: propertiesInterface, arguments: [.string(interface)])
  }

  /// Creates the message.
  ///
  /// - Parameters:
  ///   - bus: the connection.
  ///   - destination: the bus starts a daemon that does not run only for the well-known name.
  /// - Returns: the call.
  /// - Throws: `BusError` if the connection has ended, or a text contains a null character.
  func message(
    on bus: Bus, to destination: String = DBusNames.service
  ) throws(BusError) -> Message {
    let call = try bus.methodCall(
      destination: destination, path: DBusNames.path, interface: interface, member: member)
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
      case .strings(let values): try call.append(values)
      case .noOptions: try call.append(.array, "{sv}") { _ in }
      }
    }
    if authorization == .interactive { try call.allowInteractiveAuthorization() }
    return call
  }

  /// Sends it; see ``message(on:to:)``.
  ///
  /// - Parameters:
  ///   - bus: the connection.
  ///   - destination: the bus name to call.
  ///   - answered: receives the answer, which may be an error.
  /// - Throws: `BusError` as for the message.
  func send(
    on bus: Bus, to destination: String, answered: @escaping (borrowing Message) -> Void
  ) throws(BusError) {
    try bus.callAsync(
      try message(on: bus, to: destination), timeoutSeconds: authorization.timeoutSeconds, reply: answered
    ).detach()
  }
}

extension Bus {
  /// Calls the daemon, and waits for its answer; the bus starts one if none runs.
  ///
  /// - Parameters:
  ///   - call: the call.
  ///   - seconds: how long to wait; nil is what the call's authorization takes.
  /// - Returns: the answer.
  /// - Throws: `BusError`: the error that was answered, or that there was no answer.
  package func call(_ call: DaemonCall, forSeconds seconds: Double? = nil) throws(BusError) -> Message {
    try self.call(try call.message(on: self), timeoutSeconds: seconds ?? call.authorization.timeoutSeconds)
  }
}
