// SPDX-License-Identifier: Apache-2.0

/// The tablet as it is drawn.
struct TabletView: Equatable {
  /// How it is turned.
  var attitude = Attitude()
  /// How far what is on the screen is turned on it from portrait, clockwise, in radians; nil if it is not known.
  var interfaceAngle: Double? = 0
  /// Whether it is known how the tablet is held; if not, it is drawn faintly.
  var isKnown = true
}

/// The shape of the tablet, in half lengths of it, in the device's axes.
enum TabletShape {
  /// Half of its width: five to eight.
  static let width = 0.64
  /// Half of its length.
  static let length = 1.0
  /// Half of its thickness.
  static let thickness = 0.035
  /// The radius of its corners.
  static let corner = 0.11
  /// Half of the width of the screen.
  static let screenWidth = 0.55
  /// Half of the length of the screen.
  static let screenLength = 0.87
  /// The height of the letters on it.
  static let letters = 0.58
}
