// SPDX-License-Identifier: Apache-2.0

import IIO
import Orientation

/// A thread that reads a sensor beside the accelerometer until it is to end.
///
/// Whatever goes wrong with the sensor is reported, and tried again with growing pauses.
struct SensorThread {
  /// What it shares with the main thread.
  let link: SensorLink
  /// How long it waits after a failure.
  private var pause = RetryBackoff()

  init(for link: SensorLink) { self.link = link }

  /// Runs until the link requests the end.
  mutating func run(_ job: some SensorJob) {
    var job = job
    // From this wait on, a driver that hangs is noticed; opening can hang too. The request to end is not drained: it holds for all that
    // follows.
    _ = link.wakeUp.event.wait(until: .now)
    while !link.isStopRequested {
      do throws(SourceError) {
        try job.read(on: &self)
      } catch {
        releaseOpeningMemory()
        _ = link.wakeUp.event.wait(until: .now.advanced(bySeconds: pauseAfter(error)))
      }
    }
    releaseOpeningMemory()
  }

  /// Reports a failure; how long to wait then, in seconds.
  private mutating func pauseAfter(_ error: SourceError) -> Double {
    // Opened anew, but not in a loop without a pause if a program takes and releases the buffer all the time.
    if case .bufferIsFree = error { return 0.5 }
    link.post(.failed(error))
    // The device may be gone: the next look through the devices ends this thread then.
    return pause.next(at: .now)
  }

  /// Takes in that the sensor delivers its first reading since it was opened.
  mutating func begins() {
    releaseOpeningMemory()
    pause.succeeded(at: .now)
  }
}
