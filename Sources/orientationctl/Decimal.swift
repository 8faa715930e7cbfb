// SPDX-License-Identifier: Apache-2.0

/// A number as a decimal with so many places, rounded; such as "-0.250" for three.
///
/// For finite numbers below 10^15 times the places' power of ten, which times, rates and accelerations are.
func decimal(_ number: Double, places: Int) -> String {
  let unit = (0..<places).reduce(1) { power, _ in power * 10 }
  let scaled = Int64((number * Double(unit)).rounded())
  let sign = scaled < 0 ? "-" : ""
  let whole = "\(sign)\(scaled.magnitude / UInt64(unit))"
  guard places > 0 else { return whole }
  let fraction = "\(scaled.magnitude % UInt64(unit))"
  return "\(whole).\(String(repeating: "0", count: places - fraction.count))\(fraction)"
}

/// A number with as many decimals as it needs, three at most: "25", "12.5".
func shortDecimal(_ number: Double) -> String {
  var text = decimal(number, places: 3)
  while text.hasSuffix("0") { text.removeLast() }
  if text.hasSuffix(".") { text.removeLast() }
  return text
}
