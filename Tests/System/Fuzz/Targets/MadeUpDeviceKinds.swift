// SPDX-License-Identifier: Apache-2.0

// Devices that work, after what the kernel's drivers show.

extension MadeUpDevice {
  /// A chip, a hub with a buffer, a chip whose axes have scales of their own, one that makes m/s^2 itself, a sensor of light
  /// and proximity, and a compass.
  static let kinds: [[String: [UInt8]]] = [chip, hub, unequalChip, processed, light, compass].map { kind in
    kind.mapValues { Array($0.utf8) }
  }

  private static let chip = [
    "name": "kxcjk1013", "label": "accel-display", "in_accel_x_raw": "-20", "in_accel_y_raw": "1024",
    "in_accel_z_raw": "7", "in_accel_scale": "0.009577", "in_accel_sampling_frequency": "12.5",
    "sampling_frequency_available": "0.781 1.563 12.5 25 50", "mount_matrix": "0, 1, 0; 1, 0, 0; 0, 0, 1",
  ]

  private static let hub: [String: String] = {
    var hub = [
      "name": "accel_3d", "in_accel_x_raw": "3", "in_accel_y_raw": "-1000", "in_accel_z_raw": "0",
      "in_accel_scale": "0.009806650", "in_accel_offset": "0", "in_accel_sampling_frequency": "10.0",
      "in_accel_hysteresis": "0.0", "current_timestamp_clock": "realtime", "buffer/enable": "0",
      "buffer/length": "2", "buffer/watermark": "1", "trigger/current_trigger": "accel_3d-dev0",
    ]
    for (index, channel) in ["accel_x", "accel_y", "accel_z", "timestamp"].enumerated() {
      hub["scan_elements/in_\(channel)_en"] = "0"
      hub["scan_elements/in_\(channel)_index"] = "\(index)"
      hub["scan_elements/in_\(channel)_type"] = index < 3 ? "le:s16/32>>0" : "le:s64/64>>0"
    }
    return hub
  }()

  private static let unequalChip = [
    "name": "kxsd9", "in_accel_x_raw": "10", "in_accel_y_raw": "10", "in_accel_z_raw": "10",
    "in_accel_x_scale": "0.5", "in_accel_y_scale": "0.25", "in_accel_z_scale": "2", "in_accel_x_offset": "2",
    "in_accel_y_offset": "-4.5", "sampling_frequency": "25", "location": "lid",
    "sampling_frequency_available": "[5 0.5 200]", "in_mount_matrix": "1, 0, 0; 0, 1, 0; 0, 0, 1",
  ]

  private static let processed = [
    "name": "st_accel", "in_accel_x_input": "-0.123456", "in_accel_y_input": "9.806650",
    "in_accel_z_input": "0.5", "udev.ACCEL_MOUNT_MATRIX": "-1, 0, 0; 0, -1, 0; 0, 0, 1",
    "udev.ACCEL_LOCATION": "display",
  ]

  private static let light = [
    "name": "vcnl4000", "in_illuminance_raw": "1000", "in_illuminance_scale": "0.25",
    "in_illuminance_offset": "1", "in_illuminance_integration_time": "0.1", "in_proximity_raw": "600",
    "in_proximity_nearlevel": "500", "in_illuminance_sampling_frequency": "1",
    "in_illuminance_sampling_frequency_available": "1 5 10",
  ]

  private static let compass = [
    "name": "magn_3d", "in_magn_x_raw": "1", "in_rot_from_north_magnetic_tilt_comp_raw": "900",
    "in_rot_scale": "0.1", "in_rot_offset": "0", "in_rot_sampling_frequency": "10",
    "scan_elements/in_magn_x_en": "0", "scan_elements/in_magn_x_index": "0",
    "scan_elements/in_magn_x_type": "le:s16/32>>0",
  ]
}
