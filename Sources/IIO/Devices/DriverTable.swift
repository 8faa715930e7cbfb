// SPDX-License-Identifier: Apache-2.0

/// What a driver is known for: the only place where the service knows drivers by the names that they give their devices.
enum DriverTrait: Equatable {
  /// The device is part of a HID sensor hub.
  ///
  /// Its motion sensors read gravity with the other sign than the kernel's ABI wants. Its buffer needs only the trigger that the driver
  /// creates, and its attributes can be read at the same time.
  case hub
  /// It measures the angle of the machine's hinge. Other devices with angles are encoders of motors and of knobs.
  case hinge
  /// Laptops use the chip to park the disk in a fall; some phones use it for their screen.
  case parksDisk
  /// The driver declares another byte order for its buffer than the chip has (its patches of 2025), so the sensor is polled.
  case wrongByteOrder

  /// What the driver that uses a name for its devices is known for; nil if nothing.
  init?(ofDevice name: String?) {
    switch name {
    // hid-sensor-accel-3d, hid-sensor-gyro-3d, hid-sensor-magn-3d, hid-sensor-als and hid-sensor-prox.
    case "accel_3d", "gravity", "gyro_3d", "magn_3d", "als", "prox": self = .hub
    // hid-sensor-custom-intel-hinge and cros_ec_lid_angle.
    case "hinge", "cros-ec-lid-angle": self = .hinge
    case "adxl312", "adxl313", "adxl314": self = .wrongByteOrder
    case let name? where name.hasPrefix("lis3lv02d"): self = .parksDisk
    default: return nil
    }
  }
}
