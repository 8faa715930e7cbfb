// SPDX-License-Identifier: Apache-2.0

import IIO
import Orientation

/// A sensor and how it sits in the tablet: all that sampling needs.
///
/// Two are equal where sampling is the same. What else a look through the devices finds, such as the frequency that is
/// set at present, or another device that makes the choice one among several, is no reason to open the sensor anew or to
/// tell of it again.
struct MountedSensor: Equatable, Sendable {
  /// Where its samples come from.
  enum Origin: Sendable {
    /// A device of this machine.
    case device(SensorDescription)
    /// A device of the machine `host`, where iiod serves it.
    case network(SensorDescription, host: String)
    /// A recording.
    case recording(path: String)
    /// The simulated tablet.
    case simulation
  }

  /// Where its samples come from.
  var origin: Origin
  /// The name for people, as the `SensorName` property has it.
  var name: String
  /// Why it is used, for people.
  var reason: String
  /// From its axes to the screen's.
  var transform: ScreenTransform

  static func == (left: Self, right: Self) -> Bool {
    left.origin == right.origin && left.name == right.name && left.transform == right.transform
  }
}

extension MountedSensor.Origin: Equatable {
  static func == (left: Self, right: Self) -> Bool {
    switch (left, right) {
    case (.device(let left), .device(let right)): left.isOpened(as: right)
    case (.network(let left, let host), .network(let right, let otherHost)):
      left.isOpened(as: right) && host == otherHost
    case (.recording(let left), .recording(let right)): left == right
    case (.simulation, .simulation): true
    case (.device, _), (.network, _), (.recording, _), (.simulation, _): false
    }
  }
}

extension SensorDescription {
  /// Whether opening the sensor comes to the same as opening another one.
  fileprivate func isOpened(as other: SensorDescription) -> Bool {
    id == other.id && name == other.name && sysfsPath == other.sysfsPath && instance == other.instance
      && (buffering == .none) == (other.buffering == .none)
      && availableFrequencies == other.availableFrequencies
  }
}
