// SPDX-License-Identifier: Apache-2.0

import Systemd
import TestSupport

/// A client that has begun, and does nothing else: far cheaper than ``Client``.
final class BegunClient {
  private let bus: Bus

  init(on privateBus: PrivateBus) throws(BusError) {
    bus = try Bus.open(.address(privateBus.address))
    try begin()
  }

  func begin() throws(BusError) {
    _ = try bus.call(try bus.daemonCall("BeginGeneratingDeviceOrientationNotifications"))
  }

  func end() throws(BusError) {
    _ = try bus.call(try bus.daemonCall("EndGeneratingDeviceOrientationNotifications"))
  }
}

extension Client {
  /// The name of the error that something is answered with; nil where it is granted.
  func refusal(of body: () throws(BusError) -> Void) -> String? {
    do throws(BusError) {
      try body()
      return nil
    } catch {
      return error.name
    }
  }
}
