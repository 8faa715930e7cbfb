// SPDX-License-Identifier: Apache-2.0

// What the main thread and a thread of the ambient sensors share. It is simpler than SamplerLink: such a thread has one
// job from its start to its end, and the only request to it is to end.

import IIO
import Synchronization

/// What a thread of the ambient sensors reports to the main thread, in order.
enum AmbientEvent: Sendable {
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
  /// The thread is done, and no sensor is open any more.
  case ended
}

/// The request to end, and the queue, between the main thread and a thread of the ambient sensors.
final class AmbientLink: Sendable {
  /// Room for the readings of 4 s from the quickest sensor.
  private static let capacity = 16

  private let stopRequested = Atomic<Bool>(false)

  /// Ends the thread's wait, so that it looks whether it is to end.
  let wakeUp: WakeUpEvent
  /// What the thread reports.
  let events: EventChannel<AmbientEvent>

  /// Creates the link of a thread.
  ///
  /// - Throws: ``SourceError/system(operation:code:)`` when there are no descriptors left.
  init() throws(SourceError) {
    wakeUp = try WakeUpEvent(isWatched: true)
    events = try EventChannel(capacity: Self.capacity)
  }

  /// Makes the thread end; for the main thread.
  func requestStop() {
    stopRequested.store(true, ordering: .releasing)
    wakeUp.signal()
  }

  /// Whether the thread has to end.
  var isStopRequested: Bool { stopRequested.load(ordering: .acquiring) }

  /// Reports something to the main thread; for the other one.
  func post(_ event: AmbientEvent) { events.post(event) }
}
