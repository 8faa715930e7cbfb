// SPDX-License-Identifier: Apache-2.0

// Devices for which libiio 0.24 refuses the whole machine they are in.

/// A HID sensor hub's compass that has two headings of the same north, with its buffer.
///
/// Of in_rot_from_north_magnetic and in_rot_from_north_magnetic_tilt_comp libiio makes one channel, and fails on the second
/// file that says whether this is enabled.
package func oddCompassAttributes() -> [String: String] {
  var attributes = ["name": "magn_3d", "buffer/enable": "0", "buffer/length": "2"]
  let channels = [
    "magn_x", "magn_y", "magn_z", "rot_from_north_magnetic", "rot_from_north_magnetic_tilt_comp",
  ]
  for (index, channel) in channels.enumerated() {
    attributes["in_\(channel)_raw"] = "0"
    attributes.merge(scanElement(channel, index: index)) { old, _ in old }
  }
  return attributes
}

/// A Bosch BNO055: an accelerometer that is itself the odd device, as libiio does not know linear acceleration.
package func oddChipAttributes() -> [String: String] {
  var attributes = ["name": "bno055", "in_accel_scale": "0.01", "in_accel_linear_scale": "0.01"]
  let channels = ["accel_x", "accel_y", "accel_z", "accel_linear_x", "accel_linear_y", "accel_linear_z"]
  for (index, channel) in channels.enumerated() {
    attributes["in_\(channel)_raw"] = channel == "accel_y" ? "-981" : "0"
    attributes.merge(scanElement(channel, index: index)) { old, _ in old }
  }
  return attributes
}

/// What the kernel shows of a channel that can be part of a scan.
private func scanElement(_ channel: String, index: Int) -> [String: String] {
  [
    "scan_elements/in_\(channel)_en": "0", "scan_elements/in_\(channel)_index": "\(index)",
    "scan_elements/in_\(channel)_type": "le:s16/32>>0",
  ]
}
