// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// The latest value that one thread stores for another; neither waits for the other.
struct Mailbox<Value: Sendable>: ~Copyable, @unchecked Sendable {
  // Unchecked, because a pointer is never Sendable; the exchange assigns each cell to one thread at a time.

  /// The address of the cell that holds the value; zero if there is none.
  private let cell = Atomic<UInt>(0)

  init() {}

  deinit { _ = take() }

  /// Stores a value, and replaces one that was not taken.
  func put(_ value: Value) {
    let new = UnsafeMutablePointer<Value>.allocate(capacity: 1)
    new.initialize(to: value)
    _ = Self.open(cell.exchange(UInt(bitPattern: new), ordering: .acquiringAndReleasing))
  }

  /// Takes the value out; nil if there is none.
  func take() -> Value? {
    Self.open(cell.exchange(0, ordering: .acquiringAndReleasing))
  }

  private static func open(_ address: UInt) -> Value? {
    guard let cell = UnsafeMutablePointer<Value>(bitPattern: address) else { return nil }
    defer { cell.deallocate() }
    return cell.move()
  }
}
