// SPDX-License-Identifier: Apache-2.0

/// A number rounded to a number of decimal places, such as "-0.250" for three.
///
/// A number that is too large for an integer, an infinity and NaN are written as Swift writes them, such as "1e+300". No time,
/// rate or acceleration is so large, but a driver, the bus or a recording may deliver any number.
func decimal(_ number: Double, places: Int) -> String {
  let unit = (0..<places).reduce(1) { power, _ in power * 10 }
  guard let scaled = Int64(exactly: (number * Double(unit)).rounded()) else { return "\(number)" }
  let sign = scaled < 0 ? "-" : ""
  let whole = "\(sign)\(scaled.magnitude / UInt64(unit))"
  guard places > 0 else { return whole }
  let fraction = "\(scaled.magnitude % UInt64(unit))"
  return "\(whole).\(String(repeating: "0", count: places - fraction.count))\(fraction)"
}

/// A number with as many decimal places as it needs, at most three: "25", "12.5".
func shortDecimal(_ number: Double) -> String {
  var text = decimal(number, places: 3)
  guard text.contains(".") && !text.contains("e") else { return text }
  while text.hasSuffix("0") { text.removeLast() }
  if text.hasSuffix(".") { text.removeLast() }
  return text
}
