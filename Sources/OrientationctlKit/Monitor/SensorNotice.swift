// SPDX-License-Identifier: Apache-2.0

import Orientation
import OrientationClient

// What people are told of the sensor, in a sentence.
extension DeviceSnapshot {
  /// What is told of the first state of a daemon.
  var sensorNotice: String {
    guard hasAccelerometer else {
      return "no accelerometer found; waiting for one to appear (see orientationctl sensors)"
    }
    return sensorProblem ?? "listening to the sensor \(sensorName)"
  }

  /// What is told of a change; nil if it is of no interest to people.
  func sensorNotice(after before: DeviceSnapshot) -> String? {
    guard hasAccelerometer else {
      return before.hasAccelerometer
        ? "the sensor \(before.sensorName) was removed; waiting for one to appear" : nil
    }
    guard before.hasAccelerometer else { return "the sensor \(sensorName) has appeared" }
    guard sensorName == before.sensorName else { return "listening to the sensor \(sensorName)" }
    guard sensorStatus != before.sensorStatus else { return nil }
    if let sensorProblem { return sensorProblem }
    let worksAgain = before.sensorProblem != nil && sensorStatus == SensorStatus.active.rawValue
    return worksAgain ? "the sensor \(sensorName) works again" : nil
  }

  private var sensorProblem: String? {
    switch sensorStatus {
    case SensorStatus.failed.rawValue:
      "the sensor \(sensorName) cannot be read; retrying periodically (see the journal)"
    case SensorStatus.silent.rawValue: "the sensor \(sensorName) delivers nothing"
    default: nil
    }
  }
}
