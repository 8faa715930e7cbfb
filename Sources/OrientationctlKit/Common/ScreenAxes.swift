// SPDX-License-Identifier: Apache-2.0

import Orientation

/// The axes of the chip that point along the axes of the screen, such as "+x" or "-y".
struct ScreenAxes {
  private let right: String
  private let top: String
  private let out: String

  /// Applies a transform to each axis of the chip.
  init(of transform: ScreenTransform) {
    let x = transform(Acceleration(x: 1, y: 0, z: 0))
    let y = transform(Acceleration(x: 0, y: 1, z: 0))
    let z = transform(Acceleration(x: 0, y: 0, z: 1))
    right = Self.sum(x.x, y.x, z.x)
    top = Self.sum(x.y, y.y, z.y)
    out = Self.sum(x.z, y.z, z.z)
  }

  /// The axes for people.
  var text: String { "right edge \(right), top \(top), out of the screen \(out)" }

  /// The axes for programs.
  var json: JSON {
    .object([("right", .string(right)), ("top", .string(top)), ("out", .string(out))])
  }

  private static func sum(_ x: Double, _ y: Double, _ z: Double) -> String {
    [(x, "x"), (y, "y"), (z, "z")].compactMap { weight, axis in
      guard abs(weight) > 0.0005 else { return nil }
      let size = abs(abs(weight) - 1) < 0.0005 ? "" : shortDecimal(abs(weight))
      return "\(weight < 0 ? "-" : "+")\(size)\(axis)"
    }.joined()
  }
}
