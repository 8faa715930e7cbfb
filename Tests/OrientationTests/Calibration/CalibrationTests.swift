// SPDX-License-Identifier: Apache-2.0

import Orientation
import TestSupport
import Testing

@Suite("A calibration")
struct CalibrationTests {
  @Test(
    "is right for both daemons however the chip sits, whatever its sign, by hands and tables 20 degrees off",
    arguments: signs)
  func everyMounting(_ sign: SignConvention) throws {
    var noise = Noise(seed: 1)
    for mounting in ChipMounting.all {
      for _ in 0..<20 {
        var poses = PoseReadings(expectedSign: sign)
        for pose in CalibrationPose.allCases {
          let held = tilted(pose.heldUpBy, degrees: 20, &noise) * (0.9 + 0.2 * noise.uniform())
          try poses.take(mounting.reading(of: held + noise.vector(deviation: 0.01), sign), as: pose)
        }
        let calibration = try #require(poses.calibration)
        try expectRight(calibration, mounting, sign)
      }
    }
  }

  /// Checks what each reader of the matrix makes of the six poses.
  private func expectRight(
    _ calibration: Calibration, _ mounting: ChipMounting, _ sign: SignConvention
  ) throws {
    #expect(calibration.sign == sign)
    for convention in AxisConvention.allCases {
      for faceAxis in FaceAxis.allCases {
        let matrix = try calibration.mountMatrix(convention: convention, faceAxis: faceAxis)
        let transform = ScreenTransform(
          matrix: matrix, convention: convention, faceAxis: faceAxis, sign: sign)
        for (_, axis) in axes {
          let seen = transform(mounting.reading(of: axis, sign))
          #expect(SIMD3(seen.x, seen.y, seen.z) == axis * standardGravity)
        }
      }
    }
    let matrix = try calibration.mountMatrix(convention: .proxy, faceAxis: .auto)
    for (orientation, axis) in axes {
      #expect(sensorProxyWord(matrix, mounting.reading(of: axis, sign)) == sensorProxyWords[orientation])
    }
  }

  @Test("has the sensor's sign in the determinant of the matrix, and z positive with the screen up")
  func determinant() throws {
    for mounting in ChipMounting.all {
      for sign in signs {
        let calibration = try calibrated(mounting, sign)
        for convention in AxisConvention.allCases {
          let matrix = try calibration.mountMatrix(convention: convention, faceAxis: .auto)
          #expect(matrix.determinant == (sign == .specificForce ? 1 : -1))
          let flat = mounting.reading(of: CalibrationPose.flat.heldUpBy, sign)
          #expect((matrix.z * SIMD3(flat.x, flat.y, flat.z)).sum() > 0)
        }
      }
    }
  }

  private func calibrated(_ mounting: ChipMounting, _ sign: SignConvention) throws -> Calibration {
    var poses = PoseReadings(expectedSign: sign)
    for pose in CalibrationPose.allCases {
      try poses.take(mounting.reading(of: pose.heldUpBy, sign), as: pose)
    }
    return try #require(poses.calibration)
  }
}

/// What iio-sensor-proxy calls a reading behind a matrix; empty where neither x nor y says anything.
private func sensorProxyWord(_ matrix: MountMatrix, _ reading: Acceleration<SensorFrame>) -> String {
  let vector = SIMD3(reading.x, reading.y, reading.z)
  let (x, y) = ((matrix.x * vector).sum(), (matrix.y * vector).sum())
  if abs(y) > 5 { return y < 0 ? "normal" : "bottom-up" }
  if abs(x) > 5 { return x < 0 ? "right-up" : "left-up" }
  return ""
}

private let sensorProxyWords: [DeviceOrientation: String] = [
  .portrait: "normal", .portraitUpsideDown: "bottom-up", .landscapeLeft: "right-up",
  .landscapeRight: "left-up", .faceUp: "", .faceDown: "",
]
