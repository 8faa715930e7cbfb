// SPDX-License-Identifier: Apache-2.0

// A match rule names a service by its well-known name, but libsystemd lets a message from anybody pass for it, where it was sent to
// this connection alone (the class of CVE-2024-34397). What says who a service is is the unique name of its connection, as the bus
// told it.

import CSystemd

/// Who has a well-known name on a bus.
public final class NameOwner {
  /// The unique name of who has it; nil where nobody does.
  public private(set) var uniqueName: String?

  private let name: String
  private let bus: OpaquePointer
  private let whenChanged: () -> Void
  private var slot: Slot?
  private var question: Slot?

  /// Follows a name.
  ///
  /// Waits for the bus to say who has it now; nobody is started for that.
  ///
  /// - Parameters:
  ///   - name: Such as `org.freedesktop.login1`.
  ///   - bus: The bus; it must outlive this.
  ///   - whenChanged: Called when another connection has the name, or nobody any more.
  /// - Throws: `BusError`, where the connection is gone.
  public init(
    of name: String, on bus: borrowing Bus, whenChanged: @escaping () -> Void = {}
  ) throws(BusError) {
    self.name = name
    self.bus = bus.handle
    self.whenChanged = whenChanged
    slot = try bus.matchSignalOfBus("NameOwnerChanged", where: ",arg0='\(name)'") {
      [unowned(unsafe) self] signal in changed(signal)
    }
    uniqueName = try bus.owner(of: name)
  }

  /// Whether the owner of the name has sent a message, and nobody else.
  ///
  /// The bus may have dropped its word of another owner, for a connection that has too much to read. So where another has sent
  /// the message, this is a no, and the bus is asked who has the name.
  public func hasSent(_ message: borrowing Message) -> Bool {
    if let uniqueName, let sender = message.sender, sender == uniqueName { return true }
    if message.isFromConnection { askAgain() }
    return false
  }

  private func askAgain() {
    guard question == nil else { return }
    // Where the bus is gone, so are all that it could tell of.
    question = try? Slot(
      "sd_bus_call_method_async", handler: { [unowned(unsafe) self] reply in answered(reply) },
      make: { slot, handler, userdata in
        var message: OpaquePointer?
        let made = sd_bus_message_new_method_call(
          bus, &message, "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus",
          "GetNameOwner")
        defer { sd_bus_message_unref(message) }
        guard made >= 0 else { return made }
        let appended = name.withCString {
          sd_bus_message_append_basic(message, CChar(SD_BUS_TYPE_STRING), $0)
        }
        guard appended >= 0 else { return appended }
        return sd_bus_call_async(bus, &slot, message, handler, userdata, 0)
      })
  }

  private func answered(_ reply: borrowing Message) {
    question = nil
    guard reply.isFromBus else { return }
    become(reply.isMethodError ? nil : try? reply.readString())
  }

  private func changed(_ signal: borrowing Message) {
    do throws(BusError) {
      try signal.skip("ss")
      let owner = try signal.readString()
      become(owner.isEmpty ? nil : owner)
    } catch {}  // the bus says nothing of another shape
  }

  private func become(_ owner: String?) {
    guard owner != uniqueName else { return }
    uniqueName = owner
    whenChanged()
  }
}
