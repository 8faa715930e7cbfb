// SPDX-License-Identifier: Apache-2.0

import Orientation

@testable import IIO

/// Whatever a driver lists, a frequency can be chosen; and numbers by hand are those of the language.
func checkFrequencies(_ input: [UInt8]) throws(Violation) {
  let text = String(decoding: input, as: UTF8.self)
  let available = AvailableFrequencies(parsing: text)
  if case .list(let frequencies) = available {
    try expect(
      !frequencies.isEmpty && frequencies.allSatisfy(credibleFrequencies.contains), "the list \(frequencies)")
  }
  for wanted in [5, 25, 62.5, 200] {
    let choices = available.choices(for: wanted)
    try expect(choices.first == available.choice(for: wanted), "the best is not the first of \(choices)")
    try expect(choices.allSatisfy(credibleFrequencies.contains), "\(choices) for \(wanted) Hz")
    let ticker = Ticker(rate: choices[0], start: BootTime(nanoseconds: 0))
    try expect(ticker.seconds.isFinite, "a period of \(ticker.seconds) s")
  }
  try checkNumber(input, text)
}

private func checkNumber(_ input: [UInt8], _ text: String) throws(Violation) {
  guard let number = input.withUnsafeBytes(decimalNumber) else { return }
  try expect(number.isFinite, "the number \(number)")
  guard input.count <= 15, let same = finiteNumber(text[...]) else { return }
  try expect(number == same, "\(number) instead of \(same)")
}
