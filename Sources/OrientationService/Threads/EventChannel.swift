// SPDX-License-Identifier: Apache-2.0

import CLinux
import IIO

/// What a thread reports to the main thread: events in order, none lost, and a descriptor that is readable if
/// there are any.
struct EventChannel<Event: Sendable>: ~Copyable, Sendable {
  private let events: EventRing<Event>
  /// Readable when there are events.
  let arrived: WakeUpEvent

  /// Creates an empty channel with room for `capacity` events.
  ///
  /// - Throws: ``SourceError/system(operation:code:)`` if there are no descriptors left.
  init(capacity: Int) throws(SourceError) {
    arrived = try WakeUpEvent()
    events = EventRing(capacity: capacity)
  }

  /// Reports an event; for that thread.
  ///
  /// If the queue is full, the main thread has not run for seconds. Samples taken meanwhile could not be announced, so
  /// waiting for it loses nothing. (systemd's watchdog ends the process if the main thread hangs.)
  func post(_ event: Event) {
    while !events.push(event) {
      arrived.signal()
      usleep(10_000)
    }
    arrived.signal()
  }

  /// Takes the next event; nil if there is none.
  ///
  /// For the main thread, after it has drained ``arrived``.
  func next() -> Event? { events.pop() }
}
