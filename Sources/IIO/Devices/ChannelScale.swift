// SPDX-License-Identifier: Apache-2.0

/// How to convert a channel's raw values to m/s^2, or to the unit of another quantity: (raw + offset) * scale, as the
/// kernel's IIO ABI defines it.
package struct ChannelScale: Equatable, Sendable, BitwiseCopyable {
  /// The number that is added to the raw value, in counts.
  package var offset: Double
  /// What a count is worth, in m/s^2 or in that other unit.
  package var scale: Double

  /// The scale of attributes that hold the unit already (`in_accel_x_input`).
  static let processed = ChannelScale(offset: 0, scale: 1)

  /// The value in the unit of the measured quantity.
  @inline(__always)
  func value(raw: Double) -> Double { (raw + offset) * scale }

  /// The raw value, in counts, that the driver's scale converts to this acceleration in m/s^2.
  ///
  /// It is exact except for the rounding of Doubles, which is far below a count.
  package func raw(acceleration: Double) -> Double { acceleration / scale - offset }
}

extension ChannelScale {
  /// The scales that are accepted from a driver.
  ///
  /// The kernel writes at most twelve digits after the decimal point (IIO_VAL_*). With scales in these limits, the filters,
  /// which use floats, can hold the result for all values of a 64-bit channel.
  fileprivate static let credibleScales = 1e-12...1e12
  /// The offsets that are accepted from a driver: counts have 18 digits at most.
  fileprivate static let credibleOffsets = -1e18...1e18
}

extension IIOChannel {
  /// The channel's scale and offset; channels may share either, and the offset may be missing.
  ///
  /// - Throws: ``SourceError/missingAttribute(path:)`` if there is no scale, ``SourceError/malformed(path:text:reason:)``
  ///   if one of them is not a number or has a size that no sensor has, or if the scale is zero.
  func scale() throws(SourceError) -> ChannelScale {
    guard let scale = try number("scale") else { throw .missingAttribute(path: path(of: "scale")) }
    guard scale != 0 else {
      throw .malformed(path: path(of: "scale"), text: "0", reason: "a scale other than zero was expected")
    }
    guard ChannelScale.credibleScales.contains(abs(scale)) else {
      throw .malformed(
        path: path(of: "scale"), text: "\(scale)", reason: "a scale from 1e-12 to 1e12 was expected")
    }
    return ChannelScale(offset: try offset(), scale: scale)
  }

  /// The channel's offset; 0 if it has none.
  ///
  /// - Throws: ``SourceError/malformed(path:text:reason:)``
  func offset() throws(SourceError) -> Double {
    let offset = try number("offset") ?? 0
    guard ChannelScale.credibleOffsets.contains(offset) else {
      throw .malformed(
        path: path(of: "offset"), text: "\(offset)", reason: "an offset of at most 1e18 was expected")
    }
    return offset
  }
}
