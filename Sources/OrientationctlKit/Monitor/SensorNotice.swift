// SPDX-License-Identifier: Apache-2.0

import Orientation
import OrientationClient

/// A change of the sensor, for people.
enum SensorNotice: Equatable, CustomStringConvertible {
  /// There is no sensor.
  case absent
  /// The daemon uses this sensor.
  case used(String)
  /// A sensor has appeared.
  case appeared(String)
  /// The sensor was removed.
  case lost(String)
  /// The sensor cannot be read.
  case failed(String)
  /// The sensor delivers nothing.
  case silent(String)
  /// The sensor delivers samples again.
  case works(String)

  /// Creates the notice for the first state of a daemon.
  init(of device: DeviceSnapshot) {
    switch device.sensorStatus {
    case _ where !device.hasAccelerometer: self = .absent
    case SensorStatus.failed.rawValue: self = .failed(device.sensorName)
    case SensorStatus.silent.rawValue: self = .silent(device.sensorName)
    default: self = .used(device.sensorName)
    }
  }

  /// Creates the notice for a change; nil if the change is of no interest to people.
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
