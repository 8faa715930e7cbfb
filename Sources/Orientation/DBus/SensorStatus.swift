// SPDX-License-Identifier: Apache-2.0

/// How the sensor is, in the words of the `SensorStatus` property.
public enum SensorStatus: String, CaseIterable, Sendable {
  /// There is no accelerometer.
  case absent
  /// There is one, and nobody asks for it: it is powered down.
  case idle
  /// It is being opened, and has not delivered yet.
  case starting
  /// It delivers.
  case active
  /// It is open and delivers nothing.
  case silent
  /// It cannot be opened or read; tried again now and then.
  case failed
}
