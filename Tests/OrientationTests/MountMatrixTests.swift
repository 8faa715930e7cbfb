// SPDX-License-Identifier: Apache-2.0

import Orientation
import Testing

@Suite("Mount matrices")
struct MountMatrixTests {
  @Test(
    "every spelling in use is read alike",
    arguments: [
      "0, -1, 0; 1, 0, 0; 0, 0, 1", "0,-1,0;1,0,0;0,0,1", "0, -1, 0;1, 0, 0;0, 0, 1",
      "0, -1, 0; 1,0, 0; 0, 0, 1", " 0.0 ,-1.000000, 0 ;1e0, 0, 0 ; 0, 0, 1;\n",
    ])
  func spellings(text: String) throws {
    let matrix = try MountMatrix(parsing: text)
    #expect(matrix.x == SIMD3(0, -1, 0))
    #expect(matrix.y == SIMD3(1, 0, 0))
    #expect(matrix.z == SIMD3(0, 0, 1))
    #expect(matrix.determinant == 1)
  }

  @Test(
    "garbage is refused with a reason",
    arguments: [
      "", "1", "1, 0, 0", "1, 0, 0; 0, 1, 0", "1, 0; 0, 1, 0; 0, 0, 1", "1, 0, 0; 0, 1, 0; 0, 0, 1; 0, 0, 1",
      "1, 0, 0; 0, one, 0; 0, 0, 1", "1, 0, 0; 0, nan, 0; 0, 0, 1", "1, 0, 0; 0, inf, 0; 0, 0, 1",
      "1, 0, 0; ; 0, 0, 1", "1, 0, 0; 0, 1 0, 0; 0, 0, 1", ";;;", "1, 0, 0; 0, 1, ; 0, 0, 1",
    ])
  func garbage(text: String) throws {
    let error = try #require(throws: MountMatrixError.self) { try MountMatrix(parsing: text) }
    guard case .malformed(text, let reason) = error else {
      Issue.record("\(error)")
      return
    }
    #expect(!reason.isEmpty)
  }

  @Test(
    "a singular matrix is refused as such",
    arguments: ["1, 0, 0; 0, -1, 0; 1, 0, 0", "0,1,0;-1,0,0;-1,0,0", "0, 0, 0; 0, 0, 0; 0, 0, 0"])
  func singular(text: String) {
    #expect(throws: MountMatrixError.singular(text: text)) { try MountMatrix(parsing: text) }
  }
}
