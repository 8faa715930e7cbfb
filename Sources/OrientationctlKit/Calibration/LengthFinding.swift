// SPDX-License-Identifier: Apache-2.0

import SensorSetup

/// How much the lengths may differ: a chip's zero is off by a tenth of gravity at most.
private let mostSpread = 1.25
/// The products of length and ScaleFactor= that are right, in units of standard gravity.
private let right = 0.85...1.15

/// What the lengths of gravity in the poses show of a sensor that no mount matrix corrects: an axis has an offset, or the driver's
/// scale is wrong.
///
/// - Parameters:
///   - lengths: in units of standard gravity.
///   - scaleFactor: the configuration's.
/// - Returns: a paragraph for people; nil if the lengths are right.
func lengthFinding(_ lengths: [Double], scaleFactor: Double) -> String? {
  guard let shortest = lengths.min(), let longest = lengths.max(), shortest > 0 else { return nil }
  guard longest <= mostSpread * shortest else {
    return """
      Gravity reads \(shortest.shortText) g in one pose and \(longest.shortText) g in another: an axis of the sensor is off, which no
      mount matrix corrects. orientationd takes account of that, but tilted poses are less exact.
      """
  }
  let mean = lengths.reduce(0, +) / Double(lengths.count)
  guard !right.contains(mean * scaleFactor) else { return nil }
  return """
    At rest the sensor reads \(mean.shortText) g: its driver's scale is probably wrong. orientationd takes account of that
    for the orientation. For programs that read motion, add to its configuration, under [Orientation]:

        ScaleFactor=\((1 / mean).shortText)
    """
}
