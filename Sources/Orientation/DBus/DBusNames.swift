// SPDX-License-Identifier: Apache-2.0

/// The names with which clients address the service.
public enum DBusNames {
  /// The bus name.
  public static let service = "org.orientationd1"
  /// Its only object.
  public static let path = "/org/orientationd1"
  /// The interface of the device's orientation.
  public static let deviceInterface = "org.orientationd1.Device"
  /// The interface of the screen's orientation.
  public static let screenInterface = "org.orientationd1.Screen"

  /// The bus name of iio-sensor-proxy.
  public static let proxyService = "net.hadess.SensorProxy"
  /// iio-sensor-proxy's object.
  public static let proxyPath = "/net/hadess/SensorProxy"
  /// The interface of all its sensors except the compass.
  public static let proxyInterface = "net.hadess.SensorProxy"
  /// Its object for the compass.
  public static let compassPath = "/net/hadess/SensorProxy/Compass"
  /// The compass's interface.
  public static let compassInterface = "net.hadess.SensorProxy.Compass"
}

/// The errors that the service defines, `org.orientationd1.Error.*`.
public enum ServiceErrorName {
  /// `EndGeneratingDeviceOrientationNotifications` without a `Begin` before it.
  public static let notGenerating = "org.orientationd1.Error.NotGenerating"
  /// There is no sensor, or it did not deliver in time.
  public static let sensorUnavailable = "org.orientationd1.Error.SensorUnavailable"
  /// An argument is not an interface orientation, or not a set of them.
  public static let invalidOrientation = "org.orientationd1.Error.InvalidOrientation"
  /// The interface cannot have this orientation.
  public static let unsupportedOrientation = "org.orientationd1.Error.UnsupportedOrientation"
  /// A client requested more than its limit.
  public static let limitsExceeded = "org.orientationd1.Error.LimitsExceeded"
  /// The client has no hold of this number.
  public static let noSuchHold = "org.orientationd1.Error.NoSuchHold"
  /// The client is not authorized, or its authorization cannot be checked.
  public static let notAuthorized = "org.orientationd1.Error.NotAuthorized"
}
