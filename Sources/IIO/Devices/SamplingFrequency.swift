// SPDX-License-Identifier: Apache-2.0

import CLinux

extension IIOChannel {
  /// Sets the sampling frequency, in hertz, to the first of these that the driver accepts.
  ///
  /// Returns the frequency afterwards; nil if there is no such attribute, or its value is not credible.
  func setSamplingFrequency(_ frequencies: [Double], keeping settings: OwnSettings) -> Double? {
    guard let file = samplingFrequencyFile else { return nil }
    settings.keeping(file) {
      _ = frequencies.first { writeAttribute("\(device.directory)/\(file)", "\($0)") != EINVAL }
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

  /// The name of the file that holds the sampling frequency; nil if the driver has none.
  var samplingFrequencyFile: String? { file(of: "sampling_frequency") }
}
