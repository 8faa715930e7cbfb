// SPDX-License-Identifier: Apache-2.0

/// Where a mount matrix comes from, in the words of `MountMatrixSource` on D-Bus.
package enum MatrixSource: String, Sendable {
  /// A person tries it.
  case preview
  /// A person has set it, and it is kept.
  case calibration
  /// `MountMatrix=`.
  case configuration
  /// ACCEL_MOUNT_MATRIX.
  case udev
  /// The driver, which has it from the firmware.
  case driver

  /// The source, for display.
  package var words: String {
    switch self {
    case .preview: "a preview of the calibration"
    case .calibration: "the calibration"
    case .configuration: "the configuration"
    case .udev: "udev (ACCEL_MOUNT_MATRIX)"
    case .driver: "the driver"
    }
  }

  /// Whether a person has set it in the running daemon: by the convention of iio-sensor-proxy, and with a third row that counts.
  package var isSet: Bool { self == .preview || self == .calibration }
}
