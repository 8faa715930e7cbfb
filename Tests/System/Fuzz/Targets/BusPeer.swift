// SPDX-License-Identifier: Apache-2.0

// Plays the bus: the other end of the service's connection, in the same thread but for the handshake, during which the
// service waits. So each step of an input has had all its consequences before the next one.

import CLinux
import CSystemd

/// What the service's connection leads to.
final class BusPeer {
  /// The service's questions to others that were not answered yet: to the bus, polkit and logind.
  private(set) var questions: [OpaquePointer] = []
  /// The calls to the service, by their serial numbers: whether each may be answered still.
  private var calls: [UInt64: Bool] = [:]
  /// How many signals of each name the service has sent.
  private(set) var signals: [String: Int] = [:]
  /// What the service did that it must not do.
  private(set) var violation: String?
  fileprivate(set) var bus: OpaquePointer?
  private let handshake: Handshake
  private let listener: CInt

  /// Waits for the service, which connects in the meantime.
  init(listeningOn listener: CInt) {
    self.listener = listener
    handshake = Handshake(listener)
    handshake.begin()
  }

  /// Takes the connection over from the handshake.
  func takeOver() {
    bus = handshake.end()
    for message in handshake.messages { take(message) }
  }

  deinit {
    refuseOthers()
    for question in questions { sd_bus_message_unref(question) }
    sd_bus_close_unref(bus)
  }

  /// Notes what the service did that it must not do.
  func note(_ violation: String) { self.violation = self.violation ?? violation }

  /// Reads what the service has sent; false where that was nothing.
  func process() -> Bool {
    var isProgress = refuseOthers()
    while true {
      var message: OpaquePointer?
      guard sd_bus_process(bus, &message) > 0 else { return isProgress }
      isProgress = true
      if let message { take(message) }
    }
  }

  /// Ends the service's other connections, as it has one for each question that is answered by a descriptor.
  @discardableResult
  private func refuseOthers() -> Bool {
    var isProgress = false
    while true {
      var waiting = pollfd(fd: listener, events: Int16(POLLIN), revents: 0)
      guard poll(&waiting, 1, 0) > 0 else { return isProgress }
      close(accept(listener, nil, nil))
      isProgress = true
    }
  }

  private func take(_ message: OpaquePointer) {
    var type: UInt8 = 0
    sd_bus_message_get_type(message, &type)
    switch Int(type) {
    case Int(SD_BUS_MESSAGE_METHOD_CALL):
      if sd_bus_message_get_expect_reply(message) > 0, !BusPeer.answerAsBus(message) {
        return questions.append(message)
      }
    case Int(SD_BUS_MESSAGE_SIGNAL):
      signals[sd_bus_message_get_member(message).map { String(cString: $0) } ?? "", default: 0] += 1
    default:
      var cookie: UInt64 = 0
      sd_bus_message_get_reply_cookie(message, &cookie)
      if calls.updateValue(false, forKey: cookie) != true {
        violation = "call \(cookie) is answered unasked or twice"
      }
    }
    sd_bus_message_unref(message)
  }

  /// Answers what the bus answers at once; false where the call is another.
  fileprivate static func answerAsBus(_ call: OpaquePointer) -> Bool {
    guard sd_bus_message_get_interface(call).map({ String(cString: $0) }) == "org.freedesktop.DBus" else {
      return false
    }
    let text: String?
    switch sd_bus_message_get_member(call).map({ String(cString: $0) }) {
    case "Hello": text = ":1.1"
    case "AddMatch", "RemoveMatch": text = nil
    case "GetNameOwner": text = owner(of: firstString(call))
    default: return false
    }
    var answer: OpaquePointer?
    sd_bus_message_new_method_return(call, &answer)
    if let text { sd_bus_message_append_basic(answer, CChar(SD_BUS_TYPE_STRING), text) }
    send(answer, from: "org.freedesktop.DBus")
    return true
  }

  /// The unique name of who has a name, for as long as the bus lasts: the bus itself, polkit and logind.
  static func owner(of name: String) -> String {
    switch name {
    case "org.freedesktop.PolicyKit1": ":1.8"
    case "org.freedesktop.login1": ":1.9"
    default: name
    }
  }

  private static func firstString(_ message: OpaquePointer) -> String {
    var text: UnsafePointer<CChar>?
    sd_bus_message_read_basic(message, CChar(SD_BUS_TYPE_STRING), &text)
    sd_bus_message_rewind(message, 1)
    return text.map { String(cString: $0) } ?? ""
  }

  /// Sends a message that says it is somebody's.
  @discardableResult
  private static func send(_ message: OpaquePointer?, from sender: String) -> UInt64 {
    var cookie: UInt64 = 0
    sd_bus_message_set_sender(message, sender)
    let result = sd_bus_send(nil, message, &cookie)
    sd_bus_message_unref(message)
    return result < 0 ? 0 : cookie
  }

