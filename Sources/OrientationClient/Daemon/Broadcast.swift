// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// A value that one writes and many read: now, or whenever it changes.
///
/// A reader that is slow gets the newest value next, not all that it has missed.
final class Broadcast<Value: Sendable & Equatable>: Sendable {
  private struct State {
    var value: Value
    var readers: [UInt64: AsyncStream<Value>.Continuation] = [:]
    var nextReader: UInt64 = 0
  }

  private let state: Mutex<State>

  init(_ value: Value) { state = Mutex(State(value: value)) }

  /// The present value.
  var value: Value { state.withLock { $0.value } }

  /// The present value, and then each other one.
  var values: AsyncStream<Value> {
    let (stream, continuation) = AsyncStream.makeStream(of: Value.self, bufferingPolicy: .bufferingNewest(1))
    let reader = state.withLock { state in
      state.nextReader += 1
      state.readers[state.nextReader] = continuation
      // In the lock, so that no newer value comes before it.
      continuation.yield(state.value)
      return state.nextReader
    }
    continuation.onTermination = { [weak self] _ in
      _ = self?.state.withLock { $0.readers.removeValue(forKey: reader) }
    }
    return stream
  }

  /// Replaces the value.
  func send(_ value: Value) {
    state.withLock { state in
      guard state.value != value else { return }
      state.value = value
      for reader in state.readers.values { reader.yield(value) }
    }
  }

  deinit {
    // A reader does not wait for a value that cannot come.
    state.withLock { state in
      for reader in state.readers.values { reader.finish() }
    }
  }
}
