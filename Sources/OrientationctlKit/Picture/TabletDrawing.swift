// SPDX-License-Identifier: Apache-2.0

// The tablet is convex, so an edge is hidden exactly if both surfaces that meet there are seen from behind.

import Glibc
import TabletPicture

extension Canvas {
  /// Draws the tablet, and what is on its screen.
  mutating func draw(_ tablet: TabletView, by camera: Camera, hasFloor: Bool) {
    if hasFloor { drawShadow(of: tablet, by: camera) }
    let ink = tablet.isKnown ? Ink.plain : .faint
    drawBody(tablet.attitude, by: camera, ink)
    var surface = Surface(attitude: tablet.attitude, camera: camera, depth: TabletShape.thickness)
    guard surface.isSeen else {
      surface.depth = -TabletShape.thickness
      return drawBack(on: surface, ink)
    }
    drawFront(on: surface, ink)
    if let angle = tablet.interfaceAngle {
      drawInterface(turnedBy: angle, on: surface, isKnown: tablet.isKnown)
    }
  }

  /// The outline on the floor below, which shows how the tablet leans.
  private mutating func drawShadow(of tablet: TabletView, by camera: Camera) {
    for point in TabletShape.outline {
      var place = tablet.attitude(SIMD3(point.x, point.y, 0))
      place.y = -1.24
      set(camera(place), .faint)
    }
  }

  private mutating func drawBody(_ attitude: Attitude, by camera: Camera, _ ink: Ink) {
    let corners = TabletShape.outline
    for (start, end) in zip(corners, corners.dropFirst() + corners.prefix(1)) {
      let way = end - start
      let side = attitude(SIMD3(way.y, -way.x, 0))
      let middle = attitude(SIMD3((start.x + end.x) / 2, (start.y + end.y) / 2, 0))
      let seesSide = camera.sees(side, at: middle)
      for depth in [TabletShape.thickness, -TabletShape.thickness] {
        let face = attitude.out * (depth < 0 ? -1 : 1)
        guard seesSide || camera.sees(face, at: attitude(SIMD3(0, 0, depth))) else { continue }
        line(
          from: camera(attitude(SIMD3(start.x, start.y, depth))),
          to: camera(attitude(SIMD3(end.x, end.y, depth))), ink)
      }
    }
  }

  /// The edge of the screen, the camera above it, and the line below it.
  private mutating func drawFront(on surface: Surface, _ ink: Ink) {
    let (width, length) = (TabletShape.screenWidth, TabletShape.screenLength)
    let corners = [
      SIMD2(-width, -length), SIMD2(-width, length), SIMD2(width, length), SIMD2(width, -length),
    ]
    for (start, end) in zip(corners, corners.dropFirst() + corners.prefix(1)) {
      line(from: surface(start), to: surface(end), .faint)
    }
    let bezel = (TabletShape.length + length) / 2
    disc(at: surface(SIMD2(0, bezel)), radius: min(surface.camera.scale * 0.035, 2), ink)
    line(from: surface(SIMD2(-0.14, -bezel)), to: surface(SIMD2(0.14, -bezel)), ink)
  }

  /// The lens of the camera in a corner of the back, and a ring in its middle.
  private mutating func drawBack(on surface: Surface, _ ink: Ink) {
    let lens = SIMD2(TabletShape.width - 0.17, TabletShape.length - 0.2)
    for (centre, radius, ink) in [(lens, 0.09, ink), (SIMD2(0.0, 0), 0.2, .faint)] {
      for number in 0..<48 {
        let angle = Double(number) / 48 * 2 * .pi
        set(surface(centre + SIMD2(cos(angle), sin(angle)) * radius), ink)
      }
    }
  }

  /// The letters, upright for the interface, and its top edge.
  private mutating func drawInterface(turnedBy angle: Double, on surface: Surface, isKnown: Bool) {
    let up = SIMD2(sin(angle), cos(angle))
    let right = SIMD2(cos(angle), -sin(angle))
    let (width, length) = (TabletShape.screenWidth, TabletShape.screenLength)
    // Between two orientations, the interface grows from the one size to the other.
    let (along, across) = (up.y * up.y, up.x * up.x)
    let (halfHeight, halfWidth) = (length * along + width * across, width * along + length * across)
    let ink = isKnown ? Ink.interface : .faint
    func isOnScreen(_ point: SIMD2<Double>) -> Bool {
      abs(point.x) <= width + 1e-6 && abs(point.y) <= length + 1e-6
    }
    let isFine = surface.camera.scale >= 24
    for point in Letters.points(spacing: 0.6 / (surface.camera.scale * TabletShape.letters)) {
      let place = (right * point.x + up * point.y) * TabletShape.letters
      guard isOnScreen(place) else { continue }
      let dot = surface(place)
      set(dot, isKnown ? .strong : .faint)
      // Letters of a large picture are bold.
      if isFine { set(dot + SIMD2(0.9, 0), isKnown ? .strong : .faint) }
    }
    let steps = Int(surface.camera.scale * 3)
    for row in 0...(isFine ? 3 : 1) {
      let height = halfHeight - 0.01 - Double(row) * 0.8 / surface.camera.scale
      for number in 0...steps {
        let place = up * height + right * (halfWidth * (Double(number) * 2 / Double(steps) - 1))
        if isOnScreen(place) { set(surface(place), ink) }
      }
    }
  }
}

/// The front or the back of the tablet.
private struct Surface {
  let attitude: Attitude
  let camera: Camera
  /// Where it is along the device's z axis.
  var depth: Double

  /// Whether its outer side is seen.
  var isSeen: Bool {
    camera.sees(attitude.out * (depth < 0 ? -1 : 1), at: attitude(SIMD3(0, 0, depth)))
  }

  /// The dot of a point of it.
  func callAsFunction(_ point: SIMD2<Double>) -> SIMD2<Double> {
    camera(attitude(SIMD3(point.x, point.y, depth)))
  }
}