  // MARK: What an input does

  /// How a client wants its call handled.
  struct CallFlags: OptionSet {
    let rawValue: UInt8
    static let noReply = CallFlags(rawValue: 1)
    static let interactive = CallFlags(rawValue: 2)
  }

  /// Calls the service; zero where there is no such name.
  ///
  /// - Returns: the number by which ``isWaiting(_:)`` knows the call.
  func call(
    _ member: String, of interface: String, at path: String = "/org/orientationd1", from client: String,
    flags: CallFlags, _ arguments: (OpaquePointer) -> Void
  ) -> UInt64 {
    var message: OpaquePointer?
    guard sd_bus_message_new_method_call(bus, &message, ":1.1", path, interface, member) >= 0, let message
    else {
      return 0
    }
    arguments(message)
    if flags.contains(.noReply) { sd_bus_message_set_expect_reply(message, 0) }
    if flags.contains(.interactive) { sd_bus_message_set_allow_interactive_authorization(message, 1) }
    let cookie = Self.send(message, from: client)
    if cookie != 0, !flags.contains(.noReply) { calls[cookie] = true }
    return cookie
  }

  /// Whether a call was not answered yet.
  func isWaiting(_ call: UInt64) -> Bool { calls[call] == true }

  /// Signals something to the service.
  func signal(
    _ member: String, of interface: String, at path: String, from sender: String,
    _ arguments: (OpaquePointer) -> Void
  ) {
    var message: OpaquePointer?
    guard sd_bus_message_new_signal(bus, &message, path, interface, member) >= 0, let message else { return }
    arguments(message)
    Self.send(message, from: sender)
  }

  /// Answers a question, with arguments or, where an error is given, with that; as who was asked, or as another.
  func answer(
    _ index: Int, error: String?, from sender: String? = nil,
    _ arguments: (OpaquePointer, _ member: String) -> Void
  ) {
    guard questions.indices.contains(index) else { return }
    let question = questions.remove(at: index)
    defer { sd_bus_message_unref(question) }
    var answer: OpaquePointer?
    if let error {
      var raw = sd_bus_error()
      sd_bus_error_set(&raw, error, "no")
      sd_bus_message_new_method_error(question, &answer, &raw)
      sd_bus_error_free(&raw)
    } else {
      sd_bus_message_new_method_return(question, &answer)
      guard let answer else { return }
      arguments(answer, sd_bus_message_get_member(question).map { String(cString: $0) } ?? "")
    }
    let asked = sd_bus_message_get_destination(question).map { String(cString: $0) } ?? ""
    Self.send(answer, from: sender ?? Self.owner(of: asked))
  }
}

/// The thread that lets the service connect, and register what it listens to.
private final class Handshake: @unchecked Sendable {
  private let listener: CInt
  private let isOver = eventfd(0, CInt(EFD_CLOEXEC))
  private var thread = pthread_t()
  private var bus: OpaquePointer?
  /// What the service has sent that the bus does not answer at once.
  private(set) var messages: [OpaquePointer] = []

  init(_ listener: CInt) { self.listener = listener }

  deinit { close(isOver) }

  func begin() {
    pthread_create(
      &thread, nil,
      { handshake in
        guard let handshake else { return nil }
        Unmanaged<Handshake>.fromOpaque(handshake).takeUnretainedValue().run()
        return nil
      }, Unmanaged.passUnretained(self).toOpaque())
  }

  /// Ends it; the connection is the caller's from here on.
  func end() -> OpaquePointer? {
    eventfd_write(isOver, 1)
    pthread_join(thread, nil)
    return bus
  }

  private func run() {
    let connection = accept(listener, nil, nil)
    sd_bus_new(&bus)
    sd_bus_set_fd(bus, connection, connection)
    sd_bus_set_server(bus, 1, sd_id128_t())
    sd_bus_set_anonymous(bus, 1)
    sd_bus_negotiate_fds(bus, 1)
    sd_bus_start(bus)
    while true {
      var message: OpaquePointer?
      let result = sd_bus_process(bus, &message)
      if let message {
        if BusPeer.answerAsBus(message) { sd_bus_message_unref(message) } else { messages.append(message) }
      }
      if result > 0 { continue }
      var descriptors = [
        pollfd(fd: isOver, events: Int16(POLLIN), revents: 0),
        pollfd(fd: sd_bus_get_fd(bus), events: Int16(POLLIN), revents: 0),
      ]
      poll(&descriptors, 2, -1)
      if descriptors[0].revents != 0 || result < 0 { return }
    }
  }
}
