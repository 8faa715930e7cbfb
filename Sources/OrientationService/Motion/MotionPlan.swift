// SPDX-License-Identifier: Apache-2.0

import Orientation

/// The streams that there are to be, and the state of the sensors: all that the sending thread needs to know from the main thread.
///
/// It is a state, not a list of commands: a plan replaces the one before, which may not have been read.
struct MotionPlan: Equatable, Sendable {
  /// A stream.
  struct Stream: Equatable, Sendable {
    /// Distinguishes it from all others, earlier ones too.
    let number: UInt64
    let connection: MotionConnection
    let sensor: MotionSensor
    let interval: MotionInterval
    /// Why it has no samples, if that is not because of the sensor: it waits for polkit, or was denied.
    var hold: MotionState?

    static func == (one: Stream, other: Stream) -> Bool {
      one.number == other.number && one.hold == other.hold
    }
  }

  /// The streams.
  var streams: [Stream] = []
  /// The state of the accelerometer.
  var accelerometer = MotionState.noSensor
  /// The state of the gyroscope.
  var gyroscope = MotionState.noSensor
  /// Whether that is part of the accelerometer's device.
  var sharesGyroscope = false

  /// The state of a stream.
  func state(of stream: Stream) -> MotionState { stream.hold ?? state(of: stream.sensor) }

  /// The state of the sensor that streams of this kind have their samples from.
  func state(of sensor: MotionSensor) -> MotionState {
    switch sensor {
    case .accelerometer, .gravity: accelerometer
    case .gyroscope: gyroscope
    }
  }
}
