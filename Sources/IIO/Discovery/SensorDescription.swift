// SPDX-License-Identifier: Apache-2.0

import CLinux
package import Orientation

/// The properties of a sensor that are known before it is used: identity, location and capabilities.
package struct SensorDescription: Equatable, Sendable {
  /// The device, with its files if it is an IIO device.
  package var device: IIODevice
  /// Whether it is an IIO device or an input device.
  package var interface = SensorInterface.iio
  /// The kernel's name of the device, such as `iio:device0`, or `event3` of an input device.
  package var id: String { device.id }
  /// The driver's name for the device, such as `accel_3d` or `kxcjk1013`.
  package var name: String? { device.name }
  /// The firmware's label, such as `accel-display`.
  package var label: String? { device.label }
  /// The `location` attribute, such as `lid`, `base` or `display`.
  package var location: String?
  /// The device's directory in /sys/devices, which is its udev syspath; nil for a device of another machine.
  package var sysfsPath: String?
  /// Whether the device is part of one that can be unplugged, such as a USB device.
  package var isRemovable = false
  /// Distinguishes the device from earlier ones with the same directory; nil for a device of another machine.
  package var instance: DeviceInstance?
  /// The properties from udev's hardware database.
  package var udev = UdevProperties()
  /// The mount matrix of the driver, as text; see ``mountMatrix`` for the one that is used.
  package var driverMountMatrix: String?
  /// What is described of the device: its accelerometer, the gravity that stands for one, or its gyroscope.
  ///
  /// The frequencies, the scan formats, the driver's mount matrix and the buffering are those of this part.
  package var quantity = AxisQuantity.acceleration
  /// Whether the device tells which way up it is.
  package var isAccelerometer = false
  /// Which it is, from 1, of the accelerometers that are called the same (by their label, or else their name), and are in the machine or
  /// plugged in as it is: in the order of their paths.
  ///
  /// It tells those of one sensor hub apart: their paths have numbers that differ from start to start, but keep their order. One that
  /// is plugged in does not change it.
  package internal(set) var number = 1
  /// The sampling frequencies that it supports.
  package var availableFrequencies = AvailableFrequencies.unknown
  /// The present sampling frequency, in hertz; nil if there is no such attribute, or the sensor was not read.
  package var frequency: Double?
  /// Whether it can deliver samples through a buffer, and its trigger.
  package var buffering = Buffering.none
  /// The scan formats of x, y and z as the driver writes them, for display; empty without scan elements.
  package var scanFormats: [String] = []

  /// Creates a description of a device of which only these properties are known.
  package init(id: String, name: String? = nil, isAccelerometer: Bool = false) {
    self.init(IIODevice(id: id, name: name))
    self.isAccelerometer = isAccelerometer
  }

  init(_ device: IIODevice) { self.device = device }

  /// The sign of its readings; a gyroscope of a hub has the axes of the hub's accelerometer.
  package var sign: SignConvention { isOfHub ? .gravity : .specificForce }

  /// Whether the device is part of a HID sensor hub.
  var isOfHub: Bool { DriverTrait(ofDevice: name) == .hub }

  /// The id of the channel that measures the angle of the machine's hinge, such as "angl0"; nil if it has none.
  ///
  /// Intel's hub also has the angles of screen and keyboard, with higher numbers.
  package var hingeChannel: String? {
    guard DriverTrait(ofDevice: name) == .hinge else { return nil }
    return ["angl0", "angl"].first { device.inputChannel($0)?.has("raw") ?? false }
  }

  /// The mount matrix that udev or the machine's firmware has, as text, udev's first; nil means identity.
  package var mountMatrix: String? { udev.mountMatrix ?? driverMountMatrix }

  /// The device node.
  var node: String { interface == .iio ? "/dev/\(id)" : "/dev/input/\(id)" }

  /// The name and the id, for display: `accel_3d (iio:device0)`.
  package var displayName: String { device.displayName }

  /// Whether the accelerometer has no axis z: it reads zero there, and does not see whether the face is up or down.
  package var lacksZ: Bool { isAccelerometer && device.lacksZ(measuring: quantity) }
}

/// udev's properties of a sensor (60-sensor.hwdb).
package struct UdevProperties: Equatable, Sendable {
  /// The property ACCEL_MOUNT_MATRIX.
  package var mountMatrix: String?
  /// The property ACCEL_LOCATION: `display` or `base`.
  package var location: String?
  /// The property PROXIMITY_NEAR_LEVEL, in counts.
  package var proximityNearLevel: String?

  /// Creates the properties; nil stands for a property that is not set.
  package init(mountMatrix: String? = nil, location: String? = nil, proximityNearLevel: String? = nil) {
    self.mountMatrix = mountMatrix
    self.location = location
    self.proximityNearLevel = proximityNearLevel
  }
}

/// Whether a device has a buffer for samples.
package enum Buffering: Equatable, Sendable {
  /// It has none, and can only be polled.
  case none
  /// It has scan elements and a buffer; `trigger` is the present one.
  case scanElements(trigger: String?)
}

/// Distinguishes a device from an earlier one with the same number, and so with the same directory in sysfs.
///
/// When a driver is unbound and bound again, or a hub is plugged in again, there is a new device, often with the old
/// number. Files that were opened of the old device are useless from then on, and its known properties may be wrong.
package struct DeviceInstance: Equatable, Sendable {
  /// The inode of the directory: sysfs does not use the same number again soon.
  private let inode: UInt64

  /// The device that has this directory in /sys/devices now; nil if there is none.
  package init?(ofSysfsPath sysfsPath: String) {
    var status = stat()
    guard stat(sysfsPath, &status) == 0 else { return nil }
    inode = UInt64(status.st_ino)
  }
}

extension SensorDescription {
  /// Whether the described device is gone, and its place is empty or has another device.
  ///
  /// For a device of another machine, this is always false.
  package var isGone: Bool {
    guard let sysfsPath else { return false }
    guard let instance else { return true }
    return DeviceInstance(ofSysfsPath: sysfsPath) != instance
  }

  /// Whether two sensors of this machine are parts of one IIO device, and share its buffer.
  package func isOfSameDevice(as other: SensorDescription) -> Bool {
    id == other.id && sysfsPath != nil && sysfsPath == other.sysfsPath && instance == other.instance
  }

  /// Whether two sensors of this machine are parts of one chip or HID sensor hub, and so have the same axes.
  package func isMountedLike(_ other: SensorDescription) -> Bool {
    guard let path = sysfsPath, let otherPath = other.sysfsPath else { return false }
    let (chip, otherChip) = (parentDirectory(of: path), parentDirectory(of: otherPath))
    if chip == otherChip { return true }
    // Each sensor of a hub has a folder of its own, in that of the hub.
    guard isOfHub, other.isOfHub else { return false }
    return parentDirectory(of: String(chip)) == parentDirectory(of: String(otherChip))
  }
}
