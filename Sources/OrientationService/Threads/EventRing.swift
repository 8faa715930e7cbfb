// SPDX-License-Identifier: Apache-2.0

// A queue from one thread to another, without a lock: the sampler pushes, the main thread pops, and neither operation
// waits. `head` counts the pushed events, and only the sampler writes it; `tail` counts the popped ones, and only the main
// thread writes it. Release and acquire on each make a slot's content visible together with its count.

import Synchronization

/// A bounded queue with one producer and one consumer.
struct EventRing<Event: Sendable>: ~Copyable, @unchecked Sendable {
  // Unchecked, because a pointer is never Sendable; the counters assign each slot to one thread at a time.

  private let slots: UnsafeMutablePointer<Event>
  private let capacity: Int
  private let head = Atomic<Int>(0)
  private let tail = Atomic<Int>(0)

  /// Creates an empty queue with room for `capacity` events.
  init(capacity: Int) {
    self.capacity = capacity
    slots = .allocate(capacity: capacity)
  }

  deinit {
    let (head, tail) = (head.load(ordering: .acquiring), tail.load(ordering: .acquiring))
    for count in tail..<head { (slots + count % capacity).deinitialize(count: 1) }
    slots.deallocate()
  }

  /// Adds an event at the end; false if there is no room.
  ///
  /// For the producer only.
  func push(_ event: Event) -> Bool {
    let count = head.load(ordering: .relaxed)
    guard count - tail.load(ordering: .acquiring) < capacity else { return false }
    (slots + count % capacity).initialize(to: event)
    head.store(count + 1, ordering: .releasing)
    return true
  }

  /// Takes the first event; nil if there is none.
  ///
  /// For the consumer only.
  func pop() -> Event? {
    let count = tail.load(ordering: .relaxed)
    guard count < head.load(ordering: .acquiring) else { return nil }
    let event = (slots + count % capacity).move()
    tail.store(count + 1, ordering: .releasing)
    return event
  }
}
