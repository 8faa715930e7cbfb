// SPDX-License-Identifier: Apache-2.0

/// What a HID sensor hub shows of its buffer's scans, as umockdev-run(1) takes it.
let hubScanElements = """
  A: scan_elements/in_accel_x_en=0\\n
  A: scan_elements/in_accel_x_index=0\\n
  A: scan_elements/in_accel_x_type=le:s16/32>>0\\n
  A: scan_elements/in_accel_y_en=0\\n
  A: scan_elements/in_accel_y_index=1\\n
  A: scan_elements/in_accel_y_type=le:s16/32>>0\\n
  A: scan_elements/in_accel_z_en=0\\n
  A: scan_elements/in_accel_z_index=2\\n
  A: scan_elements/in_accel_z_type=le:s16/32>>0\\n
  """
