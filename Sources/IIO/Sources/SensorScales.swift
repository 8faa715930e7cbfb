// SPDX-License-Identifier: Apache-2.0

import Orientation

/// The scales of the three axes of an accelerometer, to convert accelerations back to the driver's counts.
package struct SensorScales: Equatable, Sendable {
  /// The scale of x.
  package let x: ChannelScale
  /// The scale of y.
  package let y: ChannelScale
  /// The scale of z.
  package let z: ChannelScale
}

extension SensorScales {
  /// Reads the scales.
  ///
  /// - Throws: ``SourceError``: `vanished`, `missingAttribute` without a scale, or `malformed`.
  package init(of sensor: SensorDescription) throws(SourceError) {
    guard sensor.interface == .iio else {
      // It is powered meanwhile.
      self = try InputAxes(of: sensor).scales
      return
    }
    let device = try sensor.presentDevice()
    self.init(
      x: try device.axis(.x, measuring: sensor.quantity).scale,
      y: try device.axis(.y, measuring: sensor.quantity).scale,
      z: sensor.lacksZ ? .processed : try device.axis(.z, measuring: sensor.quantity).scale)
  }
}

extension IIODevice {
  /// The channel of an axis, the attribute with its value, and how to convert that to m/s^2, or to rad/s.
  ///
  /// - Throws: ``SourceError``: `missingAttribute` without the channel or its scale, `malformed`.
  func axis(
    _ axis: Axis, measuring quantity: AxisQuantity
  ) throws(SourceError) -> (channel: IIOChannel, attribute: String, scale: ChannelScale) {
    let id = axis.channel(of: quantity)
    guard let channel = inputChannel(id) else {
      throw .missingAttribute(path: "\(directory)/in_\(id)_raw")
    }
    let isProcessed = !channel.has("raw") && channel.has("input")
    return isProcessed ? (channel, "input", .processed) : (channel, "raw", try channel.scale())
  }
}
