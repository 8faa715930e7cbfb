// SPDX-License-Identifier: Apache-2.0

// Attributes of light sensors, proximity sensors and compasses, written after what the kernel's drivers show.

/// A VCNL4000: light and proximity in counts, the former with a scale; the near level is the device tree's.
package func lightAndProximityAttributes(
  light: String = "1000", proximity: String = "100", nearLevel: String = "500"
) -> [String: String] {
  [
    "name": "vcnl4000", "in_illuminance_raw": light, "in_illuminance_scale": "0.250000",
    "in_proximity_raw": proximity, "in_proximity_nearlevel": nearLevel,
  ]
}

/// A HID sensor hub's light sensor, in counts of a tenth of a lux, with its buffer and its trigger's name set.
package func lightHubAttributes(_ counts: String = "1234") -> [String: String] {
  var attributes = [
    "name": "als", "in_intensity_both_raw": counts, "in_illuminance_raw": counts,
  ]
  for type in ["intensity", "illuminance"] {
    attributes["in_\(type)_scale"] = "0.100000"
    attributes["in_\(type)_offset"] = "0"
    attributes["in_\(type)_sampling_frequency"] = "10.000000"
    attributes["in_\(type)_hysteresis"] = "0.000000"
  }
  attributes.merge(
    scanElements(["intensity_both": "le:s32/32>>0", "illuminance": "le:s32/32>>0"], trigger: "als-dev0")
  ) { $1 }
  return attributes
}

/// A HID sensor hub's compass, in tenths of a degree, as it is mostly: with the magnetometer's axes, and headings that take
/// the tilt into account.
package func compassHubAttributes(magnetic: String = "900", true trueNorth: String = "930") -> [String:
  String]
{
  var attributes = [
    "name": "magn_3d", "in_magn_x_raw": "1", "in_magn_y_raw": "2", "in_magn_z_raw": "3",
    "in_magn_scale": "0.001000", "in_magn_offset": "0", "in_magn_sampling_frequency": "10.000000",
    "in_rot_from_north_magnetic_tilt_comp_raw": magnetic, "in_rot_from_north_true_tilt_comp_raw": trueNorth,
    "in_rot_scale": "0.100000", "in_rot_offset": "0", "in_rot_sampling_frequency": "10.000000",
  ]
  attributes.merge(
    scanElements(
      [
        "magn_x": "le:s16/32>>0", "magn_y": "le:s16/32>>0", "magn_z": "le:s16/32>>0",
        "rot_from_north_magnetic_tilt_comp": "le:s16/32>>0",
        "rot_from_north_true_tilt_comp": "le:s16/32>>0",
      ], trigger: "magn_3d-dev0")
  ) { $1 }
  return attributes
}

/// What a device shows of its buffer, with these channels in alphabetical order and a time stamp.
private func scanElements(_ formats: [String: String], trigger: String) -> [String: String] {
  var attributes = [
    "current_timestamp_clock": "realtime", "buffer/enable": "0", "buffer/length": "2",
    "buffer/watermark": "1",
    "trigger/current_trigger": trigger,
  ]
  let channels = formats.sorted { $0.key < $1.key } + [(key: "timestamp", value: "le:s64/64>>0")]
  for (index, channel) in channels.enumerated() {
    attributes["scan_elements/in_\(channel.key)_en"] = "0"
    attributes["scan_elements/in_\(channel.key)_index"] = "\(index)"
    attributes["scan_elements/in_\(channel.key)_type"] = channel.value
  }
  return attributes
}

/// A scan of such a light sensor: both its channels have the same.
package func lightHubScan(_ counts: Int32) -> [UInt8] { scan([counts, counts]) }

/// A scan of such a compass: field and headings.
package func compassHubScan(magnetic: Int32, true trueNorth: Int32 = 930) -> [UInt8] {
  scan([1, 2, 3, magnetic, trueNorth])
}

private func scan(_ counts: [Int32]) -> [UInt8] {
  counts.flatMap { count in (0..<4).map { UInt8(truncatingIfNeeded: count >> Int32($0 * 8)) } }
}
