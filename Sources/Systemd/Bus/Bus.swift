// SPDX-License-Identifier: Apache-2.0

import CLinux
import CSystemd

/// A connection to a message bus (`sd_bus`).
///
/// It belongs to the thread that runs the loop it is attached to.
package final class Bus {
  let handle: OpaquePointer
  private let backPressure: BackPressure

  /// Which bus.
  package enum Address: Equatable, Sendable {
    /// The system bus, or what `DBUS_SYSTEM_BUS_ADDRESS` says.
    case system
    /// The session bus, or what `DBUS_SESSION_BUS_ADDRESS` says.
    case session
    /// A D-Bus address, such as `unix:path=/run/dbus/system_bus_socket`.
    case address(String)
  }

  /// Whether messages may carry file descriptors.
  ///
  /// A process that accepts them can be made to run out of descriptors: a message carries 16 and more, each is open until the
  /// message is handled, and libsystemd 252 leaks those of a message that it drops as malformed.
  package enum Descriptors: Equatable, Sendable {
    /// The bus answers a message that carries some with an error (`sd_bus_negotiate_fds`).
    case refused
    /// They are accepted from every sender.
    case accepted
  }

  /// Connects to a bus.
  ///
  /// The handshake goes on as the loop turns, or with the first call.
  ///
  /// - Parameters:
  ///   - address: Which bus.
  ///   - descriptors: Whether messages may carry file descriptors.
  /// - Returns: The connection.
  /// - Throws: `BusError`: FileNotFound or EREFUSED when there is no bus, BadAddress.
  package static func open(
    _ address: Address, descriptors: Descriptors = .refused
  ) throws(BusError) -> Bus {
    let text = try address.text
    let bus = Bus(adopting: try BusError.create("sd_bus_new") { sd_bus_new(&$0) })
    try BusError.check(sd_bus_set_address(bus.handle, text), "sd_bus_set_address")
    try BusError.check(sd_bus_set_bus_client(bus.handle, 1), "sd_bus_set_bus_client")
    try BusError.check(
      sd_bus_negotiate_fds(bus.handle, descriptors == .accepted ? 1 : 0), "sd_bus_negotiate_fds")
    // Else the end of a loop would flush the connection, however long that takes.
    try BusError.check(sd_bus_set_close_on_exit(bus.handle, 0), "sd_bus_set_close_on_exit")
    try BusError.check(sd_bus_start(bus.handle), "sd_bus_start")
    return bus
  }

  private init(adopting handle: OpaquePointer) {
    self.handle = handle
    backPressure = BackPressure(on: handle)
  }

  // Not flushed: a bus that hangs must not keep the process from ending. What was sent has been written already,
  // unless the bus was too slow to read it.
  deinit { sd_bus_close_unref(handle) }

  /// Attaches the connection to a loop, which then receives and sends.
  ///
  /// While more than 64 messages wait to be sent, nothing is received. Calls with a path of more than 255 bytes are refused,
  /// and so are those with such a string among their first arguments.
  ///
  /// - Parameter loop: The loop of this thread.
  /// - Throws: `BusError` if the bus is attached already.
  package func attach(to loop: EventLoop) throws(BusError) {
    // sd-bus calls the filter that was added last first. The others do not see what that refuses.
    try CallLimits.attach(to: handle)
    try backPressure.attach(to: loop)
  }

  /// The id of the bus, which no other bus has: 32 hexadecimal digits.
  ///
  /// - Throws: `BusError` if the connection is closed.
  package var id: String {
    get throws(BusError) {
      var id = sd_id128_t()
      try BusError.check(sd_bus_get_bus_id(handle, &id), "sd_bus_get_bus_id")
      return withUnsafeBytes(of: id) { $0.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() }
    }
  }

  /// Calls a handler when the connection has ended, from either side.
  ///
  /// - Parameter handler: Called once. Nothing can be sent any more then.
  /// - Returns: The slot, which owns the handler.
  /// - Throws: `BusError` if the connection is closed already.
  package func onDisconnected(_ handler: @escaping () -> Void) throws(BusError) -> Slot {
    // libsystemd makes this message itself; this match is not sent to the bus.
    try match(
      "type='signal',path='/org/freedesktop/DBus/Local',"
        + "interface='org.freedesktop.DBus.Local',member='Disconnected'"
    ) { signal in
      // A forged one must not end the service, should a bus ever deliver one from a connection.
      if !signal.isFromConnection { handler() }
    }
  }
}
