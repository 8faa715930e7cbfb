// SPDX-License-Identifier: Apache-2.0

extension String {
  /// Whether it comes before another text when the numbers in both are compared as numbers: ".9.auto" before ".10.auto".
  ///
  /// Numbers can have any length. A number that begins with zero has a fixed width, and perhaps hexadecimal digits, as those of HID
  /// devices ("0018:8087:0AC2.000A"): it is compared digit by digit.
  package func naturallyPrecedes(_ other: String) -> Bool {
    let (one, other) = (Array(utf8), Array(other.utf8))
    var start = 0
    var index = 0
    while index < one.count, index < other.count, one[index] == other[index] {
      index += 1
      // A number may begin before the first difference.
      if !one[index - 1].isDigit { start = index }
    }
    let digits = (one[start...].prefix { $0.isDigit }, other[start...].prefix { $0.isDigit })
    if digits.0.count != digits.1.count, digits.0.isPlainNumber, digits.1.isPlainNumber {
      return digits.0.count < digits.1.count
    }
    return one.lexicographicallyPrecedes(other)
  }
}

extension UInt8 {
  fileprivate var isDigit: Bool { self >= UInt8(ascii: "0") && self <= UInt8(ascii: "9") }
}

extension ArraySlice<UInt8> {
  /// Whether these digits are a number without leading zeros.
  fileprivate var isPlainNumber: Bool { first.map { $0 != UInt8(ascii: "0") } ?? false }
}
