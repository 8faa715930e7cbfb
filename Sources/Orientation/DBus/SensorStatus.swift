// SPDX-License-Identifier: Apache-2.0

/// The state of the sensor: the values of the property `Status` of `org.orientationd1.Sensor`.
package enum SensorStatus: String, CaseIterable, Sendable {
  /// There is no accelerometer.
  case absent
  /// The sensor is powered down, because there are no subscribers.
  case idle
  /// It is being opened, and has not delivered yet.
  case starting
  /// It delivers.
  case active
  /// It is open and delivers nothing.
  case silent
  /// It cannot be opened, or not be read for 2 seconds; the daemon retries from time to time.
  case failed
}
