// SPDX-License-Identifier: Apache-2.0

// This folder: what an accelerometer reads, and when. Frames and units are types, so that a reading in the chip's axes
// is not taken for one in the screen's.

/// What the accelerometer read at one instant, in the axes that `Frame` names.
public struct Sample<Frame>: Equatable, Sendable, BitwiseCopyable {
  /// When the sensor took the sample.
  public var time: BootTime
  /// What it read, m/s^2.
  public var acceleration: Acceleration<Frame>

  /// Creates a sample.
  @inlinable
  public init(time: BootTime, acceleration: Acceleration<Frame>) {
    self.time = time
    self.acceleration = acceleration
  }
}
