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

@Test("the angle between two directions is the C library's, also between the same and between opposite ones")
func between() {
  for degrees in stride(from: 0.0, through: 180, by: 0.5) {
    let radians = degrees * .pi / 180
    let other = SIMD3(cos(radians), sin(radians) * 0.6, sin(radians) * 0.8)
    #expect(abs(Angle(between: SIMD3(1, 0, 0), and: other).degrees - degrees) < 1e-5)
  }
}
