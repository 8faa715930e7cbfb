// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import OrientationctlKit

@Suite("What the lengths of the poses show")
struct LengthFindingTests {
  @Test("is nothing of a chip as they are, or with the right ScaleFactor=")
  func right() {
    #expect(lengthFinding([1, 1.02, 0.95], scaleFactor: 1) == nil)
    #expect(lengthFinding([0.1, 0.1, 0.105], scaleFactor: 10) == nil)
    #expect(lengthFinding([], scaleFactor: 1) == nil)
  }

  @Test("is a wrong scale where they are all the same, also that of a ScaleFactor= that is wrong")
  func scale() throws {
    let four = try #require(lengthFinding([4, 4, 4], scaleFactor: 1))
    #expect(four.hasPrefix("At rest the sensor reads 4 g: ") && four.hasSuffix("\n    ScaleFactor=0.25"))
    #expect(lengthFinding([1, 1, 1], scaleFactor: 10)?.hasSuffix("\n    ScaleFactor=1") == true)
  }

  @Test("is an offset where they differ")
  func offset() {
    let finding = lengthFinding([1.1, 0.5, 1], scaleFactor: 1)
    #expect(finding?.hasPrefix("Gravity reads 0.5 g in one pose and 1.1 g in another:\n") == true)
    #expect(tooWide(finding ?? "").isEmpty)
  }
}
