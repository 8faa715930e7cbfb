// SPDX-License-Identifier: Apache-2.0

// The poses as they are taken, and the refusal of those that contradict each other.
//
// Any two poses are a quarter turn apart. Of two that are not, the later one is asked for again; where it reads the same
// once more, the earlier one was wrong. A pose that is the wrong way round (the left edge up, say) is a quarter turn
// from the others too, but makes the chip a mirrored one. Which of the three it was the readings cannot tell, so all are
// asked for again; who then gets the same has such a sensor indeed.

import Glibc
import Orientation

/// What was read in each pose so far.
struct PoseReadings {
  /// The mounting, once all three fit together.
  private(set) var calibration: Calibration?

  private let expectedSign: SignConvention
  private var directions: [CalibrationPose: SIMD3<Double>] = [:]
  private var refused: [CalibrationPose: SIMD3<Double>] = [:]
  private var mirrored: Calibration?

  /// Half of the quarter turn between two poses: each of them may be off by half as much, 22 degrees.
  private static let leastAngle = 45.0

  /// As long as gravity, in its units: what the daemon's classifier takes for evidence of it.
  private static let credible = 0.6...1.5

  /// The longest reading that is told as it is, in m/s^2; no number is told as this long.
  private static let longest = 9999.0

  /// Starts with no pose.
  ///
  /// - Parameter expectedSign: the sign of the sensor's kind.
  init(expectedSign: SignConvention) {
    self.expectedSign = expectedSign
  }

  /// The pose to ask for: the first that is missing.
  var next: CalibrationPose {
    CalibrationPose.allCases.first { directions[$0] == nil } ?? .upright
  }

  /// Takes what the sensor read in a pose.
  ///
  /// - Throws: ``PoseProblem``, where that pose or another one has to be taken again; ``next`` says which.
  mutating func take(_ reading: Acceleration<SensorFrame>, as pose: CalibrationPose) throws(PoseProblem) {
    let magnitude = reading.magnitudeSquared.squareRoot()
    // False for a NaN too.
    guard Self.credible.contains(magnitude / standardGravity) else {
      throw .notGravity(pose, magnitude: magnitude < Self.longest ? magnitude : Self.longest)
    }
    let direction = SIMD3(reading.x, reading.y, reading.z) / magnitude
    try compare(direction, as: pose)
    directions[pose] = direction
    refused[pose] = nil
    if directions.count == CalibrationPose.allCases.count { try conclude() }
  }

  /// Compares a pose with those that were taken before.
  private mutating func compare(_ direction: SIMD3<Double>, as pose: CalibrationPose) throws(PoseProblem) {
    let rivals = CalibrationPose.allCases.filter { other in
      guard other != pose, let taken = directions[other] else { return false }
      let angle = degrees(between: direction, and: taken)
      return angle < Self.leastAngle || angle > 180 - Self.leastAngle
    }
    guard let rival = rivals.first, let taken = directions[rival] else { return }
    if let before = refused[pose], degrees(between: before, and: direction) < Self.leastAngle {
      refused = [:]
      for rival in rivals { directions[rival] = nil }
      directions[pose] = direction
      throw .earlierDoubted(rival, by: pose)
    }
    refused[pose] = direction
    let angle = degrees(between: direction, and: taken)
    throw angle < 90
      ? .same(pose, as: rival, degreesApart: Int(angle.rounded())) : .opposite(pose, of: rival)
  }

  /// Finds the mounting from all three.
  private mutating func conclude() throws(PoseProblem) {
    let found = Calibration(directions)
    let errors = CalibrationPose.allCases.map { pose in
      (pose: pose, degrees: degrees(between: directions[pose] ?? .zero, and: found.halfAxis(of: pose)))
    }
    if let worst = errors.max(by: { $0.degrees < $1.degrees }), worst.degrees > Self.leastAngle {
      directions[worst.pose] = nil
      throw .betweenAxes(worst.pose, degreesOff: Int(worst.degrees.rounded()))
    }
    guard found.sign == expectedSign || found == mirrored else {
      mirrored = found
      directions = [:]
      throw .mirrored
    }
    calibration = found
  }
}

/// The angle between two vectors of length one, in degrees.
private func degrees(between one: SIMD3<Double>, and other: SIMD3<Double>) -> Double {
  acos(min(max((one * other).sum(), -1), 1)) * 180 / .pi
}
