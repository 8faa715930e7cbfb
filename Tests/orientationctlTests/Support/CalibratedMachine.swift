// SPDX-License-Identifier: Apache-2.0

import MockDevices
import Orientation
import TestSupport

/// A machine of the test's own with a sensor to calibrate.
final class CalibratedMachine {
  let kernel = MockKernel()
  private let mounting: ChipMounting
  private let sign: SignConvention

  /// Where the sensor is.
  static let path = "/sys/devices/platform/HID-SENSOR-200073.1.auto/iio:device0"

  /// Creates it.
  ///
  /// - Parameters:
  ///   - mounting: how the hub sits.
  ///   - matrix: what udev has for it.
  ///   - sign: the hub's.
  ///   - bus: the one that it is on.
  ///   - attributes: what it has in sysfs besides the usual.
  ///   - hasBuffer: whether it has a buffer, which the daemon would use, and which delivers nothing.
  init(
    mounting: ChipMounting = .all[7], matrix: String? = nil, sign: SignConvention = .gravity,
    bus: String = "platform", attributes: [String: String] = [:], hasBuffer: Bool = true
  ) {
    self.mounting = mounting
    self.sign = sign
    kernel.addDevice(
      "platform/HID-SENSOR-200073.1.auto", subsystem: bus, modalias: "platform:HID-SENSOR-200073")
    kernel.addDevice("virtual/dmi/id", subsystem: "dmi", modalias: "dmi:bvnX:bvr1:svnMaker:pnTab(let):ct30:")
    kernel.addDevice(
      "iio:device0", under: "platform/HID-SENSOR-200073.1.auto",
      attributes: hubAttributes().merging(attributes) { $1 }.filter { hasBuffer || !$0.key.contains("/") },
      udev: matrix.map { ["ACCEL_MOUNT_MATRIX": $0] } ?? [:])
    kernel.addConnector("card0-eDP-1", modes: ["800x1280"])
  }

  /// Takes a pose.
  func hold(_ held: SIMD3<Double>) {
    let reading = mounting.reading(of: held, sign)
    for (axis, value) in [("x", reading.x), ("y", reading.y), ("z", reading.z)] {
      // The hub counts in mg.
      let count = Int((value / 0.009_806_65).rounded())
      kernel.set("in_accel_\(axis)_raw", of: Self.path, to: "\(count)")
    }
  }
}
