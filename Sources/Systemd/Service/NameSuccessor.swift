// SPDX-License-Identifier: Apache-2.0

// Programs that lose a bus name from sight may give up for good: Qt's sensors stop when the service restarts, and Plasma's screen turns no
// more. So a second connection waits for the name in the bus's queue, and the service manager stores its socket: while the service is
// down, that connection owns the name. Calls that it gets then are answered by the bus, with an error, when it ends. The next process
// waits in the queue in its turn, and ends it.

import CLinux
import CSystemd

/// The connection that has a bus name while the service restarts.
///
/// A service manager that stores nothing (systemd without `FileDescriptorStoreMax=`) makes it end with the process.
package final class NameSuccessor {
  /// The name of its socket at the service manager (`FDNAME=`).
  static let descriptorName = "bus-name"

  /// The socket of the connection that the process before has left; negative if there is none.
  private var left: CInt = -1
  private var bus: Bus?
  private var answer: Slot?

  /// Knows of none yet; see ``PassedSockets/take(named:successor:)``.
  package init() {}

  deinit { endLeft() }

  /// Whether the process before has left one, which may own the name still.
  package var isLeft: Bool { left >= 0 }

  func adopt(_ descriptor: CInt) {
    endLeft()
    left = descriptor
  }

  /// Ends the connection, this process's and the one that the process before has left: the name goes to the next in the queue.
  package func end() {
    endLeft()
    // The service manager has a descriptor of it, too, and drops it then.
    if let bus { shutdown(sd_bus_get_fd(bus.handle), CInt(SHUT_RDWR)) }
    answer = nil
    bus = nil
  }

  private func endLeft() {
    guard isLeft else { return }
    shutdown(left, CInt(SHUT_RDWR))
    close(left)
    left = -1
  }

  /// Has a connection wait for a name that is ours now, and the service manager store it, without waiting for the bus.
  ///
  /// - Parameters:
  ///   - name: the name.
  ///   - address: the bus.
  ///   - loop: reads what is sent to it, so that it does not pile up at the bus.
  /// - Throws: `BusError` if there is no bus; the name is not kept over a restart then.
  package func wait(for name: String, on address: Bus.Address, loop: EventLoop) throws(BusError) {
    endLeft()
    guard ServiceManager.isListening else { return }
    let bus = try Bus.open(address)
    try bus.attach(to: loop)
    answer = try Slot(
      "sd_bus_request_name_async",
      handler: { [unowned(unsafe) bus] reply in
        guard reply.error == nil else { return }
        // If the service manager cannot be notified, it reports that itself.
        _ = try? ServiceManager.store(sd_bus_get_fd(bus.handle), as: Self.descriptorName)
      },
      make: { sd_bus_request_name_async(bus.handle, &$0, name, UInt64(SD_BUS_NAME_QUEUE), $1, $2) })
    self.bus = bus
  }
}
