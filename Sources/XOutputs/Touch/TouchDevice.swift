// SPDX-License-Identifier: Apache-2.0

// This folder: the touchscreens and pens, which work on the glass of a screen.

import CLinux
import CX11

extension XIDeviceInfo {
  /// Whether people touch on this input device what they see; not on a mouse, a touchpad, or a drawing tablet without a screen.
  ///
  /// - Parameter node: reads its file, such as "/dev/input/event3"; nil if it has none.
  /// - Returns: whether it is a touchscreen or a pen on a screen.
  func isTouched(node: () -> String?) -> Bool {
    guard use == XISlavePointer || use == XIFloatingSlave else { return false }
    let classes = UnsafeBufferPointer(start: classes, count: Int(num_classes)).compactMap { $0 }
    return classes.contains(where: Self.isTouchscreen)
      || classes.contains(where: Self.isPosition) && node().map(Self.isOnGlass) ?? false
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
    var text = [UInt8](repeating: 0, count: 64)
    let count = readFile("/sys/class/input/\(name)/device/properties", into: &text, text.count)
    guard count > 0 else { return false }
    // In hexadecimal; if there are several words, the last one has the lowest bits.
    let word =
      String(decoding: text[..<count], as: UTF8.self).split(whereSeparator: { $0 == " " || $0 == "\n" }).last
      ?? ""
    // INPUT_PROP_DIRECT.
    return (UInt(word, radix: 16) ?? 0) & 1 << 1 != 0
  }
}
