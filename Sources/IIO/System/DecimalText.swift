// SPDX-License-Identifier: Apache-2.0

// The kernel writes raw values and processed ones as plain decimals ("-1024\n", "-9.806650\n"), whatever the
// locale, and never with an exponent. Parsing them by hand costs a sample nothing worth measuring, and allocates
// nothing, which a String would.

/// The number that the bytes spell, blanks and line ends after it allowed; nil if they spell none.
///
/// It is the nearest Double for up to 15 digits, as one exact integer is divided by another; drivers write fewer.
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
