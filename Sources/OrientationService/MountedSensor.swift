// SPDX-License-Identifier: Apache-2.0

import IIO
import Orientation

/// A sensor and how it sits in the tablet: all that sampling needs.
struct MountedSensor: Equatable, Sendable {
  /// Where its samples come from.
  enum Origin: Equatable, Sendable {
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
}
