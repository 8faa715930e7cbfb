// SPDX-License-Identifier: Apache-2.0

import Glibc
import Orientation

/// A round spirit level in the screen, with the borders of the orientations.
///
/// The bubble rises to the edge that is up, and is in the middle if the tablet is flat: filled with the screen up, hollow with
/// the screen down. It crosses a line where the classifier's borders are.
struct BubbleLevel: Equatable {
  /// The direction that is up, in the device's axes, of length one; nil if it is not known.
  var up: SIMD3<Double>?
  /// Whether the lines are borders between orientations; else they are a cross.
  var hasBorders = true

  /// Draws it as large as fits.
  func draw(on canvas: inout Canvas) {
    let radius = Double(min(canvas.width, canvas.height)) / 2 - 0.5
    let centre = SIMD2(Double(canvas.width) / 2 + 0.013, Double(canvas.height) / 2 + 0.017)
    let count = Int(radius * 8)
    for number in 0..<count {
      let angle = Double(number) / Double(count) * 2 * .pi
      let direction = SIMD2(sin(angle), -cos(angle))
      canvas.set(centre + direction * radius, .plain)
      if hasBorders, number % 2 == 0 {
        canvas.set(centre + direction * (radius * Self.faceBorder(towards: direction)), .faint)
      }
    }
    drawLines(on: &canvas, centre, radius)
    guard let up else { return }
    let place = centre + SIMD2(up.x, -up.y) * (radius - 2.4)
    canvas.disc(at: place, radius: radius < 9 ? 1.5 : 2.2, .gravity, isFilled: up.z > -0.05)
  }

  /// How far from the middle the border is between a face and an upright orientation; 1 is the rim.
  ///
  /// There, the weighed z equals the larger one of x and y.
  ///
  /// - Parameter direction: where it is looked for, of length one.
  /// - Returns: the sine of the screen's rise.
  static func faceBorder(towards direction: SIMD2<Double>) -> Double {
    let larger = max(abs(direction.x), abs(direction.y))
    let weight = NearestBorder.faceWeight
    return weight / (larger * larger + weight * weight).squareRoot()
  }

  /// The borders between the upright orientations, or the cross.
  private func drawLines(on canvas: inout Canvas, _ centre: SIMD2<Double>, _ radius: Double) {
    let diagonal = Double(0.5).squareRoot()
    let ways =
      hasBorders
      ? [SIMD2(1, 1), SIMD2(1, -1), SIMD2(-1, 1), SIMD2(-1, -1)].map { $0 * diagonal }
      : [SIMD2(1, 0), SIMD2(-1, 0), SIMD2(0, 1), SIMD2(0, -1)]
    for way in ways {
      let start = hasBorders ? Self.faceBorder(towards: way) : 0
      canvas.line(from: centre + way * (radius * start), to: centre + way * (radius - 1), .faint)
    }
  }
}
