// SPDX-License-Identifier: Apache-2.0

import Systemd

/// The names that clients know the service by.
public enum DBusNames {
  /// The bus name.
  public static let service = "org.orientationd1"
  /// The one object.
  public static let path = "/org/orientationd1"
  /// The interface of the device's orientation.
  public static let deviceInterface = "org.orientationd1.Device"
}

/// The errors of the service's own, `org.orientationd1.Error.*`.
enum ServiceErrorName {
  /// `EndGeneratingDeviceOrientationNotifications` without a `Begin` before it.
  static let notGenerating = "org.orientationd1.Error.NotGenerating"
  /// There is no sensor, or it did not deliver in time.
  static let sensorUnavailable = "org.orientationd1.Error.SensorUnavailable"
  /// A client asked for more of something than it may have.
  static let limitsExceeded = "org.orientationd1.Error.LimitsExceeded"
  /// The client may not do that, or it cannot be found out whether it may.
  static let notAuthorized = "org.orientationd1.Error.NotAuthorized"
}
