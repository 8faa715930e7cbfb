// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// A value that one writes and many read: now, or whenever it changes.
///
/// A reader that is slow gets the newest value next, not all that it has missed.
final class Broadcast<Value: Sendable & Equatable>: Sendable {
  private let state: Mutex<Value>
  private let readers = Readers<Void>()

  init(_ value: Value) { state = Mutex(value) }

  /// The present value.
  var value: Value { state.withLock { $0 } }

  /// An element now, and whenever the value has changed since the last element.
  var changes: AsyncStream<Void> { readers.stream(keeping: 1, startingWith: ()) }

  /// Replaces the value.
  func send(_ value: Value) {
    let isChange = state.withLock { state in
      defer { state = value }
      return state != value
    }
    if isChange { readers.send(()) }
  }
}

/// Sends events to any number of readers.
final class Readers<Event: Sendable>: Sendable {
  private let readers = Mutex((last: 0, streams: [Int: AsyncStream<Event>.Continuation]()))

  /// The events from now on, until the owner of these readers is gone.
  ///
  /// - Parameters:
  ///   - count: how many events are kept for a reader that is late: the newest.
  ///   - first: an event for this reader alone.
  /// - Returns: a stream for one reader.
  func stream(keeping count: Int, startingWith first: Event? = nil) -> AsyncStream<Event> {
    let (stream, reader) = AsyncStream.makeStream(of: Event.self, bufferingPolicy: .bufferingNewest(count))
    let number = readers.withLock { readers in
      readers.last += 1
      readers.streams[readers.last] = reader
      return readers.last
    }
    reader.onTermination = { [weak self] _ in
      _ = self?.readers.withLock { $0.streams.removeValue(forKey: number) }
    }
    if let first { reader.yield(first) }
    return stream
  }

  func send(_ event: Event) {
    // Without the lock: an AsyncStream whose task is being cancelled holds the task's lock while it waits for this one.
    for reader in present { reader.yield(event) }
  }

  private var present: [AsyncStream<Event>.Continuation] { readers.withLock { Array($0.streams.values) } }

  // A reader does not wait for an event that cannot come.
  deinit { for reader in present { reader.finish() } }
}
