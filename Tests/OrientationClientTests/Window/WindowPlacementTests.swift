// SPDX-License-Identifier: Apache-2.0

import Orientation
import OrientationClient
import Testing

@Suite("A window that is turned by the app")
struct WindowPlacementTests {
  private let screen = ScreenSize(width: 768.0, height: 1024.0)

  @Test("has UIKit's sign: the interface landscapeRight is turned clockwise, by +90 degrees or +π/2")
  func sign() {
    let expected: KeyValuePairs<InterfaceOrientation, (Int, Double)> = [
      .portrait: (0, 0), .landscapeRight: (90, .pi / 2), .portraitUpsideDown: (180, .pi),
      .landscapeLeft: (-90, -.pi / 2),
    ]
    for (orientation, (degrees, radians)) in expected {
      let window = WindowPlacement(on: screen, natural: .portrait, in: orientation)
      #expect(window?.turn.degrees == degrees)
      #expect(window?.turn.radians == radians)
    }
  }

  @Test("is wide in landscape, about the centre of the screen, which does not move")
  func boundsAndCenter() throws {
    for orientation in InterfaceOrientation.allCases where orientation != .unknown {
      let window = try #require(WindowPlacement(on: screen, natural: .portrait, in: orientation))
      let size = orientation.isLandscape ? ScreenSize(width: 1024.0, height: 768.0) : screen
      #expect(window.bounds == ScreenRectangle(x: 0, y: 0, size: size))
      #expect(window.center == ScreenPoint(x: 384, y: 512))
    }
  }

  @Test("fills the screen: turned about its centre, its corners are the screen's")
  func fills() throws {
    for orientation in InterfaceOrientation.allCases where orientation != .unknown {
      let window = try #require(WindowPlacement(on: screen, natural: .portrait, in: orientation))
      let turned = window.bounds.turned(by: window.turn, in: window.bounds.size)
      #expect(turned == ScreenRectangle(x: 0, y: 0, size: screen))
      #expect(turned.center == window.center)
    }
  }

  @Test(
    "on a landscape panel is not turned in landscapeRight, with the top edge of the panel up, and by a quarter in portrait"
  )
  func landscapePanel() throws {
    let panel = ScreenSize(width: 1920.0, height: 1200.0)
    let expected: KeyValuePairs<InterfaceOrientation, QuarterTurn> = [
      .landscapeRight: .zero, .portraitUpsideDown: .clockwise, .landscapeLeft: .half,
      .portrait: .counterclockwise,
    ]
    for (orientation, turn) in expected {
      let window = try #require(WindowPlacement(on: panel, natural: .landscapeLeft, in: orientation))
      #expect(window.turn == turn)
      #expect(window.center == ScreenPoint(x: 960, y: 600))
      #expect((window.bounds.size.width > window.bounds.size.height) == orientation.isLandscape)
      #expect(window.bounds.turned(by: turn, in: window.bounds.size).size == panel)
    }
  }

  @Test("is nowhere in an unknown orientation")
  func unknown() {
    #expect(WindowPlacement(on: screen, natural: .portrait, in: .unknown) == nil)
  }
}
