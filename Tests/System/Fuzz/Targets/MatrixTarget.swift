// SPDX-License-Identifier: Apache-2.0

@testable import Orientation

/// A matrix that is accepted can be written and read again, and turns gravity into a finite acceleration.
func checkMatrix(_ input: [UInt8]) throws(Violation) {
  let text = String(decoding: input, as: UTF8.self)
  guard let matrix = try? MountMatrix(parsing: text) else { return }
  try checkLaws(of: matrix)
}

func checkLaws(of matrix: MountMatrix) throws(Violation) {
  let again = try? MountMatrix(parsing: matrix.description)
  try expect(again == matrix, "'\(matrix)' is not what it is written as: \(again?.description ?? "refused")")
  let upright = Acceleration<SensorFrame>(x: 0.1, y: 9.8, z: -0.2)
  for convention in AxisConvention.allCases {
    for face in FaceAxis.allCases {
      let transform = ScreenTransform(
        matrix: matrix, convention: convention, faceAxis: face, sign: .specificForce)
      let turned = transform(upright)
      try expect(
        turned.x.isFinite && turned.y.isFinite && turned.z.isFinite,
        "'\(matrix)' by \(convention) and \(face) makes \(turned) of gravity")
    }
  }
}
