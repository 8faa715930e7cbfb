// SPDX-License-Identifier: Apache-2.0

import SensorSetup

/// What the lengths of gravity in the poses show of a sensor that no mount matrix corrects.
enum LengthFinding: Equatable {
  /// They differ: an axis has an offset.
  case offset(shortest: Double, longest: Double)
  /// They are all the same, but not gravity: the driver's scale is wrong.
  case scale(length: Double, factor: Double)

  /// How much they may differ: a chip's zero is off by a tenth of gravity at most.
  private static let mostSpread = 1.25
  /// The products of length and ScaleFactor= that are right, in units of standard gravity.
  private static let right = 0.85...1.15

  /// Compares the lengths, in units of standard gravity; nil if they are right.
  init?(_ lengths: [Double], scaleFactor: Double) {
    guard let shortest = lengths.min(), let longest = lengths.max(), shortest > 0 else { return nil }
    let mean = lengths.reduce(0, +) / Double(lengths.count)
    if longest > Self.mostSpread * shortest {
      self = .offset(shortest: shortest, longest: longest)
    } else if !Self.right.contains(mean * scaleFactor) {
      self = .scale(length: mean, factor: 1 / mean)
    } else {
      return nil
    }
  }
}

extension LengthFinding: CustomStringConvertible {
  /// A paragraph for people.
  var description: String {
    switch self {
    case .offset(let shortest, let longest):
      """
      Gravity reads \(shortest.shortText) g in one pose and \(longest.shortText) g in another: an axis of the sensor is off, which no
      mount matrix corrects. orientationd takes account of that, but tilted poses are less exact.
      """
    case .scale(let length, let factor):
      """
      At rest the sensor reads \(length.shortText) g: its driver's scale is probably wrong. orientationd takes account of that
      for the orientation. For programs that read motion, add to its configuration, under [Orientation]:

          ScaleFactor=\(factor.shortText)
      """
    }
  }
}
