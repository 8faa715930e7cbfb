// SPDX-License-Identifier: Apache-2.0

import Systemd

/// The main thread's event loop, and the bus that is attached to it.
final class Connection {
  let loop: EventLoop
  let bus: Bus
  /// The owner of logind's name.
  let logind: NameOwner
  /// The address of the bus.
  let address: Bus.Address
  /// Why the service cannot go on; nil while it can.
  private(set) var failure: ServiceError?
  /// Whether the bus name is taken: what is announced before reaches nobody who listens to the name.
  var isNamed = false
  /// Called before ``end()`` ends the loop, while messages can still be sent.
  var whenEnding: (() -> Void)?

  /// Connects to a bus.
  ///
  /// - Parameters:
  ///   - choice: which bus.
  ///   - address: its address, if not the one of the environment.
  /// - Throws: ``ServiceError``
  init(to choice: Options.BusChoice, at address: Bus.Address? = nil) throws(ServiceError) {
    do throws(SystemdError) {
      loop = try EventLoop()
    } catch {
      throw .loop(error)
    }
    do throws(BusError) {
      self.address = address ?? (choice == .system ? .system : .session)
      bus = try Bus.open(self.address)
      // Waits for the handshake, so that an absent bus is an error now and not at the first signal.
      _ = try bus.uniqueName
      try bus.attach(to: loop)
      logind = try NameOwner(of: Logind.service, on: bus)
    } catch {
      throw .noBus(choice, error)
    }
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
