// SPDX-License-Identifier: Apache-2.0

import Glibc

/// A flat part of the tablet, as a picture shows it.
package struct TabletSurface {
  /// What it is a part of.
  package enum Part {
    /// The narrow sides.
    case edge
    /// The side with the screen, or the other one.
    case front, back
    /// The lens of the camera at the back; at the front, it is at another edge of each model.
    case backLens
    /// The screen; the bar at the top of what is on it, and an arrow to that.
    case screen, bar, arrow
  }

  /// What it is a part of.
  package let part: Part
  /// Its corners, in dots.
  package let corners: [SIMD2<Double>]
}

extension TabletSurface.Part {
  /// Its red, green and blue, 0 to 1: they are seen on a light and on a dark window.
  package var colour: (Double, Double, Double) {
    switch self {
    case .edge: (0.55, 0.56, 0.58)
    case .front: (0.29, 0.29, 0.32)
    case .back: (0.66, 0.67, 0.70)
    case .backLens: (0.13, 0.13, 0.15)
    case .screen: (0.11, 0.44, 0.85)
    case .bar: (0.05, 0.25, 0.55)
    case .arrow: (1, 1, 1)
    }
  }
}

extension TabletView {
  /// What is seen of the tablet: each surface lies above those before it.
  ///
  /// - Parameter camera: from where it is seen.
  /// - Returns: the surfaces, in the dots of the camera.
  package func surfaces(by camera: Camera) -> [TabletSurface] {
    let (front, back) = (TabletShape.thickness, -TabletShape.thickness)
    let seesFront = camera.sees(attitude.out, at: attitude(SIMD3(0, 0, front)))
    let (near, far) = seesFront ? (front, back) : (back, front)
    func surface(_ part: TabletSurface.Part, _ points: [SIMD2<Double>]) -> TabletSurface {
      TabletSurface(part: part, corners: points.map { camera(attitude(SIMD3($0.x, $0.y, near))) })
    }
    let outline = TabletShape.outline
    let edges = zip(outline, outline.dropFirst() + outline.prefix(1)).map { start, end in
      let corners = [(start, near), (end, near), (end, far), (start, far)]
      return TabletSurface(part: .edge, corners: corners.map { camera(attitude(SIMD3($0.x, $0.y, $1))) })
    }
    guard seesFront else {
      let lens = Self.circle(at: SIMD2(TabletShape.width - 0.17, TabletShape.length - 0.2), radius: 0.09)
      return edges + [surface(.back, outline), surface(.backLens, lens)]
    }
    let half = SIMD2(TabletShape.screenWidth, TabletShape.screenLength)
    let parts = [surface(.front, outline), surface(.screen, Self.rectangle(-half, half))]
    return edges + parts + shown.map { surface($0, $1) }
  }

  /// What is on the screen, in the device's axes.
  private var shown: [(TabletSurface.Part, [SIMD2<Double>])] {
    guard let angle = interfaceAngle else { return [] }
    let (up, right) = (SIMD2(sin(angle), cos(angle)), SIMD2(cos(angle), -sin(angle)))
    let (wide, long) = (TabletShape.screenWidth, TabletShape.screenLength)
    let half = abs(up.y) > 0.5 ? SIMD2(wide, long) : SIMD2(long, wide)
    let bar = Self.rectangle(SIMD2(-half.x, half.y - 0.09), half)
    return [(.bar, bar), (.arrow, Self.arrow)].map { ($0, $1.map { right * $0.x + up * $0.y }) }
  }

  private static let arrow = [
    SIMD2(0, 0.36), SIMD2(0.3, 0.02), SIMD2(0.12, 0.02), SIMD2(0.12, -0.34), SIMD2(-0.12, -0.34),
    SIMD2(-0.12, 0.02), SIMD2(-0.3, 0.02),
  ]

  private static func rectangle(_ one: SIMD2<Double>, _ other: SIMD2<Double>) -> [SIMD2<Double>] {
    [one, SIMD2(one.x, other.y), other, SIMD2(other.x, one.y)]
  }

  private static func circle(at centre: SIMD2<Double>, radius: Double) -> [SIMD2<Double>] {
    (0..<24).map { number in
      let angle = Double(number) / 24 * 2 * .pi
      return centre + SIMD2(cos(angle), sin(angle)) * radius
    }
  }
}
