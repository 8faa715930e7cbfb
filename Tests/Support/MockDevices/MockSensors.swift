// SPDX-License-Identifier: Apache-2.0

// Attributes of accelerometers, written after what the kernel's drivers show.

/// A KXCJ-1013 at +-2 g: three axes that can be polled, no buffer.
package func chipAttributes(x: String = "0", y: String = "1024", z: String = "0") -> [String: String] {
  [
    "name": "kxcjk1013", "in_accel_x_raw": x, "in_accel_y_raw": y, "in_accel_z_raw": z,
    "in_accel_scale": "0.009577", "in_accel_sampling_frequency": "12.500000",
    "sampling_frequency_available": "0.781000 1.563000 12.500000 25.000000 50.000000 100.000000",
  ]
}

/// Such a chip with a scale and an offset of its own for each axis, which reads 6, 1.375 and 20 m/s^2.
package func unequalChipAttributes() -> [String: String] {
  var attributes = chipAttributes(x: "10", y: "10", z: "10")
  attributes["in_accel_scale"] = nil
  for (axis, scale, offset) in [("x", "0.5", "2"), ("y", "0.25", "-4.5"), ("z", "2", "0")] {
    attributes["in_accel_\(axis)_scale"] = scale
    attributes["in_accel_\(axis)_offset"] = offset
  }
  return attributes
}

/// A HID sensor hub's accelerometer in 16-bit counts of mg, with its buffer and its trigger's name set.
package func hubAttributes() -> [String: String] {
  [
    "name": "accel_3d", "in_accel_x_raw": "0", "in_accel_y_raw": "-1000", "in_accel_z_raw": "0",
    "in_accel_scale": "0.009806650", "in_accel_offset": "0", "in_accel_sampling_frequency": "10.000000",
    "in_accel_hysteresis": "0.000000", "current_timestamp_clock": "realtime",
    "buffer/enable": "0", "buffer/length": "2", "buffer/watermark": "1",
    "trigger/current_trigger": "accel_3d-dev0",
    "scan_elements/in_accel_x_en": "0", "scan_elements/in_accel_x_index": "0",
    "scan_elements/in_accel_x_type": "le:s16/32>>0",
    "scan_elements/in_accel_y_en": "0", "scan_elements/in_accel_y_index": "1",
    "scan_elements/in_accel_y_type": "le:s16/32>>0",
    "scan_elements/in_accel_z_en": "0", "scan_elements/in_accel_z_index": "2",
    "scan_elements/in_accel_z_type": "le:s16/32>>0",
    "scan_elements/in_timestamp_en": "0", "scan_elements/in_timestamp_index": "3",
    "scan_elements/in_timestamp_type": "le:s64/64>>0",
  ]
}

/// One scan of the hub: three counts, whose words hold other bytes in their upper halves, and a stamp.
package func hubScan(_ x: Int16, _ y: Int16, _ z: Int16, nanoseconds: Int64) -> [UInt8] {
  func littleEndian<Integer: FixedWidthInteger>(_ value: Integer) -> [UInt8] {
    (0..<Integer.bitWidth / 8).map { UInt8(truncatingIfNeeded: value >> Integer($0 * 8)) }
  }
  let axes = [x, y, z].flatMap { count -> [UInt8] in littleEndian(count) + [0xad, 0xde] }
  return axes + [0, 0, 0, 0] + littleEndian(nanoseconds)
}

/// The three axes of a gyroscope that can be polled, in counts of 1/1000 rad/s.
package func gyroscopeAttributes(x: String = "0", y: String = "0", z: String = "0") -> [String: String] {
  [
    "name": "gyro", "in_anglvel_x_raw": x, "in_anglvel_y_raw": y, "in_anglvel_z_raw": z,
    "in_anglvel_scale": "0.001000", "in_anglvel_sampling_frequency": "25.000000",
    "in_anglvel_sampling_frequency_available": "12.5 25 50 100 200",
  ]
}

/// A HID sensor hub's gyroscope in 16-bit counts of 1/1000 rad/s, with its buffer and its trigger's name set.
package func gyroscopeHubAttributes() -> [String: String] {
  var attributes: [String: String] = [:]
  for (key, value) in hubAttributes() { attributes[key.replacing("accel", with: "anglvel")] = value }
  let own = [
    "name": "gyro_3d", "in_anglvel_y_raw": "0", "in_anglvel_scale": "0.001000",
    "trigger/current_trigger": "gyro_3d-dev1",
  ]
  return attributes.merging(own) { $1 }
}

/// A chip whose accelerometer and gyroscope are one device with one buffer, which reads portrait and no turn.
package func sixAxesAttributes() -> [String: String] {
  var attributes = chipAttributes().merging(gyroscopeAttributes()) { old, _ in old }
  attributes["name"] = "imu"
  attributes["sampling_frequency_available"] = "12.5 25 50 100 200"
  attributes.merge([
    "current_timestamp_clock": "realtime", "buffer/enable": "0", "buffer/length": "2",
    "buffer/watermark": "1", "trigger/current_trigger": "imu-dev0",
    "scan_elements/in_timestamp_en": "0", "scan_elements/in_timestamp_index": "6",
    "scan_elements/in_timestamp_type": "le:s64/64>>0",
  ]) { $1 }
  let channels = ["accel_x", "accel_y", "accel_z", "anglvel_x", "anglvel_y", "anglvel_z"]
  for (index, channel) in channels.enumerated() {
    attributes["scan_elements/in_\(channel)_en"] = "0"
    attributes["scan_elements/in_\(channel)_index"] = "\(index)"
    attributes["scan_elements/in_\(channel)_type"] = "le:s16/16>>0"
  }
  return attributes
}

/// One scan of such a chip with all its channels: forces, rates and a stamp.
package func sixAxesScan(_ counts: [Int16], nanoseconds: Int64) -> [UInt8] {
  func littleEndian<Integer: FixedWidthInteger>(_ value: Integer) -> [UInt8] {
    (0..<Integer.bitWidth / 8).map { UInt8(truncatingIfNeeded: value >> Integer($0 * 8)) }
  }
  let padding = [UInt8](repeating: 0, count: (8 - counts.count * 2 % 8) % 8)
  return counts.flatMap { littleEndian($0) } + padding + littleEndian(nanoseconds)
}

/// What the hub's trigger shows.
package let hubTrigger = ["name": "accel_3d-dev0"]

/// Where devices sit that no test put elsewhere.
package let chipPath = "/sys/devices/platform/chip/iio:device0"
