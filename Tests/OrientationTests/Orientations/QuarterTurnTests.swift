// SPDX-License-Identifier: Apache-2.0

import Orientation
import OrientationClient
import Testing

private let upright: [InterfaceOrientation] = [
  .portrait, .landscapeRight, .portraitUpsideDown, .landscapeLeft,
]

/// Rectangles within a picture, and some that stick out of it.
private let rectangles: [(bounds: ScreenSize<Int>, rectangle: ScreenRectangle<Int>)] = {
  let bounds = ScreenSize(width: 13, height: 7)
  return [-3, 0, 2, 12].flatMap { x in
    [-2, 0, 3, 7].flatMap { y in
      [0, 1, 5, 13].flatMap { width in
        [0, 1, 4, 7].map { height in
          (bounds, ScreenRectangle(x: x, y: y, size: ScreenSize(width: width, height: height)))
        }
      }
    }
  }
}()

/// Whether a rectangle lies within a picture.
private func isInside(_ rectangle: ScreenRectangle<Int>, _ bounds: ScreenSize<Int>) -> Bool {
  rectangle.x >= 0 && rectangle.y >= 0 && rectangle.x + rectangle.size.width <= bounds.width
    && rectangle.y + rectangle.size.height <= bounds.height
}

@Suite("A quarter turn of the interface")
struct QuarterTurnTests {
  @Test("from portrait to landscapeRight, whose top is at the right edge, is clockwise on the screen")
  func directions() {
    let expected: KeyValuePairs<InterfaceOrientation, Int> = [
      .portrait: 0, .landscapeRight: 90, .portraitUpsideDown: 180, .landscapeLeft: -90,
    ]
    for (interface, degrees) in expected {
      #expect(QuarterTurn(from: .portrait, to: interface)?.degrees == degrees)
    }
    #expect(QuarterTurn(from: .landscapeLeft, to: .landscapeRight) == .half)
    #expect(QuarterTurn(from: .landscapeLeft, to: .portrait) == .clockwise)
  }

  @Test("to or from an unknown orientation is none at all")
  func unknown() {
    for orientation in InterfaceOrientation.allCases {
      #expect(QuarterTurn(from: .unknown, to: orientation) == nil)
      #expect(QuarterTurn(from: orientation, to: .unknown) == nil)
    }
  }

  @Test("goes the shorter way round, and one after the other they add up modulo 360 degrees")
  func sums() {
    for first in QuarterTurn.allCases {
      #expect((-90...180).contains(first.degrees))
      for second in QuarterTurn.allCases {
        #expect(((first + second).degrees - first.degrees - second.degrees) % 360 == 0)
        #expect(first - second == first + -second)
        #expect((first + second) - second == first)
      }
      #expect(first + -first == .zero)
      #expect(first + first + first + first == .zero)
    }
  }

  @Test("by way of a third orientation is the same as straight on")
  func composition() throws {
    for first in upright {
      for second in upright {
        let straight = try #require(QuarterTurn(from: first, to: second))
        #expect(QuarterTurn(from: second, to: first) == -straight)
        for third in upright {
          let start = try #require(QuarterTurn(from: first, to: third))
          let end = try #require(QuarterTurn(from: third, to: second))
          #expect(start + end == straight)
        }
      }
    }
  }

  @Test("is what the output's transform makes up for: clockwise for the interface is 270 for the output")
  func transform() {
    let transforms: [QuarterTurn: OutputTransform] = [
      .zero: .normal, .counterclockwise: .quarter, .half: .half, .clockwise: .threeQuarters,
    ]
    for natural in NaturalOrientation.allCases {
      for interface in upright {
        let turn = QuarterTurn(from: natural.interface, to: interface)
        #expect(turn.map { transforms[$0] } == OutputTransform(showing: interface, natural: natural))
      }
    }
  }
}

@Suite("A turned picture")
struct TurnedPictureTests {
  @Test("has its upper left corner at the upper right after a clockwise turn")
  func corner() {
    let bounds = ScreenSize(width: 100.0, height: 60.0)
    let corner = ScreenRectangle(x: 0, y: 0, size: ScreenSize(width: 10.0, height: 5.0))
    let right = ScreenRectangle(x: 55, y: 0, size: ScreenSize(width: 5.0, height: 10.0))
    #expect(bounds.turned(by: .clockwise) == ScreenSize(width: 60, height: 100))
    #expect(corner.turned(by: .clockwise, in: bounds) == right)
    #expect(
      corner.turned(by: .half, in: bounds)
        == ScreenRectangle(x: 90, y: 55, size: ScreenSize(width: 10, height: 5)))
    #expect(
      corner.turned(by: .counterclockwise, in: bounds)
        == ScreenRectangle(x: 0, y: 90, size: ScreenSize(width: 5, height: 10)))
  }

  @Test("turned there and back is as it was", arguments: QuarterTurn.allCases)
  func back(turn: QuarterTurn) {
    for (bounds, rectangle) in rectangles {
      let turned = rectangle.turned(by: turn, in: bounds)
      #expect(turned.turned(by: -turn, in: bounds.turned(by: turn)) == rectangle)
      #expect(bounds.turned(by: turn).turned(by: -turn) == bounds)
    }
  }

  @Test("turned by two turns is as turned by their sum; so four quarters leave it as it was")
  func composition() {
    for (bounds, rectangle) in rectangles {
      for first in QuarterTurn.allCases {
        let once = rectangle.turned(by: first, in: bounds)
        for second in QuarterTurn.allCases {
          let twice = once.turned(by: second, in: bounds.turned(by: first))
          #expect(twice == rectangle.turned(by: first + second, in: bounds))
        }
      }
    }
  }

  @Test("keeps what lies in it within it, and what sticks out outside", arguments: QuarterTurn.allCases)
  func bounds(turn: QuarterTurn) {
    for (bounds, rectangle) in rectangles {
      let turned = rectangle.turned(by: turn, in: bounds)
      #expect(isInside(turned, bounds.turned(by: turn)) == isInside(rectangle, bounds))
    }
  }
}

@Suite("The size of an encoder")
struct EncoderSizeTests {
  @Test("is higher than wide in portrait and wider than high in landscape, whichever way it is given")
  func shape() {
    for given in [ScreenSize(width: 1280, height: 720), ScreenSize(width: 720, height: 1280)] {
      for orientation in upright {
        let expected =
          orientation.isPortrait ? ScreenSize(width: 720, height: 1280) : ScreenSize(width: 1280, height: 720)
        #expect(given.encoderSize(for: orientation) == expected)
      }
      #expect(given.encoderSize(for: .unknown) == given)
    }
  }

  @Test("is even, at most a pixel smaller, and never below 2")
  func even() {
    for width in -3...9 {
      for height in -3...9 {
        for orientation in InterfaceOrientation.allCases {
          let size = ScreenSize(width: width, height: height).encoderSize(for: orientation)
          let sides = [size.width, size.height].sorted()
          for (side, given) in zip(sides, [width, height].sorted()) {
            #expect(side % 2 == 0)
            #expect(given < 2 ? side == 2 : (given - 1...given).contains(side))
          }
        }
      }
    }
    let smallest = ScreenSize(width: Int8.min, height: Int8.max).encoderSize(for: .landscapeLeft)
    #expect(smallest == ScreenSize(width: 126, height: 2))
  }
}
