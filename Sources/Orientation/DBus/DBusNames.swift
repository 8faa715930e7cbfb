// SPDX-License-Identifier: Apache-2.0

/// The names with which clients address the service.
package enum DBusNames {
  /// The bus name.
  package static let service = "org.orientationd1"
  /// Its only object.
  package static let path = "/org/orientationd1"
  /// The interface of the device's orientation.
  package static let deviceInterface = "org.orientationd1.Device"
  /// The interface of the accelerometer, for diagnosis; of it, only the mount matrix stays.
  package static let sensorInterface = "org.orientationd1.Sensor"
  /// The version of the device's and the screen's interfaces, and of what stays of the accelerometer's: it grows when they get members,
  /// which no version takes away.
  package static let interfaceVersion: UInt32 = 1
  /// The interface of the screen's orientation.
  package static let screenInterface = "org.orientationd1.Screen"

  /// The bus name of iio-sensor-proxy.
  package static let proxyService = "net.hadess.SensorProxy"
  /// iio-sensor-proxy's object.
  package static let proxyPath = "/net/hadess/SensorProxy"
  /// The interface of all its sensors except the compass.
  package static let proxyInterface = "net.hadess.SensorProxy"
  /// Its object for the compass.
  package static let compassPath = "/net/hadess/SensorProxy/Compass"
  /// The compass's interface.
  package static let compassInterface = "net.hadess.SensorProxy.Compass"
}

/// The errors for which D-Bus has no name of its own: `org.orientationd1.Error.*`.
package enum ServiceErrorName {
  /// `EndGeneratingDeviceOrientationNotifications` without a `Begin` before it.
  package static let notGenerating = "org.orientationd1.Error.NotGenerating"
  /// There is no sensor, or it did not deliver in time.
  package static let sensorUnavailable = "org.orientationd1.Error.SensorUnavailable"
  /// The interface cannot have this orientation.
  package static let unsupportedOrientation = "org.orientationd1.Error.UnsupportedOrientation"
  /// The configuration has a mount matrix, before which no other one counts.
  package static let mountMatrixConfigured = "org.orientationd1.Error.MountMatrixConfigured"
  /// The client has no hold of this number.
  package static let noSuchHold = "org.orientationd1.Error.NoSuchHold"
}
