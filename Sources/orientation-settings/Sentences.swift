// SPDX-License-Identifier: Apache-2.0

// What people are told of the daemon: a sentence that helps, and never more text than there is room for.

import DaemonClient
import Orientation
import OrientationClient
import Systemd

extension String {
  /// A text of the daemon, on one line, as long as a person reads it.
  var shown: String {
    let text = prefix(300)
    return (text.utf8.count < utf8.count ? "\(text)…" : String(text)).printable
  }

  /// The same with its first letter large.
  var capitalized: String { prefix(1).uppercased() + dropFirst() }
}

extension OrientationError {
  /// The error, for a person.
  var sentence: String {
    switch kind {
    case .daemonUnavailable: "the service orientationd does not run."
    case .noAnswer: "the service orientationd does not answer."
    case .notAuthorized, .interactiveAuthorizationRequired: "this session has no permission for it."
    case .sensorUnavailable: "there is no sensor that works."
    default: "\(self)".shown
    }
  }
}

extension MotionStreamState {
  /// Why no readings come; nil while they do, or will soon.
  var problem: String? {
    switch self {
    case .unavailable(let error): "No readings: \(error.sentence)"
    case .denied: "No readings: only the session on the screen may read motion."
    case .noSensor: "No readings: there is no accelerometer."
    case .failed: "No readings: the accelerometer cannot be read."
    case .waiting, .starting, .active, .suspended: nil
    }
  }
}

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

  /// How it is mounted, and who says so.
  var mountingText: String {
    let source =
      switch mountMatrixSource {
      case "": "nothing is known, so it is taken as straight"
      case "preview": "on trial"
      case "state": "calibrated here"
      case "configuration": "set in the configuration"
      case "udev": "known for this model"
      case "driver": "as the firmware says"
      default: mountMatrixSource.shown
      }
    return "\(source.capitalized) (\(mountMatrix.shown))"
  }
}
