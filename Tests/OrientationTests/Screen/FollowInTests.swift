// SPDX-License-Identifier: Apache-2.0

import Orientation
import Testing

@Suite("When the interface follows")
struct FollowInTests {
  @Test("always, in every mode", arguments: TabletMode.allCases)
  func always(mode: TabletMode) {
    #expect(FollowIn.always.follows(in: mode))
  }

  @Test("as a tablet, unless this is known to be a laptop")
  func tablet() {
    #expect(FollowIn.tablet.follows(in: .tablet))
    #expect(!FollowIn.tablet.follows(in: .laptop))
    #expect(FollowIn.tablet.follows(in: .unknown))
  }

  @Test("the modes are spelled as on the bus")
  func spelling() {
    #expect(TabletMode.allCases.map(\.rawValue) == ["unknown", "laptop", "tablet"])
  }
}
