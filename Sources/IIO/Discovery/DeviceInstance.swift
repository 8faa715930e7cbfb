// SPDX-License-Identifier: Apache-2.0

import CLinux

/// Tells a device from the one that had its number, and so its directory in sysfs, before it.
///
/// A driver that is unbound and bound again, or a hub that is plugged in again, makes a new device, often under the old
/// number. What was opened of the old one is of no use from then on, and all that was known of it may be wrong.
public struct DeviceInstance: Equatable, Sendable {
  /// The inode of the directory: sysfs does not use a number again soon.
  private let inode: UInt64

  /// The device that has this directory now; nil where there is none.
  ///
  /// - Parameter sysfsPath: the device's directory in /sys/devices.
  public init?(ofSysfsPath sysfsPath: String) {
    var status = stat()
    guard stat(sysfsPath, &status) == 0 else { return nil }
    inode = UInt64(status.st_ino)
  }
}

extension SensorDescription {
  /// Whether the device that this describes is gone, and in its place there is none, or another one.
  ///
  /// Of a device of another machine nothing is known here.
  public var isGone: Bool {
    guard let sysfsPath else { return false }
    guard let instance else { return true }
    return DeviceInstance(ofSysfsPath: sysfsPath) != instance
  }
}
