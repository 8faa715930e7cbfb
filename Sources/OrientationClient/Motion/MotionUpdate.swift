// SPDX-License-Identifier: Apache-2.0

package import Orientation

/// What a loop over ``MotionUpdates`` gets.
public enum MotionUpdate<Value: Sendable>: Sendable {
  /// A value of the sensor.
  case value(Value)
  /// The stream has entered this state; values come while it is active.
  case state(MotionStreamState)
  /// So many samples are missing before the next update, because the loop was slow.
  ///
  /// In ``MotionManager/deviceMotion(every:)``, these are readings of both sensors that the daemon could not send, and values that the loop
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
