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
    #expect(mapping.place(of: Self.identity, after: nil).matrix == layout.matrix(of: "eDP-1"))
  }

  @Test("it follows the panel from one transform to the next, beside a monitor, too")
  func followsThePanel() {
    let before = Sample.layout(panel: .normal, monitor: (800, 0))
    let now = Sample.layout(panel: .quarter, monitor: (1280, 0))
    let mapping = TouchMapping(panel: "eDP-1", before: before, now: now)
    #expect(
      mapping.place(of: before.matrix(of: "eDP-1"), after: nil).matrix == now.matrix(of: "eDP-1"))
  }

  @Test("it stays with the monitor that someone has mapped it to, while the screen around that grows")
  func mappedToAMonitor() {
    let before = Sample.layout(panel: .normal, monitor: (800, 0))
    let now = Sample.layout(panel: .quarter, monitor: (1280, 0))
    let mapping = TouchMapping(panel: "eDP-1", before: before, now: now)
    let matrix = mapping.place(of: before.matrix(of: "HDMI-1"), after: nil).matrix
    #expect(matrix == now.matrix(of: "HDMI-1"))
    #expect(matrix != before.matrix(of: "HDMI-1"))
  }

  @Test("it is the panel's again after a monitor was the only one that was on")
  func monitorAlone() {
    let before = ScreenLayout.monitorAlone
    let now = Sample.layout(panel: .normal, monitor: (800, 0))
    let mapping = TouchMapping(panel: "eDP-1", before: before, now: now)
    #expect(mapping.place(of: Self.identity, after: nil).matrix == now.matrix(of: "eDP-1"))
    #expect(
      TouchMapping(panel: "eDP-1", before: now, now: before).place(of: Self.identity, after: nil).matrix
        == Self.identity)
  }

  @Test(
    "it stays with what it was mapped to while that, or the panel, is off for a while",
    arguments: [
      ("HDMI-1", Sample.layout(panel: .normal)), ("HDMI-1", .monitorAlone), ("eDP-1", .monitorAlone),
      ("eDP-1", Sample.layout(panel: .normal)), ("eDP-1", .monitorsAlone), ("HDMI-1", .monitorsAlone),
    ])
  func outputOff(_ output: String, meanwhile: ScreenLayout) {
    let usual = Sample.layout(panel: .normal, monitor: (800, 0))
    var (before, last) = (usual, nil as TouchPlace?)
    var matrix = usual.matrix(of: output)
    // The server tells of one change more than once.
    for now in [usual, meanwhile, meanwhile, usual] {
      let place = TouchMapping(panel: "eDP-1", before: before, now: now).place(of: matrix, after: last)
      (before, last, matrix) = (now, place, place.matrix)
    }
    #expect(matrix == usual.matrix(of: output))
  }

  @Test("it is where someone maps it anew while the program runs")
  func mappedAnew() {
    let layout = Sample.layout(panel: .normal, monitor: (800, 0))
    let mapping = TouchMapping(panel: "eDP-1", before: layout, now: layout)
    let first = mapping.place(of: Self.identity, after: nil)
    #expect(first.output == "eDP-1")
    let second = mapping.place(of: layout.matrix(of: "HDMI-1"), after: first)
    #expect(second.output == "HDMI-1")
    #expect(mapping.place(of: layout.matrix(of: "eDP-1"), after: second).output == "eDP-1")
  }
}

extension ScreenLayout {
  fileprivate static let monitorAlone = Sample.withoutPanel(ScreenArea(x: 0, y: 0, width: 1920, height: 1080))
  /// Two monitors, of which one is where the panel was.
  fileprivate static let monitorsAlone = Sample.withoutPanel(
    ScreenArea(x: 800, y: 0, width: 1920, height: 1080), ScreenArea(x: 0, y: 0, width: 800, height: 1280))

  fileprivate func matrix(of output: String) -> TouchMatrix {
    controller(named: output).map { TouchMatrix(of: $0, on: size) } ?? TouchMatrix(values: [])
  }
}

extension TouchMatrix {
  fileprivate func point(_ x: Float, _ y: Float) -> (Float, Float) {
    (values[0] * x + values[1] * y + values[2], values[3] * x + values[4] * y + values[5])
  }
}
