// SPDX-License-Identifier: Apache-2.0

import Orientation
import TestSupport
import Testing

/// Each for every way to solder a chip, and every matrix that may be in use for it.
@Suite("A calibration by what the mount matrix in use makes of the readings")
struct MountingInUseTests {
  /// What the daemon uses and passes on of a chip.
  private struct Daemon {
    let transform: ScreenTransform
    let inUse: MountingInUse

    init(_ matrix: MountMatrix, _ sign: SignConvention, _ natural: NaturalOrientation) {
      let onPanel = ScreenTransform(matrix: matrix, convention: .proxy, faceAxis: .auto, sign: sign)
      transform = onPanel.turned(to: natural)
      inUse = MountingInUse(matrix: onPanel.matrix, natural: natural)
    }

    func reading(
      _ pose: CalibrationPose, _ chip: ChipMounting, _ sign: SignConvention
    ) -> Acceleration<ScreenFrame> {
      transform(chip.reading(of: pose.heldUpBy, sign))
    }
  }

  private func calibrated(_ daemon: Daemon, _ chip: ChipMounting, _ sign: SignConvention) throws
    -> Calibration
  {
    var poses = PoseReadings(expectedSign: .specificForce)
    for pose in CalibrationPose.allCases {
      try poses.take(daemon.inUse.onPanel(daemon.reading(pose, chip, sign)), as: pose)
    }
    return try #require(poses.calibration)
  }

  /// The matrix that is right for a chip, by udev's convention.
  private func right(_ chip: ChipMounting, _ sign: SignConvention) throws -> MountMatrix {
    var poses = PoseReadings(expectedSign: sign)
    for pose in CalibrationPose.allCases { try poses.take(chip.reading(of: pose.heldUpBy, sign), as: pose) }
    return try #require(poses.calibration).mountMatrix(convention: .proxy, faceAxis: .auto)
  }

  @Test(
    "finds the matrix that readings of the chip itself would give", arguments: signs,
    NaturalOrientation.allCases)
  func composed(sign: SignConvention, natural: NaturalOrientation) throws {
    let matrices = try ChipMounting.all.map { try right($0, sign) }
    for (chip, wanted) in zip(ChipMounting.all, matrices) {
      for matrix in matrices {
        let daemon = Daemon(matrix, sign, natural)
        let calibration = try calibrated(daemon, chip, sign)
        #expect(try daemon.inUse.corrected(by: calibration) == wanted)
        #expect(daemon.inUse.isRight(by: calibration) == (matrix == wanted))
      }
    }
  }

  @Test("works where there is no matrix, and where the third row was never adjusted", arguments: signs)
  func thirdRow(sign: SignConvention) throws {
    for chip in ChipMounting.all {
      let wanted = try right(chip, sign)
      let unadjusted = try MountMatrix(x: wanted.x, y: wanted.y, z: -wanted.z)
      for matrix in [.identity, unadjusted] {
        let daemon = Daemon(matrix, sign, .landscapeLeft)
        let calibration = try calibrated(daemon, chip, sign)
        #expect(try daemon.inUse.corrected(by: calibration) == wanted)
      }
    }
  }

  @Test(
    "keeps axes that are askew, which a matrix in use corrects besides, but not its scale: nobody may set one"
  )
  func askew() throws {
    // Right but for a quarter turn.
    let right = try MountMatrix(x: SIMD3(0.6, 0.8, 0), y: SIMD3(-0.8, 0.6, 0), z: SIMD3(0, 0, 1))
    let turned = try quarterTurn(of: right)
    #expect(turned.x == -right.y && turned.y == right.x && turned.z == right.z)
    let scaled = try quarterTurn(
      of: MountMatrix(x: SIMD3(1.2, 1.6, 0), y: SIMD3(-0.8, 0.6, 0), z: SIMD3(0, 0, 2)))
    try scaled.checkTurn()
    for (row, wanted) in [(scaled.x, turned.x), (scaled.y, turned.y), (scaled.z, turned.z)] {
      #expect((row - wanted).length < 1e-12)
    }
    let sheared = try MountMatrix(x: SIMD3(0.6, 0.8, 0), y: SIMD3(-0.6, 0.9, 0.1), z: SIMD3(0, 0, 1))
    let found = try quarterTurn(of: sheared)
    try found.checkTurn()
    #expect(found.x == -sheared.y / sheared.y.length)
  }

  private func quarterTurn(of matrix: MountMatrix) throws -> MountMatrix {
    let inUse = MountingInUse(matrix: matrix, natural: .portrait)
    var poses = PoseReadings(expectedSign: .specificForce)
    for (pose, held) in zip(
      CalibrationPose.allCases, [SIMD3(9.8, 0, 0), SIMD3(0, 0, 9.8), SIMD3(0, -9.8, 0)])
    {
      try poses.take(Acceleration(held), as: pose)
    }
    return try inUse.corrected(by: #require(poses.calibration))
  }
}
