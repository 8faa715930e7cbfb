// SPDX-License-Identifier: Apache-2.0

import Orientation

/// Which of the chip's axes make up those of the screen, in words such as "+x" or "-y".
struct ScreenAxes {
  private let right: String
  private let top: String
  private let out: String

  /// Finds out what a transform does to each of the chip's axes.
  init(of transform: ScreenTransform) {
    let x = transform(Acceleration(x: 1, y: 0, z: 0))
    let y = transform(Acceleration(x: 0, y: 1, z: 0))
    let z = transform(Acceleration(x: 0, y: 0, z: 1))
    right = Self.sum(x.x, y.x, z.x)
    top = Self.sum(x.y, y.y, z.y)
    out = Self.sum(x.z, y.z, z.z)
  }

  /// For a person.
  var text: String { "right edge \(right), top \(top), out of the screen \(out)" }

  /// For a program.
  var json: JSON {
    .object([.init("right", .string(right)), .init("top", .string(top)), .init("out", .string(out))])
  }

  private static func sum(_ x: Double, _ y: Double, _ z: Double) -> String {
    [(x, "x"), (y, "y"), (z, "z")].compactMap { weight, axis in
      guard abs(weight) > 0.0005 else { return nil }
      let size = abs(abs(weight) - 1) < 0.0005 ? "" : shortDecimal(abs(weight))
      return "\(weight < 0 ? "-" : "+")\(size)\(axis)"
    }.joined()
  }
}
