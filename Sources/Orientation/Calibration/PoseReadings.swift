// SPDX-License-Identifier: Apache-2.0

// The readings of the poses, with checks that they do not contradict each other.
//
// Any two poses are a quarter turn apart. If two are not, the later one must be repeated; if it then reads the same, the
// earlier one was wrong. A pose that is the wrong way round, such as the left edge up, is also a quarter turn from the
// others, but the three then fit only a mirrored chip. The readings do not show which pose it was, so all must be
// repeated. If the same three come again, the sensor really has the opposite sign.

/// The readings of the poses so far.
package struct PoseReadings: Sendable {
  /// The mounting; nil until all three poses fit together.
  package private(set) var calibration: Calibration?

  private let expectedSign: SignConvention
  /// How long the last readings were, in units of standard gravity: with a wrong scale, none is one.
  package private(set) var lengths: [CalibrationPose: Double] = [:]
  private var directions: [CalibrationPose: SIMD3<Double>] = [:]
  private var refused: [CalibrationPose: SIMD3<Double>] = [:]
  private var mirrored: Calibration?

  /// Half of the quarter turn between two poses: each of them may be off by half as much, 22 degrees.
  private static let leastAngle = 45.0

  /// The most by which a pose may be off an axis of the sensor, in degrees: more than each pose may be off, for a chip that is
  /// mounted askew, and less than the half of a quarter turn, at which the next axis begins.
  private static let mostTilt = 35.0

  /// How much shorter a reading may be than that of another pose: an axis that is off by half of gravity makes it half or
  /// one and a half.
  private static let leastShare = 0.3

  /// The greatest magnitude that is shown, in m/s^2; a greater one and NaN are shown as this one.
  private static let longest = 9999.0

  /// Starts with no pose.
  ///
  /// - Parameter expectedSign: the sign of the sensor's kind.
  package init(expectedSign: SignConvention) {
    self.expectedSign = expectedSign
  }

  /// The next pose to ask for: the first that is missing.
  package var next: CalibrationPose {
    CalibrationPose.allCases.first { directions[$0] == nil } ?? .upright
  }

  /// Takes the sensor's reading in a pose.
  ///
  /// - Throws: ``PoseProblem`` if this pose or another one must be repeated; ``next`` is that pose.
  package mutating func take(_ reading: Acceleration<SensorFrame>, as pose: CalibrationPose)
    throws(PoseProblem)
  {
    let magnitude = reading.magnitudeSquared.squareRoot()
    let length = magnitude / standardGravity
    // A NaN is not contained either.
    guard GravityLength.possible.contains(Float(length)) else {
      throw .notGravity(pose, magnitude: magnitude < Self.longest ? magnitude : Self.longest)
    }
    let shorter = try shorterPoses(than: length, as: pose)
    let direction = reading.vector / magnitude
    // Before it is compared: a pose that is tilted so far makes the others look wrong.
    let tilt = PoseDeviation(direction, axis: Self.largest(direction, among: [0, 1, 2])).degrees
    guard tilt <= Self.mostTilt else { throw .betweenAxes(pose, degreesOff: Int(tilt.rounded())) }
    try compare(direction, as: pose)
    directions[pose] = direction
    refused[pose] = nil
    if let other = shorter.first { throw tooShort(other, than: pose) }
    if directions.count == CalibrationPose.allCases.count { try conclude() }
  }

  /// How far a reading is from a pose, as far as that is known before it is taken: a chip is mounted along the edges, so
  /// the reading of an exact pose lies on one of the sensor's axes that the other poses do not have.
  ///
  /// - Parameters:
  ///   - reading: the sensor's reading.
  ///   - pose: the pose that is asked for.
  /// - Returns: the deviation; nil if the reading is nothing.
  package func deviation(of reading: Acceleration<SensorFrame>, from pose: CalibrationPose) -> PoseDeviation?
  {
    let vector = reading.vector
    let length = vector.length
    guard length > 0, length.isFinite else { return nil }
    let used = directions.filter { $0.key != pose }.map { Self.largest($0.value, among: [0, 1, 2]) }
    return PoseDeviation(
      vector / length, axis: Self.largest(vector, among: [0, 1, 2].filter { !used.contains($0) }))
  }

  /// The axis on which a vector is longest.
  private static func largest(_ vector: SIMD3<Double>, among axes: [Int]) -> Int {
    axes.max { abs(vector[$0]) < abs(vector[$1]) } ?? 0
  }

  /// Notes the length of a reading, forgets the poses whose readings are too short to be gravity if this one is, and returns them.
  private mutating func shorterPoses(
    than length: Double, as pose: CalibrationPose
  ) throws(PoseProblem) -> [CalibrationPose] {
    lengths[pose] = length
    let others = CalibrationPose.allCases.filter { $0 != pose && directions[$0] != nil }
    if let longer = others.first(where: { length < Self.leastShare * (lengths[$0] ?? 0) }) {
      throw tooShort(pose, than: longer)
    }
    let shorter = others.filter { (lengths[$0] ?? 0) < Self.leastShare * length }
    for other in shorter { directions[other] = nil }
    return shorter
  }

  private func tooShort(_ pose: CalibrationPose, than other: CalibrationPose) -> PoseProblem {
    let share = (lengths[pose] ?? 0) / (lengths[other] ?? 1)
    return .tooShort(pose, percent: Int((100 * share).rounded()), of: other)
  }

  /// Compares a pose with the earlier ones.
  private mutating func compare(_ direction: SIMD3<Double>, as pose: CalibrationPose) throws(PoseProblem) {
    let rivals = CalibrationPose.allCases.filter { other in
      guard other != pose, let taken = directions[other] else { return false }
      let angle = Angle(between: direction, and: taken).degrees
      return angle < Self.leastAngle || angle > 180 - Self.leastAngle
    }
    guard let rival = rivals.first, let taken = directions[rival] else { return }
    if let before = refused[pose], Angle(between: before, and: direction).degrees < Self.leastAngle {
      refused = [:]
      for rival in rivals { directions[rival] = nil }
      directions[pose] = direction
      throw .earlierDoubted(rival, by: pose)
    }
    refused[pose] = direction
    let angle = Angle(between: direction, and: taken).degrees
    throw angle < 90
      ? .same(pose, as: rival, degreesApart: Int(angle.rounded())) : .opposite(pose, of: rival)
  }

  /// Finds the mounting from all three poses.
  private mutating func conclude() throws(PoseProblem) {
    let found = Calibration(directions)
    let errors = CalibrationPose.allCases.map { pose in
      (pose: pose, degrees: Angle(between: directions[pose] ?? .zero, and: found.halfAxis(of: pose)).degrees)
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
