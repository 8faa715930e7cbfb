// SPDX-License-Identifier: Apache-2.0

import CLinux
import CSystemd

/// What udev knows of a device (`sd_device`), read once: a change is in the next one only.
public struct UdevDevice: ~Copyable {
  private let handle: OpaquePointer

  /// Looks at a device.
  ///
  /// Any thread may do this.
  ///
  /// - Parameter path: The device's directory in sysfs; links are resolved.
  /// - Throws: `SystemdError`: ENODEV if there is no such device.
  package init(sysfsPath path: String) throws(SystemdError) {
    handle = try SystemdError.create("sd_device_new_from_syspath") {
      sd_device_new_from_syspath(&$0, path)
    }
  }

  deinit { sd_device_unref(handle) }

  /// A property that udev's rules or hardware database gave to the device.
  ///
  /// - Parameter name: Such as `ACCEL_MOUNT_MATRIX`.
  /// - Returns: The value; nil if the device has no such property.
  /// - Throws: `SystemdError` if it cannot be read.
  package func property(_ name: String) throws(SystemdError) -> String? {
    var value: UnsafePointer<CChar>?
    let result = sd_device_get_property_value(handle, name, &value)
    if result == -ENOENT { return nil }
    try SystemdError.check(result, "sd_device_get_property_value")
    return value.map { String(cString: $0) }
  }

  /// Whether udev has events to handle (`udevadm settle` waits until it has none).
  ///
  /// Any thread may call this. It is also false if udev does not run.
  package static var isUdevBusy: Bool { access("/run/udev/queue", F_OK) == 0 }

  /// Whether udev has applied its rules to the device.
  ///
  /// The kernel shows a device a moment before that.
  ///
  /// While this is false, a ``DeviceMonitor`` is going to notify of the device. It is also false if udev does not run, as in a container.
  ///
  /// - Throws: `SystemdError` if that cannot be read.
  package func isSetUp() throws(SystemdError) -> Bool {
    try SystemdError.check(sd_device_get_is_initialized(handle), "sd_device_get_is_initialized") > 0
  }
}
