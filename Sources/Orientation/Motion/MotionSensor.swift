// SPDX-License-Identifier: Apache-2.0

// This folder: the requests and records of the motion socket, as bytes and as values. The daemon and programs that use it have the
// same. `data/include/orientationd-motion.h` describes them for other languages.

/// What a stream of the motion socket has samples of; orientationd-motion(5).
package enum MotionSensor: UInt16, CaseIterable, Sendable, BitwiseCopyable {
  /// The accelerometer's readings, m/s^2.
  case accelerometer = 1
  /// The gyroscope's, rad/s.
  case gyroscope = 2
  /// The accelerometer's readings without the motion, m/s^2.
  case gravity = 3
}

/// The state of a stream.
package enum MotionState: UInt32, CaseIterable, Sendable, BitwiseCopyable {
  /// The sensor is being started.
  case starting = 1
  /// It delivers.
  case active = 2
  /// There is no such sensor; if one appears, it is used.
  case noSensor = 3
  /// The sensor cannot be read, and is tried again.
  case failed = 4
  /// The machine is about to sleep; the stream continues afterwards.
  case suspended = 5
  /// polkit is being asked.
  case waiting = 6
  /// The stream has ended by a request.
  case stopped = 7
  /// polkit does not allow it, or does not allow it any more.
  case denied = 8
  /// There are too many connections or requests.
  case limitsExceeded = 9
  /// The request was invalid, and the connection is closed.
  case invalidRequest = 10
}
