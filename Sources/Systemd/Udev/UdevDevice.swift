// SPDX-License-Identifier: Apache-2.0

import CLinux
import CSystemd

/// What udev knows of a device (`sd_device`).
package enum UdevDevice {
  /// Reads a property that udev's rules or hardware database gave to a device.
  ///
  /// Any thread may call this.
  ///
  /// - Parameters:
  ///   - name: Such as `ACCEL_MOUNT_MATRIX`.
  ///   - path: The device's directory in sysfs; links are resolved.
  /// - Returns: The value; nil if the device has no such property.
  /// - Throws: `SystemdError`: ENODEV if there is no such device.
  package static func property(_ name: String, ofSysfsPath path: String) throws(SystemdError) -> String? {
    // A new one each time: an sd_device caches what it has read.
    let device = try SystemdError.create("sd_device_new_from_syspath") {
      sd_device_new_from_syspath(&$0, path)
    }
    defer { sd_device_unref(device) }
    var value: UnsafePointer<CChar>?
    let result = sd_device_get_property_value(device, name, &value)
    if result == -ENOENT { return nil }
    try SystemdError.check(result, "sd_device_get_property_value")
    return value.map { String(cString: $0) }
  }

  /// Whether udev has events to handle (`udevadm settle` waits until it has none).
  ///
  /// Any thread may call this. It is also false if udev does not run.
  package static var isUdevBusy: Bool { access("/run/udev/queue", F_OK) == 0 }

  /// Whether udev has applied its rules to a device.
  ///
  /// The kernel shows a device a moment before that.
  ///
  /// While this is false, a ``DeviceMonitor`` is going to notify of the device. Any thread may call this.
  ///
  /// - Parameter path: The device's directory in sysfs; links are resolved.
  /// - Returns: It is also false if udev does not run, as in a container.
  /// - Throws: `SystemdError`: ENODEV if there is no such device.
  package static func isSetUp(sysfsPath path: String) throws(SystemdError) -> Bool {
    let device = try SystemdError.create("sd_device_new_from_syspath") {
      sd_device_new_from_syspath(&$0, path)
    }
    defer { sd_device_unref(device) }
    return try SystemdError.check(sd_device_get_is_initialized(device), "sd_device_get_is_initialized") > 0
  }
}
