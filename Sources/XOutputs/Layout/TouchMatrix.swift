// SPDX-License-Identifier: Apache-2.0

import Following
import Orientation

/// Where on the screen the points of a touchscreen are: the property "Coordinate Transformation Matrix" of an input device.
///
/// It has three rows. The device's points and the screen's are fractions of its width, from the left, and of its height, from the
/// top.
struct TouchMatrix: Equatable, Sendable {
  /// Nine, row by row.
  let values: [Float]
}

extension TouchMatrix {
  /// That of a touchscreen on the glass of an output.
  ///
  /// - Parameters:
  ///   - controller: what the output shows.
  ///   - size: the size of the screen.
  init(of controller: Controller, on size: PixelSize) {
    // Where the right edge and the upper edge of the glass are in the picture: it was turned counter-clockwise, so at 90 the
    // picture's upper edge is at the glass's left one.
    let (x, y): (across: (Float, Float, Float), down: (Float, Float, Float)) =
      switch controller.rotation.transform {
      case .normal: ((1, 0, 0), (0, 1, 0))
      case .quarter: ((0, -1, 1), (1, 0, 0))
      case .half: ((-1, 0, 1), (0, -1, 1))
      case .threeQuarters: ((0, 1, 0), (-1, 0, 1))
      }
    let area = controller.area
    values =
      Self.row(x, from: area.x, length: area.width, of: size.width)
      + Self.row(y, from: area.y, length: area.height, of: size.height) + [0, 0, 1]
  }

  /// Whether it means the same, but for what was rounded.
  func isNear(_ other: TouchMatrix) -> Bool {
    values.count == other.values.count && zip(values, other.values).allSatisfy { abs($0 - $1) < 1e-4 }
  }

  private static func row(
    _ factors: (Float, Float, Float), from start: Int32, length: Int32, of whole: Int32
  ) -> [Float] {
    let part = Float(length) / Float(max(whole, 1))
    return [factors.0 * part, factors.1 * part, factors.2 * part + Float(start) / Float(max(whole, 1))]
  }
}

/// To which output a touchscreen was mapped.
struct TouchPlace: Equatable, Sendable {
  let output: String
  /// What it was left with: as long as it has that, nobody has mapped it anew.
  let matrix: TouchMatrix
}

/// To which output a touchscreen belongs.
///
/// The server does not know this: at first, a device's points are spread over the whole screen. So a device is the panel's, unless
/// someone has mapped it to exactly another output (`xinput map-to-output`). Its mapping then has to follow the screen, which
/// becomes larger or smaller when the panel turns. It stays that output's while this is off, until someone maps it anew.
struct TouchMapping {
  /// The panel's output.
  let panel: String
  /// The layout for which the devices were mapped last.
  let before: ScreenLayout
  /// The present layout.
  let now: ScreenLayout

  /// Where a device is to be.
  ///
  /// - Parameters:
  ///   - present: the matrix that it has.
  ///   - last: where it was mapped last; nil if it was not yet.
  /// - Returns: its output, and the present matrix if it has to stay, because that output shows nothing.
  func place(of present: TouchMatrix, after last: TouchPlace?) -> TouchPlace {
    let known = last.flatMap { $0.matrix.isNear(present) ? $0.output : nil }
    let output = known ?? owner(of: present)
    let controller = now.controller(named: output)
    return TouchPlace(
      output: output, matrix: controller.map { TouchMatrix(of: $0, on: now.size) } ?? present)
  }

  private func owner(of present: TouchMatrix) -> String {
    let candidates = before.connectors.map { $0.name }.filter { name in
      guard let controller = before.controller(named: name) else { return false }
      // One that fills the screen alone is what devices are mapped to at first, too.
      return controller.area != ScreenArea(x: 0, y: 0, width: before.size.width, height: before.size.height)
        && TouchMatrix(of: controller, on: before.size).isNear(present)
    }
    // One that shows the same as the panel is as good as the panel.
    return candidates.isEmpty || candidates.contains(panel) ? panel : candidates[0]
  }
}
