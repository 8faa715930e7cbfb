// SPDX-License-Identifier: Apache-2.0

import CIIO
import CLinux

// libiio's devices and channels belong to their context: these are views, which stay inside this module and
// are used only while the context is held.

/// A device of an ``IIOContext``.
struct IIODevice {
  let pointer: OpaquePointer

  var id: String { iio_device_get_id(pointer).map { String(cString: $0) } ?? "" }
  var name: String? { iio_device_get_name(pointer).map { String(cString: $0) } }
  var label: String? { iio_device_get_label(pointer).map { String(cString: $0) } }
  var isTrigger: Bool { iio_device_is_trigger(pointer) }

  /// Where the device's files are on this machine.
  var directory: String { "\(IIOContext.devicesDirectory)/\(id)" }

  func inputChannel(_ name: String) -> IIOChannel? {
    iio_device_find_channel(pointer, name, false).map { IIOChannel(pointer: $0, directory: directory) }
  }

  /// The text of an attribute of the device; nil where there is none.
  func attribute(_ name: String) throws(SourceError) -> String? {
    guard iio_device_find_attr(pointer, name) != nil else { return nil }
    return try readText(path: "\(directory)/\(name)") { iio_device_attr_read(pointer, name, $0, $1) }
  }

  /// Writes an attribute of the device's buffer; returns 0 or an errno.
  func write(_ text: String, toBuffer name: String) -> CInt {
    let result = iio_device_buffer_attr_write(pointer, name, text)
    return result < 0 ? CInt(clamping: -result) : 0
  }

  /// The channels that can be part of a scan.
  var scanElements: [IIOChannel] {
    (0..<iio_device_get_channels_count(pointer)).compactMap { index in
      iio_device_get_channel(pointer, index).map { IIOChannel(pointer: $0, directory: directory) }
    }.filter { $0.isScanElement }
  }

  /// Writes an attribute; returns 0 or an errno, because what a refusal means depends on the attribute.
  func write(_ text: String, to name: String) -> CInt {
    let result = iio_device_attr_write(pointer, name, text)
    return result < 0 ? CInt(clamping: -result) : 0
  }
}

/// A channel of an ``IIODevice``.
struct IIOChannel {
  let pointer: OpaquePointer
  let directory: String

  var id: String { iio_channel_get_id(pointer).map { String(cString: $0) } ?? "" }
  /// What libiio keeps apart from the id where it does not know all of it, such as "tilt_comp"; mostly nil.
  var name: String? { iio_channel_get_name(pointer).map { String(cString: $0) } }
  /// What the channel's files in scan_elements start with.
  var scanElementName: String { name.map { "in_\(id)_\($0)" } ?? "in_\(id)" }
  var isScanElement: Bool { iio_channel_is_scan_element(pointer) }
  /// The place of the channel among those of a scan.
  var scanIndex: Int { iio_channel_get_index(pointer) }

  func has(_ attribute: String) -> Bool { iio_channel_find_attr(pointer, attribute) != nil }

  /// The path of the file that holds an attribute, which channels may share.
  func path(of attribute: String) -> String {
    guard let name = iio_channel_attr_get_filename(pointer, attribute) else {
      return "\(directory)/in_\(id)_\(attribute)"
    }
    return "\(directory)/\(String(cString: name))"
  }

  /// The text of an attribute; nil where there is none.
  func attribute(_ name: String) throws(SourceError) -> String? {
    guard has(name) else { return nil }
    return try readText(path: path(of: name)) { iio_channel_attr_read(pointer, name, $0, $1) }
  }

  /// The number that an attribute holds; nil where there is no such attribute.
  func number(_ name: String) throws(SourceError) -> Double? {
    guard let text = try attribute(name) else { return nil }
    guard let number = finiteNumber(text[...]) else {
      throw .malformed(path: path(of: name), text: text, reason: "a number was expected")
    }
    return number
  }

  func write(_ text: String, to name: String) -> CInt {
    let result = iio_channel_attr_write(pointer, name, text)
    return result < 0 ? CInt(clamping: -result) : 0
  }
}

/// Reads an attribute by a call that returns its length or a negative errno; nil where it does not exist.
private func readText(
  path: String, by read: (UnsafeMutablePointer<CChar>, Int) -> Int
) throws(SourceError) -> String? {
  // sysfs shows at most a page.
  let capacity = 4096
  var text = ""
  let result = withUnsafeTemporaryAllocation(of: CChar.self, capacity: capacity) { bytes -> Int in
    guard let start = bytes.baseAddress else { return -Int(ENOMEM) }
    start[0] = 0
    let result = read(start, capacity - 1)
    guard result > 0 else { return result }
    start[min(result, capacity - 1)] = 0
    text = String(cString: start)
    return result
  }
  if result == -Int(ENOENT) { return nil }
  guard result >= 0 else {
    throw SourceError(code: CInt(clamping: -result), subject: path, operation: "reading")
  }
  return String(trimmed(text[...]))
}

/// The text without blanks, line ends and zero bytes around it.
func trimmed(_ text: Substring) -> Substring {
  func isBlank(_ byte: UInt8) -> Bool { byte <= 0x20 }
  let bytes = text.utf8
  guard let first = bytes.firstIndex(where: { !isBlank($0) }),
    let last = bytes.lastIndex(where: { !isBlank($0) })
  else { return "" }
  return text[first...last]
}

/// The finite number that the text is, in decimal, whatever the locale; nil for anything else.
func finiteNumber(_ text: Substring) -> Double? {
  // Double would take hexadecimal numbers too.
  guard !text.utf8.contains(where: { $0 == UInt8(ascii: "x") || $0 == UInt8(ascii: "X") }) else { return nil }
  guard let number = Double(trimmed(text)), number.isFinite else { return nil }
  return number
}
