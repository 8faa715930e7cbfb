// SPDX-License-Identifier: Apache-2.0

import IIO

/// How a sensor is read: at the rate of the configuration, or faster if readers of motion want that.
struct SensorPace: Equatable {
  /// The least rate of a sensor that only readers need, in hertz: the usual one of the accelerometer.
  private static let leastForReaders = 25.0
  /// The longest delay of samples through the buffer while there are readers, in seconds.
  private static let longestDelay = 0.01

  /// The rate at which the sensor is read, in hertz.
  let rate: Double
  /// How much time a block of samples may cover, in seconds.
  let blockDuration: Double
  /// Whether the gyroscope that is part of the accelerometer's device is read too.
  let withRates: Bool

  /// Creates a pace.
  ///
  /// - Parameters:
  ///   - configured: the rate for the orientation, in hertz.
  ///   - wanted: the rate that readers want, a step of ``RateHold``; nil without readers.
  ///   - withRates: whether they want the gyroscope of the same device.
  init(configured: Double, wanted: Double?, withRates: Bool = false) {
    self.withRates = withRates
    guard let wanted else {
      rate = configured
      blockDuration = SamplingOptions.usualBlockDuration
      return
    }
    rate = max(configured, wanted)
    // The same if a block is a single sample anyway.
    let usual = SamplingOptions.usualBlockDuration
    blockDuration = rate * usual < 2 ? usual : Self.longestDelay
  }

  /// Creates the pace of a gyroscope with a device of its own, which only readers need.
  ///
  /// - Parameter wanted: the rate that they want.
  init(forReaders wanted: Double) { self.init(configured: Self.leastForReaders, wanted: wanted) }
}
