// SPDX-License-Identifier: Apache-2.0

import CLinux
import IIO

/// What a sampling thread reports to the main thread: events in order, none lost, and a descriptor that says when there are some.
struct EventChannel<Event: Sendable>: ~Copyable, Sendable {
  private let events: EventRing<Event>
  /// Readable when there are events.
  let arrived: WakeUpEvent

  /// Creates an empty channel with room for `capacity` events.
  ///
  /// - Throws: ``SourceError/system(operation:code:)`` when there are no descriptors left.
  init(capacity: Int) throws(SourceError) {
    arrived = try WakeUpEvent()
    events = EventRing(capacity: capacity)
  }

  /// Reports an event; for the sampling thread.
  ///
  /// A full queue means that the main thread has not run for seconds; whatever could be sampled meanwhile could not be
  /// announced, so waiting for it loses nothing. (systemd's watchdog ends a main thread that stays stuck.)
  func post(_ event: Event) {
    while !events.push(event) {
      arrived.signal()
      usleep(10_000)
    }
    arrived.signal()
  }

  /// Takes the next event; nil if there is none.
  ///
  /// For the main thread, once it has drained ``arrived``.
  func next() -> Event? { events.pop() }
}
