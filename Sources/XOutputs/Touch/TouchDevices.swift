// SPDX-License-Identifier: Apache-2.0

import CX11

/// The touchscreens and pens of the server, and where on the screen their points are.
final class TouchDevices {
  private let display: OpaquePointer
  private let matrix: Atom
  private let float: Atom
  private let node: Atom
  /// Their numbers at the server, and where each was mapped last.
  private var devices: [(number: CInt, place: TouchPlace?)] = []

  /// Takes the connection, which must outlive this.
  init(display: OpaquePointer) {
    self.display = display
    matrix = XInternAtom(display, "Coordinate Transformation Matrix", 0)
    float = XInternAtom(display, "FLOAT", 0)
    node = XInternAtom(display, "Device Node", 0)
  }

  /// Reads which devices there are.
  func refresh() {
    var count: CInt = 0
    guard let list = XIQueryDevice(display, XIAllDevices, &count) else { return devices = [] }
    defer { XIFreeDeviceInfo(list) }
    let before = devices
    devices = UnsafeBufferPointer(start: list, count: Int(count)).compactMap { info in
      guard info.isTouched(node: { nodeName(of: info.deviceid) }) else { return nil }
      return (info.deviceid, before.first { $0.number == info.deviceid }?.place)
    }
  }

  /// Maps all devices.
  ///
  /// A device that is unplugged meanwhile has no matrix, or the server refuses it; neither matters.
  func map(_ mapping: TouchMapping) {
    for index in devices.indices {
      let device = devices[index]
      guard let present = matrix(of: device.number) else { continue }
      let place = mapping.place(of: present, after: device.place)
      devices[index].place = place
      if !place.matrix.isNear(present) { set(place.matrix, of: device.number) }
    }
  }

  private func set(_ new: TouchMatrix, of device: CInt) {
    var values = new.values
    values.withUnsafeMutableBytes {
      XIChangeProperty(
        display, device, matrix, float, 32, PropModeReplace,
        $0.bindMemory(to: UInt8.self).baseAddress, CInt(new.values.count))
    }
    XFlush(display)
  }

  private func matrix(of device: CInt) -> TouchMatrix? {
    read(matrix, of: device, type: float) { bytes in
      bytes.count == 9 * MemoryLayout<Float>.size
        ? TouchMatrix(values: (0..<9).map { bytes.loadUnaligned(fromByteOffset: $0 * 4, as: Float.self) })
        : nil
    }
  }

  private func nodeName(of device: CInt) -> String? {
    read(node, of: device, type: XA_STRING) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
  }

  /// Nil if the device has no such property.
  private func read<Value>(
    _ property: Atom, of device: CInt, type: Atom, as value: (UnsafeRawBufferPointer) -> Value?
  ) -> Value? {
    var (actualType, format, count, rest): (Atom, CInt, CUnsignedLong, CUnsignedLong) = (0, 0, 0, 0)
    var data: UnsafeMutablePointer<UInt8>?
    // In words of 32 bits.
    let longest = 1024
    guard
      XIGetProperty(
        display, device, property, 0, longest, 0, type, &actualType, &format, &count, &rest, &data) == Success
    else { return nil }
    defer { if let data { XFree(data) } }
    guard let data, actualType == type else { return nil }
    return value(UnsafeRawBufferPointer(start: data, count: Int(count) * Int(format) / 8))
  }
}
