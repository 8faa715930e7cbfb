// SPDX-License-Identifier: Apache-2.0

internal import Orientation
internal import Systemd

/// A connection to the bus, which reports what the daemon sends.
final class BusConnection {
  /// Receives what happens.
  struct Listener {
    /// The daemon has started, or stopped.
    let daemonChanged: () -> Void
    /// Properties have changed: the message's arguments are those of PropertiesChanged.
    let propertiesChanged: (borrowing Message) -> Void
    /// The connection has ended.
    let disconnected: () -> Void
  }

  /// Whether the bus was called to start the daemon, and has not answered yet.
  private(set) var isStartingDaemon = false

  private let bus: Bus
  private var owner: NameOwner?
  private var propertiesChanged: Slot?
  private var disconnected: Slot?

  /// Connects, and finds out whether the daemon runs.
  ///
  /// - Throws: `BusError` if there is no bus.
  init(to address: Bus.Address, on executor: BusExecutor, listener: Listener) throws(BusError) {
    bus = try Bus.open(address)
    owner = try NameOwner(of: DBusNames.service, on: bus) { listener.daemonChanged() }
    propertiesChanged = try bus.match(
      "type='signal',sender='\(DBusNames.service)',path='\(DBusNames.path)',"
        + "interface='org.freedesktop.DBus.Properties',member='PropertiesChanged'"
    ) { [unowned self] message in
      if owner?.hasSent(message) == true { listener.propertiesChanged(message) }
    }
    disconnected = try bus.onDisconnected { listener.disconnected() }
    try executor.attach(bus)
  }

  /// The unique name of the daemon; nil while none runs.
  var daemon: String? { owner?.uniqueName }

  /// Has the bus start the daemon.
  ///
  /// - Parameter failed: called if it cannot be started.
  func startDaemon(failed: @escaping (BusError) -> Void) {
    isStartingDaemon = true
    do throws(BusError) {
      try bus.callAsync(try bus.startCall()) { [weak self] reply in
        self?.isStartingDaemon = false
        if let error = reply.error { failed(error) }
      }.detach()
    } catch {
      failed(error)
    }
  }

  /// Sends a call, and calls one of the handlers once.
  func send(
    _ call: DaemonCall, to destination: String = DBusNames.service,
    answered: @escaping (borrowing Message) throws(BusError) -> Void, failed: @escaping (BusError) -> Void
  ) {
    do throws(BusError) {
      try call.send(on: bus, to: destination) { reply in
        do throws(BusError) {
          if let error = reply.error { throw error }
          try answered(reply)
        } catch {
          failed(error)
        }
      }
    } catch {
      failed(error)
    }
  }
}

/// When a bus that has ended, or is not there yet, is tried again.
struct Reconnection: ~Copyable {
  private static let shortest = 1.0
  private static let longest = 30.0

  private var pause = Reconnection.shortest
  private var timer: Timer?

  /// Makes the next pause short again.
  mutating func succeeded() {
    pause = Self.shortest
    timer = nil
  }

  /// Calls back after a pause, each time after twice as long.
  mutating func schedule(on executor: BusExecutor, _ connect: @escaping () -> Void) {
    // If there are no descriptors left for a timer, the next call of the app tries again.
    timer = try? executor.after(seconds: pause, connect)
    pause = min(2 * pause, Self.longest)
  }
}

extension BusError {
  /// The daemon has been stopped.
  static var noDaemon: BusError { BusError(name: Name.serviceUnknown, message: "it has ended") }
  /// There is no connection to a bus.
  static var noBus: BusError {
    BusError(name: Name.disconnected, message: "there is no connection to the bus")
  }
}
