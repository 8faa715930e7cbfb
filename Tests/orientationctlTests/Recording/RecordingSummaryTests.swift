// SPDX-License-Identifier: Apache-2.0

import IIO
import Orientation
import TestSupport
import Testing

@testable import OrientationctlKit

@Suite("The summary of a recording")
struct RecordingSummaryTests {
  /// A minute at 25 Hz; `reading` gives the sample of a number, or nil if it is lost.
  private func summary(_ reading: (Int) -> SIMD3<Double>?) -> RecordingSummary {
    var summary = RecordingSummary()
    for number in 0..<1500 {
      guard let read = reading(number) else { continue }
      summary.add(
        Sample(
          time: BootTime(nanoseconds: Int64(number) * 40_000_000),
          acceleration: Acceleration(x: read.x, y: read.y, z: read.z)), rate: 25)
    }
    return summary
  }

  @Test("of a tablet at rest has the rate and the noise")
  func rest() {
    var noise = Noise(seed: 1)
    let summary = summary { _ in SIMD3(0, 9.81, 0) + noise.vector(deviation: 0.02) }
    #expect(summary.count == 1500)
    let samples = "25.0 samples a second, 0 lost, 0 at the limit of the sensor's range"
    #expect(summary.text.hasPrefix("\(samples), noise at rest 0.01"))
  }

  @Test("counts the samples that are missing, alone and in a row")
  func lost() {
    #expect(summary { [7, 100, 101, 102].contains($0) ? nil : SIMD3(0, 9.81, 0) }.lost == 4)
  }

  @Test("counts readings at the end of the range, and neither a knock nor a rest")
  func saturated() {
    #expect(summary { SIMD3(0, $0 % 10 == 0 ? 19.62 : 9.81, 0) }.saturated == 150)
    #expect(summary { SIMD3(0, $0 == 10 ? 19.62 : 9.81, 0) }.saturated == 0)
  }

  @Test("of a tablet that is shaken all the time has no noise at rest")
  func shaken() {
    #expect(summary { SIMD3($0 % 2 == 0 ? 3 : -3, 9.81, 0) }.text.hasSuffix("never at rest for a second"))
  }

  @Test("of times and readings beyond all bounds does not trap")
  func absurd() {
    var summary = RecordingSummary()
    for (time, value) in [(0, 0.0), (Int64.max, 1e308), (.min, -1e308), (5, .nan), (6, .infinity)] {
      summary.add(
        Sample(time: BootTime(nanoseconds: time), acceleration: Acceleration(x: value, y: value, z: value)),
        rate: 1000)
    }
    #expect(summary.count == 5)
    #expect(!summary.text.isEmpty)
  }
}
