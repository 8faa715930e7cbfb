// SPDX-License-Identifier: Apache-2.0

// This folder: the touchscreens and pens, which work on the glass of a screen.

import CLinux
import CX11

/// An input device of the server.
struct TouchDevice {
  /// Its number at the server.
  let id: CInt

  /// Takes a device on which people touch what they see; nil for another one, such as a mouse, a touchpad, or a drawing tablet without
  /// a screen.
  ///
  /// - Parameters:
  ///   - info: what the server says of it.
  ///   - node: reads its file, such as "/dev/input/event3"; nil if it has none.
  init?(_ info: XIDeviceInfo, node: () -> String?) {
    guard info.use == XISlavePointer || info.use == XIFloatingSlave else { return nil }
    id = info.deviceid
    let classes = UnsafeBufferPointer(start: info.classes, count: Int(info.num_classes)).compactMap { $0 }
    if classes.contains(where: Self.isTouchscreen) { return }
    guard classes.contains(where: Self.isPosition), node().map(Self.isOnGlass) ?? false else { return nil }
  }

  private static func isTouchscreen(_ info: UnsafeMutablePointer<XIAnyClassInfo>) -> Bool {
    guard info.pointee.type == XITouchClass else { return false }
    return UnsafeRawPointer(info).load(as: XITouchClassInfo.self).mode == XIDirectTouch
  }

  /// Whether this is where on the device the pen is.
  private static func isPosition(_ info: UnsafeMutablePointer<XIAnyClassInfo>) -> Bool {
    guard info.pointee.type == XIValuatorClass else { return false }
    let valuator = UnsafeRawPointer(info).load(as: XIValuatorClassInfo.self)
    return valuator.number == 0 && valuator.mode == XIModeAbsolute
  }

  /// Whether the kernel says that the device is on a screen (INPUT_PROP_DIRECT).
  ///
  /// Drawing tablets and virtual machines' mice have positions, too.
  private static func isOnGlass(_ node: String) -> Bool {
    let name = node.split(separator: "/").last.map(String.init) ?? ""
    let file = open("/sys/class/input/\(name)/device/properties", O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return false }
    defer { close(file) }
    var text = [UInt8](repeating: 0, count: 64)
    let count = read(file, &text, text.count)
    guard count > 0 else { return false }
    // In hexadecimal; if there are several words, the last one has the lowest bits.
    let word =
      String(decoding: text[..<count], as: UTF8.self).split(whereSeparator: \.isWhitespace).last ?? ""
    return (UInt(word, radix: 16) ?? 0) & 1 << inputOnScreenProperty != 0
  }

  /// INPUT_PROP_DIRECT.
  private static let inputOnScreenProperty: UInt = 1
}
