// SPDX-License-Identifier: Apache-2.0

import Glibc
import Orientation
import Testing

@Test("the sine of an angle is the C library's")
func sine() {
  for degrees in stride(from: -90.0, through: 90, by: 0.5) {
    #expect(abs(Angle(degrees: degrees).sine - sin(degrees * .pi / 180)) < 1e-12)
  }
}
