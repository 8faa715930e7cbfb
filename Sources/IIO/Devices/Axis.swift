// SPDX-License-Identifier: Apache-2.0

/// The three axes of an accelerometer, in the order of a sample.
enum Axis: CaseIterable {
  case x, y, z

  /// libiio's id of the axis's channel.
  var channel: String {
    switch self {
    case .x: "accel_x"
    case .y: "accel_y"
    case .z: "accel_z"
    }
  }
}
