// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import Orientation

/// The signed permutations of three axes: the ways an axis-parallel board can sit in a case, mirrored ones too.
private let matrices: [MountMatrix] = {
  let unit = [SIMD3(1.0, 0, 0), SIMD3(0, 1.0, 0), SIMD3(0, 0, 1.0)]
  let orders = [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]]
  return orders.flatMap { order in
    (0..<8).compactMap { signs in
      let rows = order.enumerated().map { place, axis in
        (signs >> place) & 1 == 1 ? -unit[axis] : unit[axis]
      }
      return try? MountMatrix(x: rows[0], y: rows[1], z: rows[2])
    }
  }
}()

private func rates(_ vector: SIMD3<Double>, by transform: RateTransform) -> SIMD3<Double> {
  let rates = transform(AngularVelocity(x: vector.x, y: vector.y, z: vector.z))
  return SIMD3(rates.x, rates.y, rates.z)
}

private func force(_ vector: SIMD3<Double>, by transform: ScreenTransform) -> SIMD3<Double> {
  let force = transform(Acceleration(x: vector.x, y: vector.y, z: vector.z))
  return SIMD3(force.x, force.y, force.z)
}

@Suite("From a gyroscope's axes to the screen's")
struct RateTransformTests {
  @Test("a chip without a matrix has the axes that iio-sensor-proxy expects, half a turn from the screen's")
  func chip() {
    let forces = ScreenTransform(
      matrix: .identity, convention: .proxy, faceAxis: .auto, sign: .specificForce)
    #expect(rates(SIMD3(1, 2, 3), by: RateTransform(ofForcesBy: forces)) == SIMD3(-1, -2, 3))
  }

  @Test("a HID sensor hub without a matrix has the screen's, although it reads the opposite of each force")
  func hub() {
    let forces = ScreenTransform(matrix: .identity, convention: .proxy, faceAxis: .auto, sign: .gravity)
    #expect(force(SIMD3(1, 2, 3), by: forces) == SIMD3(-1, -2, -3))
    #expect(rates(SIMD3(1, 2, 3), by: RateTransform(ofForcesBy: forces)) == SIMD3(1, 2, 3))
  }

  @Test(
    "rates are a pseudovector: the cross product of two forces is mapped to that of the mapped forces",
    arguments: AxisConvention.allCases, FaceAxis.allCases)
  func pseudovector(convention: AxisConvention, faceAxis: FaceAxis) {
    #expect(matrices.count == 48)
    let (first, second) = (SIMD3(1.0, 2, 3), SIMD3(-2.0, 5, 0.5))
    for sign in [SignConvention.specificForce, .gravity] {
      for matrix in matrices {
        let forces = ScreenTransform(matrix: matrix, convention: convention, faceAxis: faceAxis, sign: sign)
        let expected = force(first, by: forces).cross(force(second, by: forces))
        #expect(rates(first.cross(second), by: RateTransform(ofForcesBy: forces)) == expected, "\(matrix)")
      }
    }
  }

  @Test("rates keep their size if the matrix scales")
  func scaled() throws {
    let matrix = try MountMatrix(parsing: "0, 2, 0; 2, 0, 0; 0, 0, 2")
    let forces = ScreenTransform(
      matrix: matrix, convention: .kernel, faceAxis: .auto, sign: .specificForce)
    #expect(force(SIMD3(1, 2, 3), by: forces) == SIMD3(4, 2, -6))
    #expect(rates(SIMD3(1, 2, 3), by: RateTransform(ofForcesBy: forces)) == SIMD3(2, 1, -3))
  }

  @Test("rates are numbers, whatever the size of the third row")
  func thirdRow() throws {
    for size in ["1e-200", "1e200", "0.1"] {
      let matrix = try MountMatrix(parsing: "1, 0, 0; 0, 1, 0; 0, 0, \(size)")
      let forces = ScreenTransform(
        matrix: matrix, convention: .kernel, faceAxis: .asRead, sign: .specificForce)
      #expect(rates(SIMD3(1, 2, 3), by: RateTransform(ofForcesBy: forces)) == SIMD3(1, 2, 3))
    }
  }
}
