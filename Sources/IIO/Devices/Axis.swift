// SPDX-License-Identifier: Apache-2.0

/// What a sensor with three axes measures.
public enum AxisQuantity: Sendable, BitwiseCopyable {
  /// The specific force, in m/s^2: it is an accelerometer.
  case acceleration
  /// The angular velocity, in rad/s: it is a gyroscope.
  case angularVelocity
}

/// The three axes of a sensor, in the order of a sample.
enum Axis: CaseIterable {
  case x, y, z

  /// libiio's id of the accelerometer's channel for the axis.
  var channel: String { channel(of: .acceleration) }

  /// libiio's id of the channel that measures a quantity along the axis.
  func channel(of quantity: AxisQuantity) -> String {
    switch (quantity, self) {
    case (.acceleration, .x): "accel_x"
    case (.acceleration, .y): "accel_y"
    case (.acceleration, .z): "accel_z"
    case (.angularVelocity, .x): "anglvel_x"
    case (.angularVelocity, .y): "anglvel_y"
    case (.angularVelocity, .z): "anglvel_z"
    }
  }
}
