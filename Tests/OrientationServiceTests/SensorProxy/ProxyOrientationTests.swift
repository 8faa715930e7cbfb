// SPDX-License-Identifier: Apache-2.0

import Orientation
import Testing

@testable import OrientationService

/// The upright orientations, and the edge of a portrait panel that is up, in the order of a turn against the clock.
private let turns: [(natural: NaturalOrientation, edge: ProxyOrientation)] = [
  (.portrait, .normal), (.landscapeLeft, .rightUp), (.portraitUpsideDown, .bottomUp),
  (.landscapeRight, .leftUp),
]

@Suite("The edge of the panel that is up")
struct ProxyOrientationTests {
  // The law: what the device is turned by and what the panel is built in by add up.
  @Test("is that of the panel, for each of four panels in each of four poses", arguments: turns.indices)
  func edges(natural: Int) {
    for turn in turns.indices {
      let device = turns[(natural + turn) % 4].natural.device
      #expect(ProxyOrientation(on: device, natural: turns[natural].natural) == turns[turn].edge)
    }
  }

  @Test("is none of a device that is flat or unknown")
  func flat() {
    for device in [DeviceOrientation.unknown, .faceUp, .faceDown] {
      for natural in NaturalOrientation.allCases {
        #expect(ProxyOrientation(on: device, natural: natural) == nil)
      }
    }
  }
}
