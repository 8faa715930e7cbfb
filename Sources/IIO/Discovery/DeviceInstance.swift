// SPDX-License-Identifier: Apache-2.0

import CLinux

/// Distinguishes a device from an earlier one with the same number, and so with the same directory in sysfs.
///
/// When a driver is unbound and bound again, or a hub is plugged in again, there is a new device, often with the old
/// number. Files that were opened of the old device are useless from then on, and its known properties may be wrong.
public struct DeviceInstance: Equatable, Sendable {
  /// The inode of the directory: sysfs does not use the same number again soon.
  private let inode: UInt64

  /// The device that has this directory in /sys/devices now; nil if there is none.
  public init?(ofSysfsPath sysfsPath: String) {
    var status = stat()
    guard stat(sysfsPath, &status) == 0 else { return nil }
    inode = UInt64(status.st_ino)
  }
}

extension SensorDescription {
  /// Whether the described device is gone, and its place is empty or has another device.
  ///
  /// For a device of another machine, this is always false.
  public var isGone: Bool {
    guard let sysfsPath else { return false }
    guard let instance else { return true }
    return DeviceInstance(ofSysfsPath: sysfsPath) != instance
  }
}
