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
    "a matrix whose x and y rows lose an axis is refused as singular",
    arguments: [
      "1, 0, 0; -1, 0, 0; 0, 0, 1", "0,1,0;0,2,0.1;1,0,0", "0, 0, 0; 0, -1, 0; 1, 0, 0",
      "1, 0, 0; 0, 0, 0; 0, 0, 1", "0, 0, 0; 0, 0, 0; 0, 0, 0",
    ])
  func singular(text: String) {
    #expect(throws: MountMatrixError.singular(text: text)) { try MountMatrix(parsing: text) }
  }

  @Test(
    "a matrix that only lacks a third row is read, and known as singular",
    arguments: [
      // The two that systemd's hwdb ships.
      "1, 0, 0; 0, -1, 0; 1, 0, 0", "0,1,0;-1,0,0;-1,0,0",
      "1, 0, 0; 0, 1, 0; 0, 0, 0", "0, 0, 1; 0, 1, 0; 0, 0, 1", "0.01, 0, 0; 0, 0.01, 0; 0.01, 0.01, 0",
    ])
  func noThirdRow(text: String) throws {
    #expect(try MountMatrix(parsing: text).isSingular)
  }

  @Test(
    "what a matrix scales by does not make it singular",
    arguments: [
      "0.01, 0, 0; 0, 0.01, 0; 0, 0, 0.01", "100, 0, 0; 0, 1, 0; 0, 0, 0.001", "1e-5,0,0;0,1e5,0;0,0,-1",
    ])
  func scaled(text: String) throws {
    #expect(try !MountMatrix(parsing: text).isSingular)
  }

  @Test(
    "one that people set must be a rotation, or a mirrored one, and nearly so is enough",
    arguments: [
      ("0, -1, 0; 1, 0, 0; 0, 0, 1", true), ("1, 0, 0; 0, 1, 0; 0, 0, -1", true),
      ("0.6, 0.8, 0; -0.8, 0.6, 0; 0, 0, 1.05", true), ("1, 0.05, 0; 0, 1, 0; 0, 0, 1", true),
      ("1, 0, 0; 0, 1, 0; 0, 0, 0", false), ("1, 0, 0; 0, 1, 0; 1, 0, 0", false),
      ("2, 0, 0; 0, 1, 0; 0, 0, 1", false),
      ("1, 0, 0; 0.5, 0.8, 0; 0, 0, 1", false), ("1e300, 0, 0; 0, 1e300, 0; 0, 0, 1e300", false),
      ("1e-300, 0, 0; 0, 1e-200, 0; 0, 0, 1", false),
    ])
  func turn(text: String, isTurn: Bool) {
    let isAccepted = (try? MountMatrix(parsing: text).checkTurn()) != nil
    #expect(isAccepted == isTurn)
  }

  /// Each spelling and each arrangement of axes that systemd's 60-sensor.hwdb of 2025 has, once.
  @Test("the matrices that systemd ships are read, all but two regular", arguments: shippedMatrices)
  func shipped(text: String, determinant: Double) throws {
    let matrix = try MountMatrix(parsing: text)
    #expect(matrix.determinant == determinant)
    #expect(matrix.isSingular == (determinant == 0))
  }
}

private let shippedMatrices: [(String, Double)] = [
  ("-0, -1, 0; 0, 0, -1; 1, 0, 0", 1), ("-0, -1, 0; 0, 0, 1; -1, 0, 0", 1),
  ("-1, 0, 0; 0, -1, 0; 0, 0, -1", -1), ("-1, 0, 0; 0, -1, 0; 0, 0, 1", 1),
  ("-1, 0, 0; 0, 0, -1; 0, -1, 0", 1), ("-1, 0, 0; 0, 1, 0; 0, 0, -1", 1), ("-1, 0, 0; 0, 1, 0; 0, 0, 1", -1),
  ("-1, 0, 0; 0,-1, 0; 0, 0, 1", 1), ("0, -1, 0; -1, 0, 0; 0, 0, -1", 1), ("0, -1, 0; -1, 0, 0; 0, 0, 1", -1),
  ("0, -1, 0; 1, 0, 0; 0, 0, -1", -1), ("0, -1, 0; 1, 0, 0; 0, 0, 1", 1), ("0, -1, 0;1, 0, 0;0, 0, 1", 1),
  ("0, 1, 0; -1, 0, 0; 0, 0, -1", -1), ("0, 1, 0; -1, 0, 0; 0, 0, 1", 1), ("0, 1, 0; 0, 0, -1; -1, 0, 0", 1),
  ("0, 1, 0; 1, 0, 0; 0, 0, -1", 1), ("0, 1, 0; 1, 0, 0; 0, 0, 1", -1), ("0,1,0;-1,0,0;-1,0,0", 0),
  ("1, 0, 0; 0, -1, 0; 0, 0, -1", 1), ("1, 0, 0; 0, -1, 0; 0, 0, 1", -1), ("1, 0, 0; 0, -1, 0; 1, 0, 0", 0),
  ("1, 0, 0; 0, 1, 0; 0, 0, -1", -1), ("1, 0, 0; 0, 1, 0; 0, 0, 1", 1),
]
