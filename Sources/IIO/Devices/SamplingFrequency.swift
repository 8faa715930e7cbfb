// SPDX-License-Identifier: Apache-2.0

import CLinux

extension IIOChannel {
  /// Sets the sampling frequency, in hertz, if the driver has the attribute.
  ///
  /// - Parameters:
  ///   - frequencies: the frequencies to try, the best first, until the driver accepts one.
  ///   - settings: stores the value before.
  /// - Returns: the frequency afterwards; nil if there is no such attribute, or its value is not credible.
  func setSamplingFrequency(_ frequencies: [Double], keeping settings: OwnSettings) -> Double? {
    guard let path = samplingFrequencyPath else { return nil }
    settings.keeping(file: path) {
      _ = frequencies.first { writeAttribute(path, "\($0)") != EINVAL }
    }
    return samplingFrequency.flatMap { credibleFrequency($0) }
  }

  /// The sampling frequency; nil if there is none.
  var samplingFrequency: Double? { (try? number("sampling_frequency")) ?? nil }

  /// The sampling frequencies that are supported.
  var availableFrequencies: AvailableFrequencies {
    let text = (try? attribute("sampling_frequency_available")) ?? nil
    return text.map(AvailableFrequencies.init(parsing:)) ?? .unknown
  }

  /// The file that holds the sampling frequency; nil if the driver has none.
  var samplingFrequencyPath: String? {
    has("sampling_frequency") ? path(of: "sampling_frequency") : nil
  }
}
