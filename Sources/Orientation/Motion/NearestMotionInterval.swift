// SPDX-License-Identifier: Apache-2.0

extension MotionInterval {
  /// Creates the interval within ``limits`` that is nearest to this one.
  ///
  /// - Parameter microseconds: any number.
  public init(nearestTo microseconds: Int64) {
    let limits = Self.limits
    self.microseconds = UInt32(min(max(microseconds, Int64(limits.lowerBound)), Int64(limits.upperBound)))
  }
}
