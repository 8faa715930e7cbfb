// SPDX-License-Identifier: Apache-2.0

// A match rule can name a service by its well-known name, but libsystemd accepts a message from any other connection as a match, if
// that was sent directly to this one (as in CVE-2024-34397). Only the unique name of the owner, as the bus has it, can be trusted.

/// The owner of a well-known name on a bus.
package final class NameOwner {
  /// The unique name of the owner; nil if there is none.
  package private(set) var uniqueName: String?

  private let name: String
  private let bus: Bus
  private var handlers: [() -> Void] = []
  private var slot: Slot?
  private var question: Slot?

  /// Follows a name.
  ///
  /// Waits for the bus to answer who owns it at present; no service is started for that.
  ///
  /// - Parameters:
  ///   - name: Such as `org.freedesktop.login1`.
  ///   - bus: The bus.
  /// - Throws: `BusError` if the connection is closed.
  package init(of name: String, on bus: Bus) throws(BusError) {
    self.name = name
    self.bus = bus
    slot = try bus.matchSignalOfBus("NameOwnerChanged", where: ",arg0='\(name)'") {
      [unowned(unsafe) self] signal in changed(signal)
    }
    uniqueName = try bus.owner(of: name)
  }

  /// Calls a handler, from here on, when the name has another owner, or none any more.
  package func whenChanged(_ handler: @escaping () -> Void) { handlers.append(handler) }

  /// Whether the owner of the name has sent a message.
  ///
  /// The bus may have dropped the signal of a new owner, as it does for a connection that has too much to read. So if another
  /// connection has sent the message, this is false, and the bus is asked for the owner.
  package func hasSent(_ message: borrowing Message) -> Bool {
    if let uniqueName, let sender = message.sender, sender == uniqueName { return true }
    if message.isFromConnection { askAgain() }
    return false
  }

  private func askAgain() {
    guard question == nil else { return }
    // It fails only if the connection is closed, and then no message comes.
    question = try? bus.askBus("GetNameOwner", of: name) { [unowned(unsafe) self] in answered($0) }
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
    } catch {}  // the bus sends no other arguments
  }

  private func become(_ owner: String?) {
    guard owner != uniqueName else { return }
    uniqueName = owner
    for handler in handlers { handler() }
  }
}
