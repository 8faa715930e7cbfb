// SPDX-License-Identifier: Apache-2.0

import MockDevices
import TestSupport

/// A tablet's sensor whose driver has faults.
final class FaultyTablet {
  enum Sensor: Sendable {
    /// A chip that is polled.
    case chip
    /// A hub with a buffer.
    case hub
  }

  let faults: DriverFaults
  let rig: Rig
  var client: Client { rig.client }

  /// Starts the daemon on a tablet that is held in portrait.
  init(_ sensor: Sensor, configuration: String = "", _ faults: [DriverFault] = []) throws {
    self.faults = try DriverFaults(faults)
    rig = try Rig(configuration: configuration, environment: self.faults.environment) {
      switch sensor {
      case .chip: $0.addDevice("iio:device0", attributes: chipAttributes(y: "-1024"))
      case .hub:
        $0.addDevice("iio:device0", attributes: hubAttributes())
        $0.addDevice("trigger0", attributes: hubTrigger)
      }
    }
  }

  /// Has the hub deliver samples in portrait, or in another pose, at a rate, until the orientation is told.
  func deliver(_ scan: (x: Int16, y: Int16, z: Int16) = (0, -1000, 0), until orientation: String) throws {
    try client.wait(for: orientation) {
      rig.kernel.deliver(hubScan(scan.x, scan.y, scan.z, nanoseconds: bootTime), to: "iio:device0")
      return try client.property("OrientationName") == .text(orientation)
    }
  }

  /// How many lines of the log contain a text.
  func lines(with text: String) -> Int { rig.log.filter { $0.contains(text) }.count }
}
