// SPDX-License-Identifier: Apache-2.0

package import IIO
package import Orientation

/// A sensor and its mounting in the tablet: all that sampling needs.
///
/// Two are equal if sampling them is the same. Other differences after a scan of the devices, such as the present
/// frequency, or another device that could also be chosen, are no reason to open or report the sensor again.
package struct MountedSensor: Equatable, Sendable {
  /// The origin of its samples.
  package var origin: SensorOrigin
  /// The name, as in the property `Name` of `org.orientationd1.Sensor`.
  package var name: String
  /// Why it was chosen, for display.
  package var choice: String
  /// How it is mounted; nil if its samples are in the axes of the device in portrait already, whatever the panel's upright: those of
  /// recordings and of the simulated tablet.
  package var mounting: Mounting?

  /// Which sensor it is for a matrix that a person sets; nil if it has none.
  package var model: String?

  /// Why and how it is used, for display.
  package var reason: String { mounting.map { "\(choice), \($0.source)" } ?? choice }

  /// The sentence that its driver's scale is wrong, with the line of the configuration that corrects it; `length` is that of
  /// gravity in its readings, in units of standard gravity.
  package func wrongScale(_ length: Double) -> String {
    let factor = (mounting?.scaleFactor ?? 1) / length
    return
      "\(name): at rest it reads \(length.shortText) g, so its driver's scale is probably wrong; the orientation takes "
      + "account of that, and ScaleFactor=\(factor.shortText) would correct all readings"
  }

  /// From its axes to the screen's.
  package var transform: ScreenTransform { mounting?.transform ?? .identity }

  package static func == (left: Self, right: Self) -> Bool {
    left.origin == right.origin && left.name == right.name && left.transform == right.transform
  }
}

extension Double {
  /// Three digits of it, in decimals: "0.0167".
  package var shortText: String {
    guard self > 0.0001, self < 10_000 else { return "\(self)" }
    var unit = 1.0
    while self * unit < 100 { unit *= 10 }
    let rounded = (self * unit).rounded(.toNearestOrEven) / unit
    return Int(exactly: rounded).map { "\($0)" } ?? "\(rounded)"
  }
}
