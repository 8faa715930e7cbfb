// SPDX-License-Identifier: Apache-2.0

/// Whether a sensor's frequency can be changed without a delay that a person would notice.
///
/// What takes long at the begin of a rest takes as long when the tablet starts to move. A machine that is busy for a moment
/// makes a change slow as well, and that must not cost power for as long as the sensor is open.
struct ChangeTrust {
  /// A change that takes longer than this is slow, in seconds.
  private static let slow = 0.05
  /// A change that takes longer than this is not tried again, in seconds.
  ///
  /// The kernel waits 5 s for a hub that does not answer.
  private static let hanging = 1.0
  /// After so many slow changes in a row, it is the sensor that is slow.
  private static let allowed = 3

  private var slowInARow = 0
  private(set) var isLost = false

  /// Takes note of a change that took so many seconds.
  mutating func changed(in seconds: Double) {
    slowInARow = seconds > Self.slow ? slowInARow + 1 : 0
    if seconds > Self.hanging || slowInARow >= Self.allowed { isLost = true }
  }
}
