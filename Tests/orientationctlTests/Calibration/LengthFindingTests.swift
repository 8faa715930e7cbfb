// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import OrientationctlKit

@Suite("What the lengths of the poses show")
struct LengthFindingTests {
  @Test("is nothing of a chip as they are, or with the right ScaleFactor=")
  func right() {
    #expect(LengthFinding([1, 1.02, 0.95], scaleFactor: 1) == nil)
    #expect(LengthFinding([0.1, 0.1, 0.105], scaleFactor: 10) == nil)
    #expect(LengthFinding([], scaleFactor: 1) == nil)
  }

  @Test("is a wrong scale where they are all the same, also that of a ScaleFactor= that is wrong")
  func scale() {
    #expect(LengthFinding([4, 4, 4], scaleFactor: 1) == .scale(length: 4, factor: 0.25))
    #expect(LengthFinding([1, 1, 1], scaleFactor: 10) == .scale(length: 1, factor: 1))
  }

  @Test("is an offset where they differ")
  func offset() {
    let finding = LengthFinding([1.1, 0.5, 1], scaleFactor: 1)
    #expect(finding == .offset(shortest: 0.5, longest: 1.1))
    #expect(finding?.description.hasPrefix("Gravity reads 0.5 g in one pose and 1.1 g in another: ") == true)
  }
}
