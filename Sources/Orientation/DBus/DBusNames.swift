// SPDX-License-Identifier: Apache-2.0

/// The names that clients know the service by.
public enum DBusNames {
  /// The bus name.
  public static let service = "org.orientationd1"
  /// The one object.
  public static let path = "/org/orientationd1"
  /// The interface of the device's orientation.
  public static let deviceInterface = "org.orientationd1.Device"
  /// The interface of the screen's orientation.
  public static let screenInterface = "org.orientationd1.Screen"

  /// The bus name of iio-sensor-proxy.
  public static let proxyService = "net.hadess.SensorProxy"
  /// Its object.
  public static let proxyPath = "/net/hadess/SensorProxy"
  /// The interface of all its sensors but the compass.
  public static let proxyInterface = "net.hadess.SensorProxy"
  /// Its object of the compass.
  public static let compassPath = "/net/hadess/SensorProxy/Compass"
  /// The compass's interface.
  public static let compassInterface = "net.hadess.SensorProxy.Compass"
}

/// The errors of the service's own, `org.orientationd1.Error.*`.
public enum ServiceErrorName {
  /// `EndGeneratingDeviceOrientationNotifications` without a `Begin` before it.
  public static let notGenerating = "org.orientationd1.Error.NotGenerating"
  /// There is no sensor, or it did not deliver in time.
  public static let sensorUnavailable = "org.orientationd1.Error.SensorUnavailable"
  /// An argument is no interface orientation, or no set of them.
  public static let invalidOrientation = "org.orientationd1.Error.InvalidOrientation"
  /// The interface cannot have this orientation.
  public static let unsupportedOrientation = "org.orientationd1.Error.UnsupportedOrientation"
  /// A client asked for more of something than it may have.
  public static let limitsExceeded = "org.orientationd1.Error.LimitsExceeded"
  /// The client may not do that, or it cannot be found out whether it may.
  public static let notAuthorized = "org.orientationd1.Error.NotAuthorized"
}
