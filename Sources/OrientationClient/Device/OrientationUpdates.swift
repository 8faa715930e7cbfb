// SPDX-License-Identifier: Apache-2.0

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

  /// Reads the values one after the other.
  public typealias Iterator = UpdateIterator<Value>

  /// Begins what the values need.
  public func makeAsyncIterator() -> Iterator {
    var last = unknown
    return Iterator(use: start(), arrivals: snapshots.changes) { [snapshots, value] in
      guard let value = value(snapshots.value), value != last else { return nil }
      last = value
      return value
    }
  }
}
