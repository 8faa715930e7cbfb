// SPDX-License-Identifier: Apache-2.0

import CLinux
import Orientation

// The kernel writes raw and processed values as plain decimals ("-1024\n", "-9.806650\n") in every locale, and never with
// an exponent. Parsing them here takes no measurable time per sample, and allocates nothing, which a String would.

/// The number in the bytes, which blanks and line ends may follow; nil if they are not a number.
///
/// The result is the nearest Double for up to 15 digits, because one exact integer is divided by another; drivers write
/// fewer.
func decimalNumber(_ bytes: UnsafeRawBufferPointer) -> Double? {
  var position = 0
  var isNegative = false
  if bytes.count > 0, bytes[0] == UInt8(ascii: "-") {
    isNegative = true
    position = 1
  }
  var digits: Int64 = 0
  var divisor = 1.0
  var digitCount = 0
  var sawPoint = false
  while position < bytes.count {
    let byte = bytes[position]
    if byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "9") {
      guard digitCount < 18 else { return nil }
      digits = digits &* 10 &+ Int64(byte &- UInt8(ascii: "0"))
      digitCount &+= 1
      if sawPoint { divisor *= 10 }
    } else if byte == UInt8(ascii: "."), !sawPoint {
      sawPoint = true
    } else {
      break
    }
    position &+= 1
  }
  guard digitCount > 0 else { return nil }
  while position < bytes.count {
    guard bytes[position] <= UInt8(ascii: " ") else { return nil }
    position &+= 1
  }
  let magnitude = Double(digits) / divisor
  return isNegative ? -magnitude : magnitude
}

/// The text without blanks, line ends and zero bytes around it.
func trimmed(_ text: Substring) -> Substring { Substring(trimmed(text.utf8)) }

/// The bytes of a text without those around it.
func trimmed<Text: BidirectionalCollection<UInt8>>(_ bytes: Text) -> Text.SubSequence {
  let isNoBlank = { (byte: UInt8) in byte > 0x20 }
  guard let first = bytes.firstIndex(where: isNoBlank), let last = bytes.lastIndex(where: isNoBlank) else {
    return bytes[bytes.endIndex...]
  }
  return bytes[first...last]
}

/// The finite number in a decimal text, in every locale; nil for any other text.
func finiteNumber(_ text: Substring) -> Double? {
  // Double would accept hexadecimal numbers too.
  guard !text.utf8.contains(where: { $0 == UInt8(ascii: "x") || $0 == UInt8(ascii: "X") }) else { return nil }
  guard let number = Double(numeral: String(trimmed(text))), number.isFinite else { return nil }
  return number
}

extension String {
  /// Whether it comes before another text when the numbers in both are compared as numbers: ".9.auto" before ".10.auto".
  ///
  /// Numbers can have any length. One that begins with zero has a fixed width, and perhaps hexadecimal digits, as those of HID
  /// devices ("0018:8087:0AC2.000A"): it is compared digit by digit.
  package func naturallyPrecedes(_ other: String) -> Bool { strverscmp(self, other) < 0 }
}
