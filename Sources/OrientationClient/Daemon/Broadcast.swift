// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// A value that one writes and many read: now, or whenever it changes.
///
/// A reader that is slow gets the newest value next, not all that it has missed.
final class Broadcast<Value: Sendable & Equatable>: Sendable {
  private struct State {
    var value: Value
    var readers: [UInt64: AsyncStream<Void>.Continuation] = [:]
    var lastReader: UInt64 = 0
  }

  private let state: Mutex<State>

  init(_ value: Value) { state = Mutex(State(value: value)) }

  /// The present value.
  var value: Value { state.withLock { $0.value } }

  /// An element now, and whenever the value has changed since the last element.
  ///
  /// The elements are not the values, because they are sent without the lock: an AsyncStream whose task is being cancelled
  /// holds the task's lock while it waits for this one.
  var changes: AsyncStream<Void> {
    let (stream, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    let reader = state.withLock { state in
      state.lastReader += 1
      state.readers[state.lastReader] = continuation
      return state.lastReader
    }
    continuation.onTermination = { [weak self] _ in
      _ = self?.state.withLock { $0.readers.removeValue(forKey: reader) }
    }
    continuation.yield()
    return stream
  }

  /// Replaces the value.
  func send(_ value: Value) {
    let readers = state.withLock { state in
      guard state.value != value else { return [AsyncStream<Void>.Continuation]() }
      state.value = value
      return Array(state.readers.values)
    }
    for reader in readers { reader.yield() }
  }

  deinit {
    // A reader does not wait for a value that cannot come.
    for reader in state.withLock({ Array($0.readers.values) }) { reader.finish() }
  }
}
