// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import IIO

@Suite("The sampling frequencies on offer")
struct AvailableFrequenciesTests {
  @Test("are read from a list, a range, and the one-line noise of some drivers")
  func parsing() {
    #expect(AvailableFrequencies(parsing: "12.500000 25.000000 50\n") == .list([12.5, 25, 50]))
    #expect(AvailableFrequencies(parsing: "50 12.5 25") == .list([12.5, 25, 50]))
    #expect(AvailableFrequencies(parsing: "[5.0 1.0 200.0]") == .range(minimum: 5, step: 1, maximum: 200))
    #expect(AvailableFrequencies(parsing: "[0 0.1 100]") == .range(minimum: 0, step: 0.1, maximum: 100))
  }

  @Test(
    "are unknown where the text says nothing", arguments: ["", "fast", "[1 2]", "[200 1 5]", "0 0", "nan -3"])
  func garbage(_ text: String) {
    #expect(AvailableFrequencies(parsing: text) == .unknown)
  }

  @Test("are those alone that something can have: a driver's absurd ones count as not said")
  func absurd() {
    #expect(AvailableFrequencies(parsing: "1e-9 1e-300 0.01 25 1e9 1e300") == .list([25]))
    for text in ["1e-9", "1e300", "[0 1 1e-9]", "[0 1 1e300]", "[-1e308 1 100]"] {
      #expect(AvailableFrequencies(parsing: text) == .unknown)
    }
    #expect(AvailableFrequencies(parsing: "[0 1e-300 100]").choices(for: 25) == [24.975])
  }

  @Test(
    "are chosen from a list: the nearest at or above, else the highest",
    arguments: [(25.0, 25.0), (20, 25), (26, 50), (51, 50), (1, 12.5), (25.01, 25)])
  func list(_ wanted: Double, _ chosen: Double) {
    #expect(AvailableFrequencies.list([12.5, 25, 50]).choice(for: wanted) == chosen)
  }

  @Test(
    "are chosen from a range: the nearest step at or above, within its ends",
    arguments: [(25.0, 25.0), (24.2, 25), (4, 5), (500, 200), (5, 5)])
  func range(_ wanted: Double, _ chosen: Double) {
    #expect(AvailableFrequencies.range(minimum: 5, step: 1, maximum: 200).choice(for: wanted) == chosen)
  }

  @Test("may lie anywhere in a range without steps, but never at nothing")
  func odd() {
    #expect(AvailableFrequencies.range(minimum: 0, step: 0, maximum: 100).choice(for: 25) == 25)
    #expect(AvailableFrequencies.range(minimum: 0, step: 30, maximum: 100).choice(for: 25) == 30)
    #expect(AvailableFrequencies.unknown.choice(for: 25) == 25)
  }

  @Test("are tried from the best one up, and then from it down; without a list there is one to try")
  func choices() {
    #expect(AvailableFrequencies.list([1, 12.5, 25, 50]).choices(for: 12) == [12.5, 25, 50, 1])
    #expect(AvailableFrequencies.list([1, 12.5, 25]).choices(for: 100) == [25, 12.5, 1])
    #expect(AvailableFrequencies.unknown.choices(for: 25) == [25])
    #expect(AvailableFrequencies.range(minimum: 1, step: 1, maximum: 10).choices(for: 4.5) == [5])
  }
}
