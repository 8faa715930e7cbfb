// SPDX-License-Identifier: Apache-2.0

// Accelerometers that are input devices: drivers of older chips, and those of the sensors with which laptops protect their disks. The
// motion sensors of gamepads are input devices, too.

import Evdev

/// How the kernel shows a sensor.
package enum SensorInterface: Equatable, Sendable {
  /// It is an IIO device, or a part of one.
  case iio
  /// It is an input device; `isOfGamepad` tells whether a gamepad is another input device of the same hardware.
  case input(isOfGamepad: Bool)
}

/// How many accelerometers that are input devices are described at most: a device on USB can pretend to be a thousand.
private let limit = 16

/// Describes the accelerometers of this machine that are input devices, according to udev.
///
/// - Parameter property: reads one of udev's properties of the device with this syspath.
/// - Returns: the accelerometers, those that are preferred first.
package func inputAccelerometers(
  property: (_ name: String, _ sysfsPath: String) -> String?
) -> [SensorDescription] {
  let devices = InputDeviceDescription.ids().compactMap { InputNode(id: $0) }
  let accelerometers = devices.filter { property("ID_INPUT_ACCELEROMETER", $0.path) == "1" }
  guard !accelerometers.isEmpty else { return [] }
  let gamepads = devices.filter { property("ID_INPUT_JOYSTICK", $0.path) == "1" }.map { $0.hardware }
  let sensors = accelerometers.map { device in
    let name = firstLine(of: "\(parentDirectory(of: device.path))/name") ?? ""
    var sensor = SensorDescription(id: device.id, name: name.isEmpty ? nil : name, isAccelerometer: true)
    // All devices that programs make have one folder, and are not one piece of hardware.
    let isOfGamepad =
      device.hardware != "/sys/devices/virtual/input" && gamepads.contains(device.hardware)
    sensor.interface = .input(isOfGamepad: isOfGamepad)
    sensor.sysfsPath = device.path
    sensor.instance = DeviceInstance(ofSysfsPath: device.path)
    sensor.isRemovable = isPartOfRemovableDevice(device.path)
    sensor.udev = UdevProperties(
      mountMatrix: property("ACCEL_MOUNT_MATRIX", device.path),
      location: property("ACCEL_LOCATION", device.path))
    return sensor
  }
  // A device that goes away while it is described has lost only some of its properties.
  return Array(sensors.filter { !$0.isGone }.sorted { $0.isPreferred(to: $1) }.prefix(limit))
}

/// An input device in sysfs.
private struct InputNode {
  /// Such as "event3".
  let id: String
  /// Its directory in /sys/devices.
  let path: String
  /// The folder of all input devices of the same hardware: above those of the node and of the device itself (input5).
  let hardware: Substring

  /// Nil if the device is gone.
  init?(id: String) {
    guard let path = canonicalPath("/sys/class/input/\(id)") else { return nil }
    self.id = id
    self.path = path
    hardware = parentDirectory(of: String(parentDirectory(of: path)))
  }
}
