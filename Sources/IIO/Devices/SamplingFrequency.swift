// SPDX-License-Identifier: Apache-2.0

import CLinux

extension IIODevice {
  /// Sets the sampling frequency, in hertz, if the driver has the attribute.
  ///
  /// - Parameters:
  ///   - frequencies: the frequencies to try, the best first, until the driver accepts one.
  ///   - channel: the channel whose frequency is set, if channels have their own; nil means the accelerometer.
  ///   - settings: stores the value before.
  /// - Returns: the frequency afterwards; nil if there is no such attribute, or its value is not credible.
  func setSamplingFrequency(
    _ frequencies: [Double], of channel: IIOChannel? = nil, keeping settings: OwnSettings
  ) -> Double? {
    settings.keeping(file: samplingFrequencyPath(of: channel)) {
      setSamplingFrequency(frequencies, of: channel)
    }
  }

  /// As above, also for a device of another machine; the value before is not restored.
  func setSamplingFrequency(_ frequencies: [Double], of channel: IIOChannel? = nil) -> Double? {
    let attribute = "sampling_frequency"
    if let channel = channel ?? inputChannel(Axis.x.channel), channel.has(attribute) {
      _ = frequencies.first { channel.write("\($0)", to: attribute) != EINVAL }
      return ((try? channel.number(attribute)) ?? nil).flatMap { credibleFrequency($0) }
    }
    guard let text = try? self.attribute(attribute) else { return nil }
    _ = frequencies.first { write("\($0)", to: attribute) != EINVAL }
    return finiteNumber(((try? self.attribute(attribute)) ?? text)[...]).flatMap { credibleFrequency($0) }
  }

  /// The sampling frequency of a channel, or of the device if channels have none; nil if there is neither.
  func samplingFrequency(of channel: IIOChannel) -> Double? {
    (try? channel.number("sampling_frequency")) ?? nil
  }

  /// The sampling frequencies that a channel supports.
  func availableFrequencies(of channel: IIOChannel) -> AvailableFrequencies {
    let attribute = "sampling_frequency_available"
    let text = (try? channel.attribute(attribute)) ?? nil
    return text.map(AvailableFrequencies.init(parsing:)) ?? .unknown
  }

  /// The file that holds the sampling frequency; nil if the driver has none.
  func samplingFrequencyPath(of channel: IIOChannel? = nil) -> String? {
    let attribute = "sampling_frequency"
    if let channel = channel ?? inputChannel(Axis.x.channel), channel.has(attribute) {
      return channel.path(of: attribute)
    }
    guard let text = try? self.attribute(attribute), !text.isEmpty else { return nil }
    return "\(directory)/\(attribute)"
  }
}
