// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@testable import IIO

@Suite("The number in an attribute")
struct DecimalTextTests {
  private func number(_ text: String) -> Double? {
    Array(text.utf8).withUnsafeBytes(decimalNumber)
  }

  @Test(
    "is what the kernel wrote",
    arguments: [
      ("0\n", 0.0), ("-1024\n", -1024), ("1023", 1023), ("-9.806650\n", -9.80665),
      ("0.000009806\n", 0.000009806),
      ("-0.5\n", -0.5), ("2147483647\n", 2_147_483_647), ("-4503599627370497\n", -4_503_599_627_370_497),
      ("12 \n", 12), ("7.", 7),
    ])
  func numbers(_ text: String, _ expected: Double) {
    #expect(number(text) == expected)
  }

  @Test(
    "is none where there is something else",
    arguments: [
      "", "\n", "-", ".", "--1", "1-", "1.2.3", "0x10", "1e5", "nan", "inf", "12 13", "9999999999999999999",
    ])
  func garbage(_ text: String) {
    #expect(number(text) == nil)
  }

  @Test("is the nearest Double, whatever the digits")
  func exact() {
    var random = SeededGenerator(seed: 7)
    for _ in 0..<10_000 {
      let text =
        "\(Int.random(in: -99_999...99_999, using: &random)).\(Int.random(in: 100_000...999_999, using: &random))"
      #expect(number(text) == Double(text))
    }
  }
}
