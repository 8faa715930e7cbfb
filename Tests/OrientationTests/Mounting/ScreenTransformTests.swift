// SPDX-License-Identifier: Apache-2.0

import Orientation
import TestSupport
import Testing

/// The signed permutations of three axes: the ways an axis-parallel board can sit in a case, mirrored ones too.
private let signedPermutations: [[SIMD3<Double>]] = {
  let unit = [SIMD3(1.0, 0, 0), SIMD3(0, 1.0, 0), SIMD3(0, 0, 1.0)]
  let orders = [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]]
  return orders.flatMap { order in
    (0..<8).map { signs in
      order.enumerated().map { place, axis in (signs >> place) & 1 == 1 ? -unit[axis] : unit[axis] }
    }
  }
}()

private func determinant(_ rows: [SIMD3<Double>]) -> Double {
  let (a, b, c) = (rows[0], rows[1], rows[2])
  return a.x * (b.y * c.z - b.z * c.y) - a.y * (b.x * c.z - b.z * c.x) + a.z * (b.x * c.y - b.y * c.x)
}

private func text(_ rows: [SIMD3<Double>]) -> String {
  rows.map { "\($0.x), \($0.y), \($0.z)" }.joined(separator: "; ")
}

@Suite("From the chip's axes to the screen's")
struct ScreenTransformTests {
  @Test("a chip without a matrix reads as iio-sensor-proxy expects, face up derived")
  func identity() {
    let upright = ScreenTransform(
      matrix: .identity, convention: .proxy, faceAxis: .auto, sign: .specificForce)
    // What iio-sensor-proxy calls "normal" is y < 0, and "left-up" is x > 0.
    #expect(upright(Acceleration(x: 0, y: -9.8, z: 0)).y == 9.8)
    #expect(upright(Acceleration(x: 9.8, y: 0, z: 0)).x == -9.8)
    #expect(upright(Acceleration(x: 0, y: 0, z: 9.8)).z == 9.8)
  }

  @Test("a HID sensor hub without a matrix reads the opposite on every axis")
  func hub() {
    let hub = ScreenTransform(
      matrix: .identity, convention: .proxy, faceAxis: .auto, sign: .gravity)
    #expect(hub(Acceleration(x: -1, y: -2, z: -3)) == Acceleration(x: 1, y: 2, z: 3))
  }

  @Test("the kernel's convention takes x and y as they are")
  func kernel() {
    let kernel = ScreenTransform(
      matrix: .identity, convention: .kernel, faceAxis: .auto, sign: .specificForce)
    #expect(kernel == .identity)
  }

  @Test("as-read and inverted take the matrix's own third row")
  func faceAxisOverride() throws {
    let matrix = try MountMatrix(parsing: "0, 1, 0; 1, 0, 0; 0, 0, 1")
    for (faceAxis, z) in [(FaceAxis.asRead, 3.0), (.inverted, -3.0)] {
      let transform = ScreenTransform(
        matrix: matrix, convention: .proxy, faceAxis: faceAxis, sign: .specificForce)
      #expect(transform(Acceleration(x: 1, y: 2, z: 3)) == Acceleration(x: -2, y: -1, z: z))
    }
  }

  @Test(
    "a matrix without a third row has its face axis derived, whatever FaceAxis says",
    arguments: FaceAxis.allCases)
  func singular(faceAxis: FaceAxis) throws {
    let matrix = try MountMatrix(parsing: "1, 0, 0; 0, -1, 0; 1, 0, 0")
    let transform = ScreenTransform(
      matrix: matrix, convention: .proxy, faceAxis: faceAxis, sign: .specificForce)
    #expect(transform(Acceleration(x: 1, y: 2, z: 3)) == Acceleration(x: -1, y: 2, z: -3))
  }

  @Test("a matrix that scales scales the derived axis alike")
  func scaled() throws {
    let matrix = try MountMatrix(parsing: "2, 0, 0; 0, 2, 0; 0, 0, 1")
    let transform = ScreenTransform(
      matrix: matrix, convention: .kernel, faceAxis: .auto, sign: .specificForce)
    #expect(transform(Acceleration(x: 0, y: 0, z: 1)).z == 2)
  }

  // The law: however a rigid right-handed chip is mounted, the matrix that a person tuning iio-sensor-proxy would have
  // written (x and y such that the screen turns right, z right, wrong or untouched) gives six right answers.
  @Test(
    "each of the 24 ways to mount a chip gives the six right poses",
    arguments: [SignConvention.specificForce, .gravity])
  func mountings(sign: SignConvention) throws {
    let mountings = signedPermutations.filter { determinant($0) == 1 }
    #expect(mountings.count == 24)
    for mounting in mountings {
      // Rows of `mounting` are the chip's axes in the screen's frame.
      let read: (SIMD3<Double>) -> Acceleration<SensorFrame> = { force in
        let value = sign == .specificForce ? force : -force
        return Acceleration(
          x: (mounting[0] * value).sum(), y: (mounting[1] * value).sum(), z: (mounting[2] * value).sum())
      }
      for thirdRow in [1.0, -1.0] {
        var rows = [SIMD3<Double>](repeating: SIMD3(), count: 3)
        for screenAxis in 0..<3 {
          for chipAxis in 0..<3 { rows[screenAxis][chipAxis] = mounting[chipAxis][screenAxis] }
        }
        // iio-sensor-proxy wants the negative of what holds the tablet up along x and y.
        let tuning = sign == .specificForce ? -1.0 : 1.0
        let matrix = try MountMatrix(
          parsing: text([rows[0] * tuning, rows[1] * tuning, rows[2] * thirdRow]))
        let transform = ScreenTransform(
          matrix: matrix, convention: .proxy, faceAxis: .auto, sign: sign)
        for pose in axes {
          let seen = transform(read(pose.axis))
          #expect(SIMD3(seen.x, seen.y, seen.z) == pose.axis, "\(mounting) \(thirdRow) \(pose)")
        }
      }
    }
  }
}
