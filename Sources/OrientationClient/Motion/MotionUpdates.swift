// SPDX-License-Identifier: Apache-2.0

package import Orientation

/// Values of a motion sensor, with what happens to their stream.
///
/// The values come as long as the loop over them goes on: each loop has a connection to the daemon of its own. When the loop or its task
/// ends, the connection is closed, and the sensor is powered down if nobody else needs it. A restart of the daemon does not end the loop.
///
///     for await update in MotionManager().gravityUpdates(every: .milliseconds(50)) {
///       switch update {
///       case .value(let data): print(data.gravity)
///       case .state(.denied): print("Only programs of the session on the screen may read motion.")
///       default: break
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

/// What a loop over ``MotionUpdates`` gets.
public enum MotionUpdate<Value: Sendable>: Sendable {
  /// A value of the sensor.
  case value(Value)
  /// The stream has entered this state; values come while it is active.
  case state(MotionStreamState)
  /// So many samples are missing before the next update, because the loop was slow.
  ///
  /// In ``MotionManager/deviceMotionUpdates(every:)``, these are readings of both sensors that the daemon could not send, and values that the loop
  /// has not taken.
  case lost(Int)
}

extension MotionUpdate: Equatable where Value: Equatable {}

/// Whether values of a motion sensor come, or why not.
public enum MotionStreamState: Equatable, Sendable {
  /// The daemon cannot be used, for this reason; the library tries again by itself.
  case unavailable(OrientationError)
  /// polkit is asked whether this program may read motion.
  case waiting
  /// polkit does not allow it, for instance while another session is on the screen; the stream continues when it does.
  case denied
  /// There is no such sensor; if one appears, it is used.
  case noSensor
  /// The sensor is being started.
  case starting
  /// Values come.
  case active
  /// The sensor cannot be read; the daemon tries again.
  case failed
  /// The machine is about to sleep; the stream continues afterwards.
  case suspended

  /// Creates the state of a stream from that which the daemon has sent.
  ///
  /// Nil for states before the daemon closes the connection, for which ``MotionSession`` has the reason, and for the end of a stream by a
  /// request, which this library does not send.
  package init?(_ state: MotionState) {
    switch state {
    case .starting: self = .starting
    case .active: self = .active
    case .noSensor: self = .noSensor
    case .failed: self = .failed
    case .suspended: self = .suspended
    case .waiting: self = .waiting
    case .denied: self = .denied
    case .stopped, .limitsExceeded, .invalidRequest: return nil
    }
  }
}
