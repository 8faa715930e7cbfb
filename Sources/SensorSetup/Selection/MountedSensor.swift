// SPDX-License-Identifier: Apache-2.0

package import IIO
package import Orientation

/// A sensor and how it sits in the tablet: all that sampling needs.
///
/// Two are equal where sampling is the same. What else a look through the devices finds, such as the frequency that is
/// set at present, or another device that makes the choice one among several, is no reason to open the sensor anew or to
/// tell of it again.
package struct MountedSensor: Equatable, Sendable {
  /// Where its samples come from.
  package var origin: SensorOrigin
  /// The name for people, as the `SensorName` property has it.
  package var name: String
  /// Why it was chosen, for people.
  package var choice: String
  /// How it is mounted; nil for what speaks of the device in portrait already.
  package var mounting: Mounting?

  /// Creates a sensor.
  package init(origin: SensorOrigin, name: String, choice: String, mounting: Mounting? = nil) {
    self.origin = origin
    self.name = name
    self.choice = choice
    self.mounting = mounting
  }

  /// Why it is used, and how, for people.
  package var reason: String { mounting.map { "\(choice), \($0.source)" } ?? choice }

  /// From its axes to the screen's.
  package var transform: ScreenTransform { mounting?.transform ?? .identity }

  package static func == (left: Self, right: Self) -> Bool {
    left.origin == right.origin && left.name == right.name && left.transform == right.transform
  }
}
