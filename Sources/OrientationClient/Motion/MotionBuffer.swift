// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// Updates that a loop has not taken yet; of too many, the oldest values are dropped and counted.
final class MotionBuffer<Value: Sendable>: Sendable {
  /// How many updates may wait: 1.3 s of values 200 times a second.
  static var capacity: Int { 256 }

  fileprivate struct State {
    var waiting: [MotionUpdate<Value>] = []
    /// How many samples were lost before the first one that waits.
    var lost = 0
    var lastState: MotionStreamState?
  }

  private let state = Mutex(State())
  private let wakeUp: AsyncStream<Void>.Continuation
  /// An element when there may be something to take.
  ///
  /// The elements are not the updates: of those, more than the last one must be kept.
  let arrivals: AsyncStream<Void>

  init() {
    (arrivals, wakeUp) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
  }

  /// Adds an update; a state that equals the one before is left out.
  func add(_ update: MotionUpdate<Value>) {
    state.withLock { state in
      if case .state(let new) = update {
        guard new != state.lastState else { return }
        state.lastState = new
      }
      state.waiting.append(update)
      if state.waiting.count > Self.capacity { state.dropOldest() }
    }
    // Without the lock: an AsyncStream whose task is being cancelled holds the task's lock.
    wakeUp.yield()
  }

  /// Takes the oldest update; nil if none waits.
  func take() -> MotionUpdate<Value>? {
    state.withLock { state in
      if state.lost > 0 {
        defer { state.lost = 0 }
        return .lost(state.lost)
      }
      return state.waiting.isEmpty ? nil : state.waiting.removeFirst()
    }
  }
}

extension MotionBuffer.State {
  /// Drops the oldest value, or the oldest update if there are only states.
  fileprivate mutating func dropOldest() {
    let oldest = waiting.firstIndex { if case .state = $0 { false } else { true } }
    switch waiting.remove(at: oldest ?? 0) {
    case .value: lost += 1
    case .lost(let count): lost += count
    case .state: break
    }
  }
}
