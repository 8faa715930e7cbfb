// SPDX-License-Identifier: Apache-2.0

/// How a channel's raw values become m/s^2, or the unit of whatever else it measures: (raw + offset) * scale, as the
/// kernel's IIO ABI defines it.
public struct ChannelScale: Equatable, Sendable, BitwiseCopyable {
  /// Added to the raw value, in counts.
  public var offset: Double
  /// What a count is worth, in m/s^2 or that unit.
  public var scale: Double

  /// For attributes that hold the unit already (`in_accel_x_input`).
  static let processed = ChannelScale(offset: 0, scale: 1)

  @inline(__always)
  func acceleration(raw: Double) -> Double { (raw + offset) * scale }

  /// The value in the unit of what is measured.
  func value(raw: Double) -> Double { (raw + offset) * scale }

  /// The raw value, in counts, of which the driver's scale makes this acceleration in m/s^2.
  ///
  /// Exact but for the rounding of Doubles, which is far below a count.
  public func raw(acceleration: Double) -> Double { acceleration / scale - offset }
}

extension ChannelScale {
  /// The scales that a driver is believed.
  ///
  /// The kernel writes at most twelve places after the point (IIO_VAL_*). Up from there, whatever a channel of 64 bits counts, the
  /// result is a number that the filters, which have floats, can hold.
  fileprivate static let credibleScales = 1e-12...1e12
  /// The same of offsets, either way: counts have 18 digits at most.
  fileprivate static let credibleOffsets = -1e18...1e18
}

extension IIOChannel {
  /// The channel's scale and offset; channels may share either, and have no offset.
  ///
  /// - Throws: ``SourceError/missingAttribute(path:)`` without a scale, ``SourceError/malformed(path:text:reason:)``
  ///   where one of them is no number or the scale is zero, or they are of a size that no sensor has.
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

  /// The channel's offset; 0 where it has none.
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
