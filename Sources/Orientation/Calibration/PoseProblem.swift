// SPDX-License-Identifier: Apache-2.0

/// Why a pose must be repeated.
package enum PoseProblem: Error, Equatable {
  /// It was not held still for so many seconds.
  case unsteady(CalibrationPose, seconds: Int)
  /// The reading is so short or so long that no sensor's gravity is.
  case notGravity(CalibrationPose, magnitude: Double)
  /// The reading is much shorter than that of another pose, although both are gravity.
  case tooShort(CalibrationPose, percent: Int, of: CalibrationPose)
  /// It reads nearly the same as another pose.
  case same(CalibrationPose, as: CalibrationPose, degreesApart: Int)
  /// It reads nearly the opposite of another pose.
  case opposite(CalibrationPose, of: CalibrationPose)
  /// An earlier pose contradicts a later one that had the same reading twice.
  case earlierDoubted(CalibrationPose, by: CalibrationPose)
  /// It lies between two of the sensor's axes.
  case betweenAxes(CalibrationPose, degreesOff: Int)
  /// The three poses fit only a sensor whose sign is not the usual one of its kind.
  case mirrored
}

extension PoseProblem: CustomStringConvertible {
  /// The pose, the reason, and the pose to repeat.
  package var description: String {
    switch self {
    case .unsteady(let pose, let seconds):
      "Not taken: it was not held still for \(seconds == 1 ? "a second" : "\(seconds) seconds"). Once more, \(pose.name)."
    case .notGravity(let pose, let magnitude):
      """
      Not taken: it reads \(Self.text(of: magnitude)) m/s^2, which cannot be gravity. If it stays so,
      the sensor's axis that is vertical in this pose is dead, or the driver does not
      work; no mount matrix can correct that. Once more, \(pose.name).
      """
    case .tooShort(let pose, let percent, let other):
      """
      The reading of \(pose.name) is only \(percent) % as long as that of \(other.name), but both are
      gravity. If it stays so, the sensor's axis that is vertical in it is dead, or off by
      most of gravity; no mount matrix can correct that. Once more, \(pose.name).
      """
    case .same(let pose, let other, let degrees):
      """
      Not taken: \(pose.name) reads nearly the same as \(other.name), \(degrees) degrees apart,
      but the two are a quarter turn apart. Once more, \(pose.name).
      """
    case .opposite(let pose, let other):
      """
      Not taken: \(pose.name) reads the opposite of \(other.name), as after half a turn,
      but the two are a quarter turn apart. Once more, \(pose.name).
      """
    case .earlierDoubted(let earlier, let pose):
      """
      Taken: \(pose.name) reads the same again, so \(earlier.name) must have been wrong.
      Once more, \(earlier.name).
      """
    case .betweenAxes(let pose, let degrees):
      """
      Not taken: \(pose.name) is tilted by \(degrees) degrees.
      Once more, \(pose.name), but more exactly.
      """
    case .mirrored:
      """
      All three once more, because they contradict each other: one of them was the
      wrong way round. Either the left edge was up instead of the right one, or the
      top edge was down in "upright", or the screen was down in "flat".
      """
    }
  }

  /// A magnitude with two decimal places: ``PoseReadings`` shows none that is too large for them.
  private static func text(of magnitude: Double) -> String {
    let hundredths = Int((magnitude * 100).rounded())
    let fraction = hundredths % 100
    return "\(hundredths / 100).\(fraction < 10 ? "0" : "")\(fraction)"
  }
}
