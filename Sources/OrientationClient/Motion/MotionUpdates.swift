// SPDX-License-Identifier: Apache-2.0

/// Values of a motion sensor, with what happens to their stream.
///
/// The values come as long as the loop over them goes on: each loop has a connection to the daemon of its own. When the loop or its task
/// ends, the connection is closed, and the sensor is powered down if nobody else needs it. A restart of the daemon does not end the loop.
///
///     for await update in MotionManager().gravityUpdates(every: .milliseconds(50)) {
///       switch update {
///       case .value(let data): print(data.gravity)
///       case .state(.denied): print("Only programs of the session on the screen may read motion.")
///       case .state, .lost: break
///       }
///     }
///
/// For a loop that is slow, 256 updates are kept: 1.3 s of values 200 times a second. Of more, the oldest values are dropped, and
/// ``MotionUpdate/lost(_:)`` says how many.
public struct MotionUpdates<Value: Sendable>: AsyncSequence, Sendable {
  /// A value, or what has happened to the stream.
  public typealias Element = MotionUpdate<Value>
  /// It never fails.
  public typealias Failure = Never

  private let start: @Sendable (MotionBuffer<Value>) -> Use

  /// Creates a sequence.
  ///
  /// - Parameter start: begins to fill a buffer, until the use is over.
  init(start: @escaping @Sendable (MotionBuffer<Value>) -> Use) { self.start = start }

  /// Reads the updates one after the other.
  public typealias Iterator = UpdateIterator<MotionUpdate<Value>>

  /// Connects to the daemon, and starts the stream.
  public func makeAsyncIterator() -> Iterator {
    let buffer = MotionBuffer<Value>()
    return Iterator(use: start(buffer), arrivals: buffer.arrivals, take: buffer.take)
  }

  /// The values alone.
  ///
  /// They are for a program that does not mind why none come.
  public var values: AsyncCompactMapSequence<MotionUpdates<Value>, Value> {
    compactMap { if case .value(let value) = $0 { value } else { nil } }
  }
}
