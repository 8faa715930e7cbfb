// SPDX-License-Identifier: Apache-2.0

/// The scales of the three axes of an accelerometer, to convert accelerations back to the driver's counts.
public struct SensorScales: Equatable, Sendable {
  /// The scale of x.
  public let x: ChannelScale
  /// The scale of y.
  public let y: ChannelScale
  /// The scale of z.
  public let z: ChannelScale

  /// Creates scales.
  init(x: ChannelScale, y: ChannelScale, z: ChannelScale) {
    self.x = x
    self.y = y
    self.z = z
  }

  /// Reads the scales.
  ///
  /// - Parameters:
  ///   - sensor: a sensor of the context.
  ///   - context: the context of the sensor.
  /// - Throws: ``SourceError``: `vanished`, `missingAttribute` without a scale, or `malformed`.
  public init(of sensor: SensorDescription, in context: borrowing IIOContext) throws(SourceError) {
    guard let device = context.device(sensor.id) else { throw .vanished(device: sensor.displayName) }
    x = try device.scale(of: .x)
    y = try device.scale(of: .y)
    z = try device.scale(of: .z)
  }
}

extension IIODevice {
  fileprivate func scale(of axis: Axis) throws(SourceError) -> ChannelScale {
    guard let channel = inputChannel(axis.channel) else {
      throw .missingAttribute(path: "\(directory)/in_\(axis.channel)_raw")
    }
    return !channel.has("raw") && channel.has("input") ? .processed : try channel.scale()
  }
}
