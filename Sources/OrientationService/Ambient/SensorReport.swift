// SPDX-License-Identifier: Apache-2.0

import IIO
import Orientation
import Systemd

/// What the thread of a sensor beside the accelerometer reports to the main thread.
enum SensorReport: Sendable {
  /// The devices were looked through.
  ///
  /// Kept on the heap, as ``SamplerEvent/found(_:)``.
  indirect case found(AmbientCatalog)
  /// The sensor has another reading than before.
  case reading(AmbientReading)
  /// The sensor delivers; its samples go elsewhere.
  case delivering
  /// The buffer cannot be used; the sensor is polled from here on.
  case buffered(givesWayToPollingBecause: SourceError)
  /// The sensor cannot be opened or read, and is tried again later; or the devices cannot be looked through.
  case failed(SourceError)
}

/// What such a thread shares with the main thread: it does one thing from its start to its end, so there is no plan.
typealias SensorLink = ThreadLink<Void, SensorReport>

/// Such a thread as the main thread sees it.
typealias SensorWorker = Worker<Void, SensorReport>

extension SensorWorker {
  /// Starts a thread.
  ///
  /// - Parameters:
  ///   - loop: the loop of this thread.
  ///   - whenReported: as with ``listen(on:priority:whenReported:whenWatched:)``; after the last report it may release the worker.
  ///   - whenWatched: called when the thread hangs in a driver, and when it is back.
  ///   - work: runs on the new thread, until the link requests its end.
  /// - Throws: ``SourceError/system(operation:code:)``
  convenience init(
    on loop: EventLoop, whenReported: @escaping () -> Void,
    whenWatched: @escaping (ThreadWatchdog.State) -> Void, work: @escaping (SensorLink) -> Void
  ) throws(SourceError) {
    // Room for the readings of 4 s from the quickest sensor.
    self.init(for: try ThreadLink(capacity: 16))
    do throws(SystemdError) {
      try listen(on: loop, whenReported: whenReported, whenWatched: whenWatched)
    } catch {
      throw .system(operation: "waiting for a sensor's thread", code: error.code)
    }
    try start(work)
  }
}
