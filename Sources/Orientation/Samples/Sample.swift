// SPDX-License-Identifier: Apache-2.0

// This folder: the readings of an accelerometer, and their times. Frames and units are types, so a reading in the chip's
// axes cannot be mistaken for one in the screen's.

/// The reading of an accelerometer at one instant, in the axes that `Frame` names.
public struct Sample<Frame>: Equatable, Sendable, BitwiseCopyable {
  /// When the sensor took the sample.
  public var time: BootTime
  /// The reading, m/s^2.
  public var acceleration: Acceleration<Frame>

  /// Creates a sample.
  @inlinable
  public init(time: BootTime, acceleration: Acceleration<Frame>) {
    self.time = time
    self.acceleration = acceleration
  }
}
