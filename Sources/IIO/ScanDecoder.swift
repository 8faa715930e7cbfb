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
  ///   - channels: the channels that are enabled, in any order.
  ///   - name: the device's, for errors.
  /// - Throws: ``SourceError``: `noBuffer` without scan elements, `missingAttribute` or `malformed` for a format or a
  ///   scale.
  init(scansOf channels: [IIOChannel], name: String) throws(SourceError) {
    var elements: [(channel: IIOChannel, format: ScanFormat)] = []
    for channel in channels { elements.append((channel, try channel.scanFormat())) }
    let layout = ScanLayout(
      elements.map { ScanLayout.Element(index: $0.channel.scanIndex, format: $0.format) })
    func axis(_ axis: Axis) throws(SourceError) -> ScanAxis {
      guard let element = elements.first(where: { $0.channel.id == axis.channel }),
        let offset = layout.offset(ofIndex: element.channel.scanIndex)
      else { throw .noBuffer(device: name, reason: "\(axis.channel) is no scan element") }
      return ScanAxis(byteOffset: offset, format: element.format, scale: try element.channel.scale())
    }
    x = try axis(.x)
    y = try axis(.y)
    z = try axis(.z)
    let stamp = elements.first { $0.channel.id == "timestamp" }
    if let stamp, let offset = layout.offset(ofIndex: stamp.channel.scanIndex) {
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
