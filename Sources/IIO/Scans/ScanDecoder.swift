// SPDX-License-Identifier: Apache-2.0

import Orientation

/// Converts the bytes of a scan to samples, with offsets, formats and scales that are prepared once.
struct ScanDecoder: BitwiseCopyable {
  private let x: ScanAxis
  private let y: ScanAxis
  private let z: ScanAxis
  /// The place of the driver's time stamp; nil if a scan has none.
  private let timestamp: ScanElement?
  /// The bytes that each scan takes.
  let scanSize: Int

  /// Prepares to decode scans that contain these channels.
  ///
  /// - Parameters:
  ///   - channels: the enabled channels, in any order; those that a sample does not need are ignored.
  ///   - name: the device's name, for errors.
  ///   - quantity: what the sample measures.
  ///   - lacksZ: whether the sensor has only the axes x and y.
  /// - Throws: ``SourceError``: `noBuffer` without scan elements or with an invalid format, `missingAttribute` or
  ///   `malformed` for a scale.
  init(
    scansOf channels: [IIOChannel], name: String, measuring quantity: AxisQuantity = .acceleration,
    lacksZ: Bool = false
  ) throws(SourceError) {
    var scan: [ScanChannel] = []
    for channel in channels {
      scan.append(try channel.scanChannel())
    }
    try self.init(scansOf: scan, name: name, measuring: quantity, lacksZ: lacksZ) {
      (axis) throws(SourceError) in
      let id = axis.channel(of: quantity)
      let channel = channels.first { $0.id == id }
      return try channel?.scale() ?? .processed
    }
  }

  /// Prepares to decode scans whose channels are known.
  ///
  /// - Parameters:
  ///   - channels: the enabled channels, in any order.
  ///   - name: the device's name, for errors.
  ///   - quantity: what the sample measures.
  ///   - lacksZ: whether the sensor has only the axes x and y.
  ///   - scale: called for the scale of each axis.
  /// - Throws: ``SourceError``: `noBuffer` if an axis is missing or channels contradict each other, and the errors of
  ///   `scale`.
  init(
    scansOf channels: [ScanChannel], name: String, measuring quantity: AxisQuantity = .acceleration,
    lacksZ: Bool = false,
    scale: (Axis) throws(SourceError) -> ChannelScale
  ) throws(SourceError) {
    let layout = try ScanLayout(channels, of: name)
    func axis(_ axis: Axis) throws(SourceError) -> ScanAxis {
      ScanAxis(element: try layout.element(axis.channel(of: quantity)), scale: try scale(axis))
    }
    x = try axis(.x)
    y = try axis(.y)
    // An axis that the sensor does not have reads zero.
    z = lacksZ ? ScanAxis(element: x.element, scale: ChannelScale(offset: 0, scale: 0)) : try axis(.z)
    timestamp = try? layout.element("timestamp")
    scanSize = layout.scanSize
  }

  /// Decodes the three axes of the scan at this address, in m/s^2; in rad/s if that is the quantity.
  @inline(__always)
  func acceleration(at scan: UnsafeRawPointer) -> Acceleration<SensorFrame> {
    Acceleration(x: x.acceleration(at: scan), y: y.acceleration(at: scan), z: z.acceleration(at: scan))
  }

  /// The driver's time stamp of the scan at this address, on the clock that the driver uses.
  @inline(__always)
  func timestamp(at scan: UnsafeRawPointer) -> BootTime? {
    guard let timestamp else { return nil }
    let bits = timestamp.format.bitPattern(at: scan + timestamp.offset)
    return BootTime(nanoseconds: Int64(bitPattern: bits))
  }
}

/// The place of an axis in a scan, and how to convert it to m/s^2.
private struct ScanAxis: BitwiseCopyable {
  let element: ScanElement
  let scale: ChannelScale

  @inline(__always)
  func acceleration(at scan: UnsafeRawPointer) -> Double {
    scale.value(raw: element.value(inScanAt: scan))
  }
}
