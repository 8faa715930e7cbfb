// SPDX-License-Identifier: Apache-2.0

import OrientationService

@testable import IIO
@testable import Orientation
@testable import OrientationctlKit

/// A recording that is accepted can be played and classified: in order, at any rate, to orientations that there are.
func checkRecording(_ input: [UInt8]) throws(Violation) {
  let played = try? Recording(parsing: input, path: "f")
  guard let recording = try? Recording(parsing: input, path: "f", backwardTime: .taken) else {
    return try expect(played == nil, "accepted only where time may not go back")
  }
  try expect((played == nil) == !recording.backwardLines.isEmpty, "time goes back for one reader only")
  try expect(!recording.entries.isEmpty, "no samples")
  try expect(recording.meanRate > 0, "a mean rate of \(recording.meanRate) Hz")
  for rate in [5, 25, 200, recording.meanRate] {
    let entries = recording.entries(atRate: rate)
    try expect(entries.count <= recording.entries.count, "more samples than there are")
    try expect(entries.first == recording.entries.first, "the first sample is not the first")
  }
  if let played { try play(played) }
  classify(recording)
}

/// Goes through the times at which the player hands out the samples.
private func play(_ recording: Recording) throws(Violation) {
  let source = ReplaySource(recording)
  try expect(source.sampleRate > 0, "played at \(source.sampleRate) Hz")
  guard let first = recording.entries.first else { return }
  var last = 0.0
  for entry in recording.entries {
    let due = BootTime(nanoseconds: 0).advanced(bySeconds: entry.seconds - first.seconds).seconds(
      since: BootTime(nanoseconds: 0))
    try expect(due >= last, "a sample at \(due) s after one at \(last) s")
    last = due
  }
}

private func classify(_ recording: Recording) {
  var pipeline = RestSimulation(
    OrientationPipeline(transform: .identity, settings: PipelineSettings()), sensor: .polled,
    rate: recording.meanRate)
  for entry in recording.entries {
    let reading = Acceleration<SensorFrame>(
      x: entry.acceleration.x, y: entry.acceleration.y, z: entry.acceleration.z)
    let time = BootTime(nanoseconds: Int64((entry.seconds * 1e9).rounded()))
    _ = pipeline.process(Sample(time: time, acceleration: reading))
  }
}
