// SPDX-License-Identifier: Apache-2.0

extension IIODevice {
  /// The names that drivers of hinge sensors give their devices: hid-sensor-custom-intel-hinge and cros_ec_lid_angle.
  ///
  /// Other devices with angles are encoders of motors and of knobs.
  private static let hingeNames = ["hinge", "cros-ec-lid-angle"]

  /// The id of the channel that measures the angle of the machine's hinge; nil if it has none.
  ///
  /// Intel's hub also has the angles of screen and keyboard, with higher numbers.
  var hingeChannel: String? {
    guard let name, Self.hingeNames.contains(name) else { return nil }
    return ["angl0", "angl"].first { inputChannel($0)?.has("raw") ?? false }
  }
}
