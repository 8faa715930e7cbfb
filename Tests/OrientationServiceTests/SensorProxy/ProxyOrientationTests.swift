// SPDX-License-Identifier: Apache-2.0

import Orientation
import Testing

@testable import OrientationService

/// The upright orientations, and the edge of a portrait panel that is up, in the order of a turn against the clock.
private let turns: [(natural: NaturalOrientation, edge: ProxyOrientation)] = [
  (.portrait, .normal), (.landscapeLeft, .rightUp), (.portraitUpsideDown, .bottomUp),
  (.landscapeRight, .leftUp),
]

@Suite("The edge of the panel at which the interface is upright")
struct ProxyOrientationTests {
  // The law: what the interface is turned by and what the panel is built in by add up.
  @Test("is that of the panel, for each of four panels and four interfaces", arguments: turns.indices)
  func edges(natural: Int) {
    for turn in turns.indices {
      let transform = OutputTransform(
        showing: turns[(natural + turn) % 4].natural.interface, natural: turns[natural].natural)
      #expect(ProxyOrientation(showing: transform) == turns[turn].edge)
    }
  }
}
