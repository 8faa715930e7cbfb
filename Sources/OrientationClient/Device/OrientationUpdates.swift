// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// Values of a device as they change: the present one first, and then each other one.
///
/// The values come as long as the loop over them goes on. When the loop or its task ends, what they need is released. A loop that
/// is slow gets the newest value next. A restart of the daemon does not end them.
///
///     for await orientation in OrientationDevice.current.orientations {
///       print(orientation)
///     }
public struct OrientationUpdates<Value: Sendable & Equatable>: AsyncSequence, Sendable {
  /// A value.
  public typealias Element = Value
  /// It never fails.
  public typealias Failure = Never

  private let start: @Sendable () -> Use
  private let snapshots: Broadcast<DaemonSnapshot>
  private let unknown: Value?
  private let value: @Sendable (DaemonSnapshot) -> Value?

  /// Creates a sequence.
  ///
  /// - Parameters:
  ///   - start: begins what the values need, until the use is over.
  ///   - snapshots: what the daemon sends.
  ///   - unknown: a value that is not the first one: it says that nothing is known yet.
  ///   - value: the value, nil if it is not known.
  init(
    start: @escaping @Sendable () -> Use, of snapshots: Broadcast<DaemonSnapshot>, unknown: Value?,
    value: @escaping @Sendable (DaemonSnapshot) -> Value?
  ) {
    self.start = start
    self.snapshots = snapshots
    self.unknown = unknown
    self.value = value
  }

  /// Begins what the values need.
  public func makeAsyncIterator() -> Iterator {
    Iterator(use: start(), snapshots: snapshots, last: unknown, value: value)
  }

  /// Reads the values one after the other.
  public struct Iterator: AsyncIteratorProtocol {
    private let use: Use
    private let snapshots: Broadcast<DaemonSnapshot>
    private var changes: AsyncStream<Void>.AsyncIterator
    private let value: @Sendable (DaemonSnapshot) -> Value?
    private var last: Value?

    fileprivate init(
      use: Use, snapshots: Broadcast<DaemonSnapshot>, last: Value?,
      value: @escaping @Sendable (DaemonSnapshot) -> Value?
    ) {
      self.use = use
      self.snapshots = snapshots
      changes = snapshots.changes.makeAsyncIterator()
      self.last = last
      self.value = value
    }

    /// Waits for the next value.
    ///
    /// - Returns: the value; nil if the task was cancelled.
    public mutating func next() async -> Value? { await next(isolation: nil) }

    /// Waits for the next value.
    ///
    /// - Parameter actor: where the caller runs.
    /// - Returns: the value; nil if the task was cancelled.
    public mutating func next(isolation actor: isolated (any Actor)?) async -> Value? {
      while await changes.next(isolation: actor) != nil {
        guard let value = value(snapshots.value), value != last else { continue }
        last = value
        return value
      }
      use.end()
      return nil
    }
  }
}

/// Something that is in use until it is ended, or nobody has it any more.
final class Use: Sendable {
  private let release: Mutex<(@Sendable () -> Void)?>

  init(_ release: @escaping @Sendable () -> Void) { self.release = Mutex(release) }

  /// Ends it; again, this does nothing.
  func end() {
    let release = release.withLock { release in
      defer { release = nil }
      return release
    }
    release?()
  }

  deinit { end() }
}
