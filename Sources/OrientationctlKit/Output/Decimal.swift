// SPDX-License-Identifier: Apache-2.0

/// A number as a decimal with so many places, rounded; such as "-0.250" for three.
///
/// A number with more digits than an integer holds, which no time, rate or acceleration has, or that is none, is written as the
/// language does, such as "1e+300": a driver, a bus and a recording can say anything.
func decimal(_ number: Double, places: Int) -> String {
  let unit = (0..<places).reduce(1) { power, _ in power * 10 }
  guard let scaled = Int64(exactly: (number * Double(unit)).rounded()) else { return "\(number)" }
  let sign = scaled < 0 ? "-" : ""
  let whole = "\(sign)\(scaled.magnitude / UInt64(unit))"
  guard places > 0 else { return whole }
  let fraction = "\(scaled.magnitude % UInt64(unit))"
  return "\(whole).\(String(repeating: "0", count: places - fraction.count))\(fraction)"
}

/// A number with as many decimals as it needs, three at most: "25", "12.5".
func shortDecimal(_ number: Double) -> String {
  var text = decimal(number, places: 3)
  guard text.contains(".") && !text.contains("e") else { return text }
  while text.hasSuffix("0") { text.removeLast() }
  if text.hasSuffix(".") { text.removeLast() }
  return text
}
