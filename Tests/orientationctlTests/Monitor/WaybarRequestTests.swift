// SPDX-License-Identifier: Apache-2.0

import Monitoring
import Testing

@testable import OrientationctlKit

@Suite("What orientationctl passes on to the program for waybar")
struct WaybarRequestTests {
  @Test("is read back as it was written", arguments: [nil, 0.3, 1e-7, 86_400, 1e300])
  func roundTrip(seconds: Double?) {
    for isUserBus in [false, true] {
      for limit in [nil, 1, .max] {
        let request = WaybarRequest(isUserBus: isUserBus, limit: limit, seconds: seconds)
        #expect(WaybarRequest(words: request.words) == request)
      }
    }
  }

  @Test(
    "is refused if it is anything else",
    arguments: [
      ["--count"], ["--count", "1.5"], ["--seconds"], ["--seconds", "soon"], ["--help"], ["user"],
    ])
  func refused(words: [String]) {
    #expect(WaybarRequest(words: words) == nil)
  }
}
