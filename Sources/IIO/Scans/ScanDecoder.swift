// SPDX-License-Identifier: Apache-2.0

import Orientation

/// Makes samples of the bytes of a scan, by offsets, formats and scales prepared once.
struct ScanDecoder: BitwiseCopyable {
  private let x: ScanAxis
  private let y: ScanAxis
  private let z: ScanAxis
  private let timestamp: ScanTimestamp
  /// The bytes that each scan takes.
  let scanSize: Int

  /// Prepares decoding scans that hold these channels.
  ///
  /// - Parameters:
  ///   - channels: the channels that are enabled, in any order; those that no sample needs are passed over.
  ///   - name: the device's, for errors.
  /// - Throws: ``SourceError``: `noBuffer` without scan elements or with a format that makes no sense, `missingAttribute`
  ///   or `malformed` for a scale.
  init(scansOf channels: [IIOChannel], name: String) throws(SourceError) {
    var scan: [ScanChannel] = []
    for channel in channels {
      scan.append(ScanChannel(id: channel.id, index: channel.scanIndex, format: try channel.scanFormat()))
    }
    try self.init(scansOf: scan, name: name) { (axis) throws(SourceError) in
      let channel = channels.first { $0.id == axis.channel }
      return try channel?.scale() ?? .processed
    }
  }

  /// Prepares decoding scans of which everything is known.
  ///
  /// - Parameters:
  ///   - channels: the channels that are enabled, in any order.
  ///   - name: the device's, for errors.
  ///   - scale: asked for the scale of each axis.
  /// - Throws: ``SourceError``: `noBuffer` where an axis is missing, or channels contradict each other, and what `scale` throws.
  init(
    scansOf channels: [ScanChannel], name: String, scale: (Axis) throws(SourceError) -> ChannelScale
  ) throws(SourceError) {
    let layout = try ScanLayout(
      channels.map { ScanLayout.Element(index: $0.index, format: $0.format) }, of: name)
    func axis(_ axis: Axis) throws(SourceError) -> ScanAxis {
      guard let channel = channels.first(where: { $0.id == axis.channel }),
        let offset = layout.offset(ofIndex: channel.index)
      else { throw .noBuffer(device: name, reason: "\(axis.channel) is no scan element") }
      return ScanAxis(byteOffset: offset, format: channel.format, scale: try scale(axis))
    }
    x = try axis(.x)
    y = try axis(.y)
    z = try axis(.z)
    if let stamp = channels.first(where: { $0.id == "timestamp" }),
      let offset = layout.offset(ofIndex: stamp.index)
    {
      timestamp = .nanoseconds(byteOffset: offset, format: stamp.format)
    } else {
      timestamp = .none
    }
    scanSize = layout.scanSize
  }

  /// Decodes the three axes of the scan at this address, in m/s^2.
  @inline(__always)
  func acceleration(at scan: UnsafeRawPointer) -> Acceleration<SensorFrame> {
    Acceleration(x: x.acceleration(at: scan), y: y.acceleration(at: scan), z: z.acceleration(at: scan))
  }

  /// The driver's stamp of the scan at this address, on whatever clock the driver uses.
  @inline(__always)
  func timestamp(at scan: UnsafeRawPointer) -> BootTime? {
    switch timestamp {
    case .none: nil
    case .nanoseconds(let byteOffset, let format):
      BootTime(nanoseconds: Int64(bitPattern: format.bitPattern(at: scan + byteOffset)))
    }
  }
}

/// A channel that scans hold.
struct ScanChannel {
  /// libiio's id of it, such as "accel_x".
  var id: String
  /// Its place among the channels of a scan.
  var index: Int
  /// How its values are stored.
  var format: ScanFormat
}

/// Where one axis is in a scan, and how to make m/s^2 of it.
private struct ScanAxis: BitwiseCopyable {
  let byteOffset: Int
  let format: ScanFormat
  let scale: ChannelScale

  @inline(__always)
  func acceleration(at scan: UnsafeRawPointer) -> Double {
    scale.acceleration(raw: format.value(at: scan + byteOffset))
  }
}

/// Where the time stamp is in a scan, if anywhere.
private enum ScanTimestamp: BitwiseCopyable {
  case none
  case nanoseconds(byteOffset: Int, format: ScanFormat)
}
