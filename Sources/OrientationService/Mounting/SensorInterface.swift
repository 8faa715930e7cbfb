// SPDX-License-Identifier: Apache-2.0

import Orientation
import Systemd

extension Interface {
  /// `org.orientationd1.Sensor`: the accelerometer, and how it is mounted.
  ///
  /// - Parameter service: owns the slot of the interface, which does not retain it.
  /// - Returns: the interface, to be put on the bus.
  static func sensor(_ service: MountingService) -> Interface {
    Interface(
      DBusNames.sensorInterface, of: service,
      Member.properties(DeviceProperties.sensorTable) { service, _ in service.device.properties } + [
        .method("MeasureGravity", outputs: ["x": "d", "y": "d", "z": "d"]) {
          service, call throws(BusError) in try service.device.measureGravity(call)
        },
        .method("SetMountMatrix", inputs: ["matrix": "s"]) {
          service, call throws(BusError) in try service.setMountMatrix(call)
        },
        .method("PreviewMountMatrix", inputs: ["matrix": "s", "seconds": "u"]) {
          service, call throws(BusError) in try service.previewMountMatrix(call)
        },
        .method("EndMountMatrixPreview") { service, call throws(BusError) in
          try service.endMountMatrixPreview(call)
        },
        .method("ResetMountMatrix") { service, call throws(BusError) in try service.resetMountMatrix(call) },
      ])
  }
}
