// SPDX-License-Identifier: Apache-2.0

import CLinux
import CSystemd

// Making, sending and awaiting messages.
extension Bus {
  /// Makes a signal, to be filled in and sent.
  ///
  /// - Parameters:
  ///   - path: The object that signals.
  ///   - interface: The interface that the signal is of.
  ///   - member: The name of the signal.
  ///   - destination: The unique name of the only receiver; nil means all connections that listen.
  /// - Returns: The message, empty so far.
  /// - Throws: `BusError`: InvalidArgs for a malformed name, or the connection is closed.
  package func signal(
    path: String, interface: String, member: String, to destination: String? = nil
  ) throws(BusError) -> Message {
    let signal = Message(
      adopting: try BusError.create("sd_bus_message_new_signal") {
        sd_bus_message_new_signal(handle, &$0, path, interface, member)
      })
    if let destination {
      try BusError.check(
        sd_bus_message_set_destination(signal.handle, destination), "sd_bus_message_set_destination")
    }
    return signal
  }

  /// Makes a method call, to be filled in and given to `call` or `callAsync`.
  ///
  /// - Parameters:
  ///   - destination: The bus name of the callee.
  ///   - path: The object.
  ///   - interface: The interface that the method is of.
  ///   - member: The name of the method.
  /// - Returns: The message, empty so far.
  /// - Throws: `BusError`: InvalidArgs for a malformed name, or the connection is closed.
  package func methodCall(
    destination: String, path: String, interface: String, member: String
  ) throws(BusError) -> Message {
    Message(
      adopting: try BusError.create("sd_bus_message_new_method_call") {
        sd_bus_message_new_method_call(handle, &$0, destination, path, interface, member)
      })
  }

  /// Sends a message, and does not wait for an answer.
  ///
  /// - Parameter message: Cannot be changed any more afterwards.
  /// - Throws: `BusError` if the connection is closed.
  package func send(_ message: borrowing Message) throws(BusError) {
    try BusError.check(sd_bus_send(handle, message.handle, nil), "sd_bus_send")
  }

  /// Sends a method call and waits for the answer, with nothing else done meanwhile.
  ///
  /// - Parameters:
  ///   - message: A method call.
  ///   - timeoutSeconds: How long to wait; nil is D-Bus's customary 25 s.
  /// - Returns: The answer.
  /// - Throws: `BusError`: the error that was received, or NoReply or Timeout if no answer came.
  package func call(
    _ message: borrowing Message, timeoutSeconds: Double? = nil
  ) throws(BusError) -> Message {
    var error = sd_bus_error()
    defer { sd_bus_error_free(&error) }
    var reply: OpaquePointer?
    let timeout = timeoutSeconds.map(microseconds) ?? 0
    let result = sd_bus_call(handle, message.handle, timeout, &error, &reply)
    guard result >= 0, let reply else { throw BusError(error, code: -result, operation: "sd_bus_call") }
    return Message(adopting: reply)
  }

  /// Sends a method call and has the loop await the answer.
  ///
  /// - Parameters:
  ///   - message: A method call.
  ///   - timeoutSeconds: How long to wait; nil is D-Bus's customary 25 s.
  ///   - handler: Called once with the answer, which may be an error (`Message.error`): one that was
  ///     received, or sd-bus's own if none came in time or the connection was closed.
  /// - Returns: The slot. Destroying it ignores the answer; `detach()` keeps the handler without the slot.
  /// - Throws: `BusError` if the connection is closed.
  package func callAsync(
    _ message: borrowing Message, timeoutSeconds: Double? = nil,
    reply handler: @escaping (borrowing Message) -> Void
  ) throws(BusError) -> Slot {
    let timeout = timeoutSeconds.map(microseconds) ?? 0
    let (bus, call) = (handle, message.handle)
    return try Slot("sd_bus_call_async", handler: handler) {
      sd_bus_call_async(bus, &$0, call, $1, $2, timeout)
    }
  }

  /// Calls a handler for each message that a rule matches.
  ///
  /// Waits for the bus to accept the rule.
  ///
  /// - Parameters:
  ///   - rule: Such as `type='signal',interface='org.example.Interface'`.
  ///   - handler: Called for each message.
  /// - Returns: The slot, which owns the handler.
  /// - Throws: `BusError`: MatchRuleInvalid or InvalidArgs for a malformed rule, or the connection is closed.
  package func match(
    _ rule: String, _ handler: @escaping (borrowing Message) -> Void
  ) throws(BusError) -> Slot {
    let bus = handle
    return try Slot("sd_bus_add_match", handler: handler) { sd_bus_add_match(bus, &$0, rule, $1, $2) }
  }

  /// Signals that properties of a registered object have changed.
  ///
  /// Their values come from their getters.
  ///
  /// - Parameters:
  ///   - path: The object.
  ///   - interface: The interface that the properties are of.
  ///   - names: The properties; if there are none, nothing is signalled.
  /// - Throws: `BusError`: what a getter threw, UnknownObject, or the connection is closed.
  package func emitPropertiesChanged(
    path: String, interface: String, names: [String]
  ) throws(BusError) {
    guard !names.isEmpty else { return }
    var list: [UnsafeMutablePointer<CChar>?] = names.map { strdup($0) }
    defer { for name in list { free(name) } }
    list.append(nil)
    try BusError.check(
      sd_bus_emit_properties_changed_strv(handle, path, interface, &list),
      "sd_bus_emit_properties_changed_strv")
  }
}
