// SPDX-License-Identifier: Apache-2.0

// A Message is a counted reference to an sd_bus_message. Appending and reading move a cursor in that shared object, not in
// the Swift value, which is why both work on a borrowed value.

import CLinux
import CSystemd

/// A D-Bus message (`sd_bus_message`), to be filled in and sent, or received and to be read.
public struct Message: ~Copyable {
  let handle: OpaquePointer

  /// Takes ownership of a reference.
  init(adopting handle: OpaquePointer) { self.handle = handle }

  /// Adds a reference.
  init(retaining handle: OpaquePointer) {
    sd_bus_message_ref(handle)
    self.handle = handle
  }

  deinit { sd_bus_message_unref(handle) }

  /// Another reference to the same message, to keep for a later reply.
  package func retained() -> Message { Message(retaining: handle) }

  /// A copy of this method call with what is needed to answer it: the known header fields and the arguments.
  ///
  /// A bus may pass on unknown header fields of up to 64 MB (dbus-broker 33 does), which stay in memory with the message. So a
  /// call that waits for its answer is kept as a copy without them.
  ///
  /// - Returns: The copy, to be read from the first argument on, and to be replied to.
  /// - Throws: `BusError` if the message is no received method call.
  package func compact() throws(BusError) -> Message {
    let copy = Message(
      adopting: try BusError.create("sd_bus_message_new_method_call") {
        sd_bus_message_new_method_call(
          sd_bus_message_get_bus(handle), &$0, sd_bus_message_get_destination(handle),
          sd_bus_message_get_path(handle), sd_bus_message_get_interface(handle),
          sd_bus_message_get_member(handle))
      })
    try BusError.check(
      sd_bus_message_set_sender(copy.handle, sd_bus_message_get_sender(handle)), "sd_bus_message_set_sender")
    try BusError.check(
      sd_bus_message_set_expect_reply(copy.handle, expectsReply ? 1 : 0), "sd_bus_message_set_expect_reply")
    if allowsInteractiveAuthorization { try copy.allowInteractiveAuthorization() }
    try rewind()
    try BusError.check(sd_bus_message_copy(copy.handle, handle, 1), "sd_bus_message_copy")
    var cookie: UInt64 = 0
    try BusError.check(sd_bus_message_get_cookie(handle, &cookie), "sd_bus_message_get_cookie")
    try BusError.check(sd_bus_message_seal(copy.handle, cookie, 0), "sd_bus_message_seal")
    try copy.rewind()
    return copy
  }

  /// The unique name of the sender; nil for a message not sent yet.
  package var sender: String? { string(sd_bus_message_get_sender(handle)) }
  /// Whether the bus itself has sent it: a bus gives its own name to no connection.
  package var isFromBus: Bool {
    guard let sender = sd_bus_message_get_sender(handle) else { return false }
    return strcmp(sender, "org.freedesktop.DBus") == 0
  }
  /// Whether another connection has sent it, and not the bus, nor libsystemd, which makes an error reply for a call that is not
  /// answered in time.
  package var isFromConnection: Bool {
    guard let sender = sd_bus_message_get_sender(handle) else { return false }
    return sender.pointee == CChar(bitPattern: UInt8(ascii: ":"))
  }
  /// The bus name of the receiver.
  package var destination: String? { string(sd_bus_message_get_destination(handle)) }

  /// Whether this is an error reply.
  package var isMethodError: Bool { sd_bus_message_is_method_error(handle, nil) > 0 }

  /// The error that an error reply carries; nil for every other message.
  package var error: BusError? {
    guard let error = sd_bus_message_get_error(handle), let name = error.pointee.name else { return nil }
    return BusError(name: String(cString: name), message: string(error.pointee.message) ?? "")
  }

  /// Whether the caller waits for an answer.
  package var expectsReply: Bool { sd_bus_message_get_expect_reply(handle) > 0 }

  /// Whether the caller allows asking the user to authenticate.
  package var allowsInteractiveAuthorization: Bool {
    sd_bus_message_get_allow_interactive_authorization(handle) > 0
  }

  /// Lets the callee of this method call ask the user to authenticate.
  ///
  /// - Throws: `BusError` if the message is no method call or has been sent.
  package func allowInteractiveAuthorization() throws(BusError) {
    try BusError.check(
      sd_bus_message_set_allow_interactive_authorization(handle, 1),
      "sd_bus_message_set_allow_interactive_authorization")
  }

  /// Forbids the bus to start the destination for this method call.
  ///
  /// - Throws: `BusError` if the message has been sent.
  package func forbidAutoStart() throws(BusError) {
    try BusError.check(sd_bus_message_set_auto_start(handle, 0), "sd_bus_message_set_auto_start")
  }

  /// A reply to this method call, to be filled in and sent.
  ///
  /// - Returns: The reply, empty so far.
  /// - Throws: `BusError` if the message is no received method call.
  package func reply() throws(BusError) -> Message {
    Message(
      adopting: try BusError.create("sd_bus_message_new_method_return") {
        sd_bus_message_new_method_return(handle, &$0)
      })
  }

  /// Answers this method call with an error.
  ///
  /// - Parameter error: What the caller gets.
  /// - Throws: `BusError` if the message is no received method call, or the connection is closed.
  package func reply(_ error: BusError) throws(BusError) {
    var raw = sd_bus_error()
    _ = error.store(in: &raw)
    defer { sd_bus_error_free(&raw) }
    let answer = try BusError.create("sd_bus_message_new_method_error") {
      sd_bus_message_new_method_error(handle, &$0, &raw)
    }
    try Message(adopting: answer).send()
  }

  /// Sends the message over the bus that it was made for.
  ///
  /// - Throws: `BusError` if the connection is closed.
  package func send() throws(BusError) {
    try BusError.check(sd_bus_send(nil, handle, nil), "sd_bus_send")
  }

  private func string(_ characters: UnsafePointer<CChar>?) -> String? {
    characters.map { String(cString: $0) }
  }
}
