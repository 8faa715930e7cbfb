// SPDX-License-Identifier: Apache-2.0

public import Orientation

// The names are CoreMotion's, the units are not: see MotionManager.

/// A reading of the accelerometer.
public struct AccelerometerData: Equatable, Sendable {
  /// When the sensor took it.
  public var timestamp: BootTime
  /// The reading, m/s^2: at rest, the force that holds the device up.
  public var acceleration: Acceleration<ScreenFrame>

  /// Creates a reading.
  public init(timestamp: BootTime, acceleration: Acceleration<ScreenFrame>) {
    self.timestamp = timestamp
    self.acceleration = acceleration
  }
}

/// A reading of the gyroscope.
public struct GyroData: Equatable, Sendable {
  /// When the sensor took it.
  public var timestamp: BootTime
  /// The reading, rad/s.
  public var rotationRate: AngularVelocity<ScreenFrame>

  /// Creates a reading.
  public init(timestamp: BootTime, rotationRate: AngularVelocity<ScreenFrame>) {
    self.timestamp = timestamp
    self.rotationRate = rotationRate
  }
}

/// Gravity, without the movements of the device, by a low-pass filter of the daemon.
public struct GravityData: Equatable, Sendable {
  /// When the sensor took the newest reading of it.
  public var timestamp: BootTime
  /// The force that holds the device up, m/s^2.
  public var gravity: Acceleration<ScreenFrame>

  /// Creates a value.
  public init(timestamp: BootTime, gravity: Acceleration<ScreenFrame>) {
    self.timestamp = timestamp
    self.gravity = gravity
  }
}

/// How the device is turned and moved.
public struct DeviceMotion: Equatable, Sendable {
  /// When the sensors took the newest reading of it.
  public var timestamp: BootTime
  /// How the device is turned in space; nil if it has no gyroscope that can be read, or this one takes long to start.
  public var attitude: Attitude?
  /// How fast it turns, as the gyroscope reads it, rad/s; nil without an attitude.
  public var rotationRate: AngularVelocity<ScreenFrame>?
  /// The force that holds the device up, m/s^2.
  public var gravity: Acceleration<ScreenFrame>
  /// What the accelerometer reads besides gravity, m/s^2: how the device is accelerated; +x is a push to the right.
  public var userAcceleration: Acceleration<ScreenFrame>

  /// Creates a value.
  public init(
    timestamp: BootTime, attitude: Attitude?, rotationRate: AngularVelocity<ScreenFrame>?,
    gravity: Acceleration<ScreenFrame>, userAcceleration: Acceleration<ScreenFrame>
  ) {
    self.timestamp = timestamp
    self.attitude = attitude
    self.rotationRate = rotationRate
    self.gravity = gravity
    self.userAcceleration = userAcceleration
  }
}
