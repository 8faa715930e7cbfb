// SPDX-License-Identifier: Apache-2.0

import IIO
import Orientation
import Testing

@testable import OrientationService

@Suite("The trials of a buffer that gave way to polling")
struct BufferTrialsTests {
  private let now = BootTime(nanoseconds: 1_000_000_000)

  @Test("are rarer and rarer")
  func pauses() {
    var trials = BufferTrials()
    let silent = SourceError.silent(device: "hub", seconds: 1.5)
    let pauses = (0..<7).map { _ in trials.nextTrial(after: silent, at: now)?.seconds(since: now) }
    #expect(pauses == [10, 20, 40, 80, 160, 300, 300])
  }

  @Test(
    "are not made where nothing but another opening can help",
    arguments: [
      SourceError.busy(device: "hub"), .permissionDenied(path: "/dev/iio:device0"),
      .noBuffer(device: "hub", reason: "no trigger"),
    ])
  func hopeless(failure: SourceError) {
    var trials = BufferTrials()
    #expect(trials.nextTrial(after: failure, at: now) == nil)
  }
}
