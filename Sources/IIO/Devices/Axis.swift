// SPDX-License-Identifier: Apache-2.0

import Orientation

/// What a sensor with three axes measures, by the kernel's names for the types of channels.
package enum AxisQuantity: String, Sendable, BitwiseCopyable {
  /// The specific force, in m/s^2: it is an accelerometer.
  case acceleration = "accel"
  /// Gravity as a hub has calculated it, in m/s^2: some have no other sensor for it.
  case gravity
  /// The angular velocity, in rad/s: it is a gyroscope.
  case angularVelocity = "anglvel"
}

extension Axis {
  /// The id of the accelerometer's channel for the axis.
  var channel: String { channel(of: .acceleration) }

  /// The id of the channel that measures a quantity along the axis.
  func channel(of quantity: AxisQuantity) -> String { "\(quantity.rawValue)_\(rawValue)" }
}

extension IIODevice {
  /// What tells which way up the device is, of what it measures; nil if nothing does.
  var accelerometer: AxisQuantity? {
    [.acceleration, .gravity].first { axes(measuring: $0) != nil }
  }

  /// The channels of a quantity's axes; nil if one is missing.
  ///
  /// Some accelerometers have only x and y (`mxc6255`): they see the edges of a screen, but not its face.
  func axes(measuring quantity: AxisQuantity) -> [IIOChannel]? {
    let axes = Axis.allCases.compactMap { inputChannel($0.channel(of: quantity)) }
    return axes.count == 3 || lacksZ(measuring: quantity) ? axes : nil
  }

  /// Whether the quantity is that of an accelerometer, and it has the axes x and y only.
  func lacksZ(measuring quantity: AxisQuantity) -> Bool {
    quantity == .acceleration && inputChannel(Axis.z.channel) == nil && inputChannel(Axis.x.channel) != nil
      && inputChannel(Axis.y.channel) != nil
  }
}
