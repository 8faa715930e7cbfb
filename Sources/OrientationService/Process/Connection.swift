// SPDX-License-Identifier: Apache-2.0

import CLinux
import Systemd

/// The main thread's event loop, and the bus that is attached to it.
final class Connection {
  let loop: EventLoop
  let bus: Bus
  /// Which bus that is.
  let address: Bus.Address
  /// The owner of logind's name.
  let logind: NameOwner
  /// Why the service cannot go on; nil while it can.
  private(set) var failure: ServiceError?
  /// Whether the bus name is taken: what is announced before reaches nobody who listens to the name.
  var isNamed = false
  /// Called before ``end()`` ends the loop, while messages can still be sent.
  var whenEnding: (() -> Void)?
  private var terminate: EventSource?
  private var interrupt: EventSource?

  /// Connects to a bus.
  ///
  /// - Throws: ``ServiceError``
  init(to address: Bus.Address) throws(ServiceError) {
    self.address = address
    loop = try ServiceError.wrapping(ServiceError.loop) { () throws(SystemdError) in try EventLoop() }
    do throws(BusError) {
      bus = try Bus.open(address)
      // Waits for the handshake, so that an absent bus is an error now and not at the first signal.
      _ = try bus.uniqueName
      try bus.attach(to: loop)
      logind = try NameOwner(of: Logind.service, on: bus)
    } catch {
      throw .noBus(address, error)
    }
  }

  /// Lets SIGTERM and SIGINT end the loop.
  ///
  /// They are blocked from here on, and in each thread that is started later.
  func endOnSignals() throws(SystemdError) {
    terminate = try loop.onSignal(SIGTERM, priority: .beforeBus) { [unowned(unsafe) self] in end() }
    interrupt = try loop.onSignal(SIGINT, priority: .beforeBus) { [unowned(unsafe) self] in end() }
  }

  /// Ends the loop because the process is to end.
  func end() {
    whenEnding?()
    loop.exit(0)
  }

  /// Ends the loop because the service cannot go on.
  func fail(_ error: ServiceError) {
    failure = error
    loop.exit(1)
  }
}

/// systemd-logind on the bus.
enum Logind {
  /// Its bus name.
  static let service = "org.freedesktop.login1"
}
