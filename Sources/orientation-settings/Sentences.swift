// SPDX-License-Identifier: Apache-2.0

// What people are told of the daemon: a sentence that helps, and never more text than there is room for.

import DaemonClient
import Orientation
import OrientationClient
import Systemd

extension DeviceSnapshot {
  /// What is to be said of the sensor.
  var verdict: String {
    switch SensorStatus(rawValue: sensorStatus) {
    case .absent: "None was found"
    case .idle: "It works; it is off while nothing needs it"
    case .starting: "It is being started"
    case .active: "It works"
    case .silent: "It delivers nothing, or nothing that can be gravity"
    case .failed: "It cannot be read; the service tries again"
    case nil: sensorStatus.shown
    }
  }

  /// Who says how it sits in the tablet.
  var mountingText: String {
    switch matrixSource {
    case .preview: "On trial"
    case .calibration: "Calibrated here"
    case .configuration: "Set in the configuration"
    case .udev: "Known for this model"
    case .driver: "As the firmware says"
    case nil where mountMatrixSource.isEmpty: "Nothing is known, so it is taken as straight"
    case nil: mountMatrixSource.shown.withLargeFirstLetter
    }
  }
}
