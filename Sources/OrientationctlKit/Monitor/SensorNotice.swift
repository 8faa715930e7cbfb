// SPDX-License-Identifier: Apache-2.0

import Orientation
import OrientationClient

/// What became of the sensor, for people.
enum SensorNotice: Equatable, CustomStringConvertible {
  /// There is none.
  case absent
  /// This one is used.
  case used(String)
  /// There is one now.
  case appeared(String)
  /// It has gone.
  case lost(String)
  /// It cannot be read.
  case failed(String)
  /// It delivers nothing.
  case silent(String)
  /// It delivers again.
  case works(String)

  /// What to tell of the sensor that a daemon has when it is first asked.
  init(of device: DeviceSnapshot) {
    switch device.sensorStatus {
    case _ where !device.hasAccelerometer: self = .absent
    case SensorStatus.failed.rawValue: self = .failed(device.sensorName)
    case SensorStatus.silent.rawValue: self = .silent(device.sensorName)
    default: self = .used(device.sensorName)
    }
  }

  /// What to tell of a change; nil for what is of no interest to a person.
  init?(from before: DeviceSnapshot, to device: DeviceSnapshot) {
    if device.hasAccelerometer != before.hasAccelerometer {
      self = device.hasAccelerometer ? .appeared(device.sensorName) : .lost(before.sensorName)
      return
    }
    guard device.hasAccelerometer else { return nil }
    guard device.sensorName == before.sensorName else {
      self = .used(device.sensorName)
      return
    }
    guard device.sensorStatus != before.sensorStatus else { return nil }
    switch (before.sensorStatus, device.sensorStatus) {
    case (_, SensorStatus.failed.rawValue): self = .failed(device.sensorName)
    case (_, SensorStatus.silent.rawValue): self = .silent(device.sensorName)
    case (SensorStatus.failed.rawValue, SensorStatus.active.rawValue),
      (SensorStatus.silent.rawValue, SensorStatus.active.rawValue):
      self = .works(device.sensorName)
    default: return nil
    }
  }

  /// One sentence.
  var description: String {
    switch self {
    case .absent: "no accelerometer found; waiting for one to appear (see orientationctl sensors)"
    case .used(let name): "listening to the sensor \(name)"
    case .appeared(let name): "the sensor \(name) has appeared"
    case .lost(let name): "the sensor \(name) was removed; waiting for one to appear"
    case .failed(let name):
      "the sensor \(name) cannot be read; retrying periodically (see the journal)"
    case .silent(let name): "the sensor \(name) delivers nothing"
    case .works(let name): "the sensor \(name) works again"
    }
  }
}
