// SPDX-License-Identifier: Apache-2.0

import IIO

extension BufferedSource {
  /// Opens a sensor with these options.
  init(
    _ sensor: SensorDescription, rate: Double, beside neighbour: Neighbour? = nil, mark: String? = nil,
    blockDuration: Double = SamplingOptions.usualBlockDuration, withRates: Bool = false
  ) throws(SourceError) {
    try self.init(
      sensor,
      SamplingOptions(
        rate: rate, beside: neighbour, mark: mark, blockDuration: blockDuration, withRates: withRates))
  }
}

extension PolledSource {
  /// Opens a sensor with these options.
  init(
    _ sensor: SensorDescription, rate: Double, beside neighbour: Neighbour? = nil, withRates: Bool = false
  ) throws(SourceError) {
    try self.init(sensor, SamplingOptions(rate: rate, beside: neighbour, withRates: withRates))
  }
}
