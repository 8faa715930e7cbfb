// SPDX-License-Identifier: Apache-2.0

import Orientation
import Testing

@testable import IIO

@Suite("The trials of a buffer that gave way to polling")
struct BufferTrialsTests {
  private let now = BootTime(nanoseconds: 1_000_000_000)

  @Test(
    "are rarer and rarer",
    arguments: [SourceError.silent(device: "hub", seconds: 1.5), .busy(device: "hub")])
  func pauses(failure: SourceError) {
    var trials = BufferTrials()
    let pauses = (0..<7).map { _ in trials.nextTrial(after: failure, at: now)?.seconds(since: now) }
    #expect(pauses == [10, 20, 40, 80, 160, 300, 300])
  }

  @Test(
    "are not made where nothing but another opening can help",
    arguments: [
      SourceError.permissionDenied(path: "/dev/iio:device0"), .noBuffer(device: "hub", reason: "no trigger"),
    ])
  func hopeless(failure: SourceError) {
    var trials = BufferTrials()
    #expect(trials.nextTrial(after: failure, at: now) == nil)
  }
}
