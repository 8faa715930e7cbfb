// SPDX-License-Identifier: Apache-2.0

import Following
import Orientation
import Testing

@testable import XOutputs

@Suite("Where on the screen the points of a touchscreen are")
struct TouchMatrixTests {
  /// Corners of the glass, as fractions, and where the picture has them at each transform: it is turned counter-clockwise.
  @Test("has the values that xinput's users know, if the panel is the whole screen")
  func wholeScreen() {
    let known: [(OutputTransform, [Float])] = [
      (.normal, [1, 0, 0, 0, 1, 0, 0, 0, 1]), (.quarter, [0, -1, 1, 1, 0, 0, 0, 0, 1]),
      (.half, [-1, 0, 1, 0, -1, 1, 0, 0, 1]), (.threeQuarters, [0, 1, 0, -1, 0, 1, 0, 0, 1]),
    ]
    for (transform, values) in known {
      let layout = Sample.layout(panel: transform)
      #expect(layout.matrix(of: "eDP-1").values == values, "\(transform)")
    }
  }

  @Test("leads each point of the glass to the pixel that is shown there, on any part of a larger screen")
  func allPoints() {
    for transform in OutputTransform.allCases {
      for (x, y) in [(Int32(0), Int32(0)), (1920, 0), (0, 1080), (333, 77)] {
        let layout = Sample.layout(panel: transform, at: (x, y), monitor: (0, 0))
        let matrix = layout.matrix(of: "eDP-1")
        for glass in [(100, 50), (700, 50), (100, 1230), (400, 640)] as [(Float, Float)] {
          let shown = Sample.pixel(of: glass, transform)
          let (screenX, screenY) = matrix.point(glass.0 / 800, glass.1 / 1280)
          #expect(
            abs(screenX * Float(layout.size.width) - (shown.0 + Float(x))) < 0.1, "\(transform) \(x) \(glass)"
          )
          #expect(
            abs(screenY * Float(layout.size.height) - (shown.1 + Float(y))) < 0.1,
            "\(transform) \(y) \(glass)")
        }
      }
    }
  }
}

@Suite("To which output a touchscreen belongs")
struct TouchMappingTests {
  private static let identity = TouchMatrix(values: [1, 0, 0, 0, 1, 0, 0, 0, 1])

  @Test("it is the panel's, if nobody has mapped it")
  func unmapped() {
    let layout = Sample.layout(panel: .quarter, monitor: (1280, 0))
    let mapping = TouchMapping(panel: "eDP-1", before: layout, now: layout)
    #expect(mapping.matrix(replacing: Self.identity) == layout.matrix(of: "eDP-1"))
  }

  @Test("it follows the panel from one transform to the next, beside a monitor, too")
  func followsThePanel() {
    let before = Sample.layout(panel: .normal, monitor: (800, 0))
    let now = Sample.layout(panel: .quarter, monitor: (1280, 0))
    let mapping = TouchMapping(panel: "eDP-1", before: before, now: now)
    #expect(mapping.matrix(replacing: before.matrix(of: "eDP-1")) == now.matrix(of: "eDP-1"))
  }

  @Test("it stays with the monitor that someone has mapped it to, while the screen around that grows")
  func mappedToAMonitor() {
    let before = Sample.layout(panel: .normal, monitor: (800, 0))
    let now = Sample.layout(panel: .quarter, monitor: (1280, 0))
    let mapping = TouchMapping(panel: "eDP-1", before: before, now: now)
    let matrix = mapping.matrix(replacing: before.matrix(of: "HDMI-1"))
    #expect(matrix == now.matrix(of: "HDMI-1"))
    #expect(matrix != before.matrix(of: "HDMI-1"))
  }

  @Test("it is the panel's again after a monitor was the only one that was on")
  func monitorAlone() {
    var before = Sample.layout(panel: .normal, monitor: (0, 0))
    before.controllers.removeFirst()
    before.size = PixelSize(width: 1920, height: 1080)
    let now = Sample.layout(panel: .normal, monitor: (800, 0))
    let mapping = TouchMapping(panel: "eDP-1", before: before, now: now)
    #expect(mapping.matrix(replacing: Self.identity) == now.matrix(of: "eDP-1"))
    #expect(TouchMapping(panel: "eDP-1", before: now, now: before).matrix(replacing: Self.identity) == nil)
  }
}

extension ScreenLayout {
  fileprivate func matrix(of output: String) -> TouchMatrix {
    controller(named: output).map { TouchMatrix(of: $0, on: size) } ?? TouchMatrix(values: [])
  }
}

extension TouchMatrix {
  fileprivate func point(_ x: Float, _ y: Float) -> (Float, Float) {
    (values[0] * x + values[1] * y + values[2], values[3] * x + values[4] * y + values[5])
  }
}
