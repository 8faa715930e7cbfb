// SPDX-License-Identifier: Apache-2.0

package import Orientation

/// Replays a recording at its original speed.
///
/// Its samples are in the screen's axes, so they need no mount matrix. After the last one, it repeats the last pose at its
/// rate: the tablet seems to lie still, and the sensor does not seem to fail.
public struct ReplaySource: ~Copyable, SampleSource {
  private let entries: [Recording.Entry]
  private let start: BootTime
  private var index = 0
  private var ticker: Ticker

  /// The rate of the samples, in hertz.
  package var sampleRate: Double { ticker.rate }

  /// Starts now, with those samples that the hot loop would see at a rate in hertz, or with all.
  package init(_ recording: Recording, rate: Double? = nil) {
    entries = rate.map { recording.entries(atRate: $0) } ?? recording.entries
    start = .now
    ticker = Ticker(rate: rate ?? recording.meanRate, start: start)
  }

  /// Waits until the next sample is due; its time is that at which it was.
  package mutating func next(interruptedBy wakeUp: borrowing WakeUpEvent) throws(SourceError)
    -> Sample<SensorFrame>?
  {
    let due = ticker.nextTick
    guard wakeUp.wait(until: due) != .signalled else { return nil }
    let acceleration = entries[min(index, entries.count &- 1)].acceleration
    index = min(index &+ 1, entries.count)
    if index < entries.count {
      ticker.nextTick = start.advanced(bySeconds: entries[index].seconds - entries[0].seconds)
    } else {
      ticker.advance(now: .now)
    }
    return Sample(time: due, acceleration: Acceleration(acceleration.vector))
  }
}
