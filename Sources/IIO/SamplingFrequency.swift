// SPDX-License-Identifier: Apache-2.0

import CLinux

extension IIODevice {
  /// Sets the sampling frequency, in hertz, where the driver has the attribute.
  ///
  /// - Parameter frequencies: the frequencies to try, the best first, until the driver does not refuse one.
  /// - Returns: what it is afterwards; nil without the attribute.
  func setSamplingFrequency(_ frequencies: [Double]) -> Double? {
    let attribute = "sampling_frequency"
    if let x = inputChannel(Axis.x.channel), x.has(attribute) {
      _ = frequencies.first { x.write("\($0)", to: attribute) != EINVAL }
      return (try? x.number(attribute)) ?? nil
    }
    guard let text = try? self.attribute(attribute) else { return nil }
    _ = frequencies.first { write("\($0)", to: attribute) != EINVAL }
    return finiteNumber(((try? self.attribute(attribute)) ?? text)[...])
  }

  /// The file that holds the sampling frequency; nil where the driver has none.
  var samplingFrequencyPath: String? {
    let attribute = "sampling_frequency"
    if let x = inputChannel(Axis.x.channel), x.has(attribute) { return x.path(of: attribute) }
    guard let text = try? self.attribute(attribute), !text.isEmpty else { return nil }
    return "\(directory)/\(attribute)"
  }
}
