// SPDX-License-Identifier: Apache-2.0

import Systemd

/// The main thread's two ends of everything: its event loop, and the bus attached to it.
final class Connection {
  let loop: EventLoop
  let bus: Bus
  /// Where the bus is.
  let address: Bus.Address
  /// Why the service cannot go on; nil while it can.
  private(set) var failure: ServiceError?
  /// Called before the loop ends as it was told to, while messages can still be sent.
  var whenEnding: (() -> Void)?

  /// Connects to a bus.
  ///
  /// - Parameters:
  ///   - choice: which one.
  ///   - address: where it is, if not where the environment says.
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
      // The handshake, so that a bus that is not there is known now and not on the first signal.
      _ = try bus.uniqueName
      try bus.attach(to: loop)
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
