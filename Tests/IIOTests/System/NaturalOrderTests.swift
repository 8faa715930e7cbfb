// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import IIO

@Suite("The order of paths")
struct NaturalOrderTests {
  @Test(
    "is that of the numbers in them, of any length, and of the texts else",
    arguments: [
      ("HID-SENSOR-200073.9.auto", "HID-SENSOR-200073.10.auto"), ("i2c-2/x", "i2c-10/a"), ("a", "b"),
      ("a", "a1"),
      ("a1b2", "a1b10"), ("a0", "a10"), ("a/iio:device9", "a/iio:device10"), ("", "1"),
      ("99999999999999999999999", "100000000000000000000000"),
      ("0018:8087:0AC2.0009", "0018:8087:0AC2.000A"), ("0018:8087:0AC2.000F", "0018:8087:0AC2.0010"),
      ("i2c-1-0", "i2c-10"),
    ])
  func order(_ first: String, _ second: String) {
    #expect(first.naturallyPrecedes(second))
    #expect(!second.naturallyPrecedes(first))
    #expect(!first.naturallyPrecedes(first))
  }

  @Test("is an order: whatever comes before what comes before a third one comes before this")
  func isTransitive() {
    let parts = ["", "0", "00", "1", "5", "05", "10", "9", "a", ".", "01"]
    let texts = parts.flatMap { first in parts.map { "x\(first)y\($0)" } } + parts
    let sorted = texts.sorted { $0.naturallyPrecedes($1) }
    for (index, text) in sorted.enumerated() {
      #expect(!sorted[(index + 1)...].contains { $0.naturallyPrecedes(text) })
    }
  }
}
