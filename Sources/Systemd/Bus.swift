// SPDX-License-Identifier: Apache-2.0

import CLinux
import CSystemd

/// A connection to a message bus (`sd_bus`).
///
/// It belongs to the thread that runs the loop it is attached to.
public struct Bus: ~Copyable {
  let handle: OpaquePointer
  private let backPressure: BackPressure

  /// Which bus.
  public enum Address: Equatable, Sendable {
    /// The system bus, or what `DBUS_SYSTEM_BUS_ADDRESS` says.
    case system
    /// The session bus, or what `DBUS_SESSION_BUS_ADDRESS` says.
    case session
    /// A D-Bus address, such as `unix:path=/run/dbus/system_bus_socket`.
    case address(String)
  }

  /// Connects to a bus.
  ///
  /// The handshake goes on as the loop turns, or with the first call.
  ///
  /// - Parameter address: Which bus.
  /// - Returns: The connection.
  /// - Throws: `BusError`: FileNotFound or EREFUSED when there is no bus, BadAddress.
  public static func open(_ address: Address) throws(BusError) -> Bus {
    switch address {
    case .system:
      return Bus(adopting: try BusError.create("sd_bus_open_system") { sd_bus_open_system(&$0) })
    case .session:
      return Bus(adopting: try BusError.create("sd_bus_open_user") { sd_bus_open_user(&$0) })
    case .address(let address):
      let bus = Bus(adopting: try BusError.create("sd_bus_new") { sd_bus_new(&$0) })
      try BusError.check(sd_bus_set_address(bus.handle, address), "sd_bus_set_address")
      try BusError.check(sd_bus_set_bus_client(bus.handle, 1), "sd_bus_set_bus_client")
      try BusError.check(sd_bus_start(bus.handle), "sd_bus_start")
      return bus
    }
  }

  private init(adopting handle: OpaquePointer) {
    self.handle = handle
    backPressure = BackPressure(on: handle)
  }

  // Not flushed: a bus that hangs must not keep the process. What has been sent has been written already,
  // unless the bus was too slow to take it.
  deinit { sd_bus_close_unref(handle) }

  /// Has a loop receive and send.
  ///
  /// While more than 64 messages wait to be sent, nothing is received.
  ///
  /// - Parameter loop: The loop of this thread.
  /// - Throws: `BusError`, where the bus is attached already.
  public func attach(to loop: borrowing EventLoop) throws(BusError) {
    try backPressure.attach(to: loop.handle)
  }

  /// Waits until everything sent has been written to the bus, however long that takes.
  ///
  /// - Throws: `BusError`, where the connection is gone.
  public func flush() throws(BusError) {
    try BusError.check(sd_bus_flush(handle), "sd_bus_flush")
  }

  /// Ends the connection, without a flush.
  ///
  /// Calls that wait get an error as their reply.
  public func close() { sd_bus_close(handle) }

  /// Calls a handler once the connection has ended, from whichever side.
  ///
  /// - Parameter handler: Called once. Nothing can be sent any more then.
  /// - Returns: The slot; the handler lives as long.
  /// - Throws: `BusError`, where the connection has ended already.
  public func onDisconnected(_ handler: @escaping () -> Void) throws(BusError) -> Slot {
    // A message that libsystemd makes itself; the bus does not hear of this match.
    try match(
      "type='signal',path='/org/freedesktop/DBus/Local',"
        + "interface='org.freedesktop.DBus.Local',member='Disconnected'"
    ) { _ in handler() }
  }
}
