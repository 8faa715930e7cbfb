// SPDX-License-Identifier: Apache-2.0

// A gyroscope is read by the same sources as an accelerometer: its axes are channels with other names, and its samples are in rad/s. If it
// is part of the accelerometer's device, they have one buffer, so one source reads both: the gyroscope's axes are added to each scan, or
// polled after those of the accelerometer. Whatever is wrong with these, the accelerometer is read as without them.

package import Orientation

extension AngularVelocity {
  /// The reading of a gyroscope that a source has opened, whose samples have its axes in rad/s.
  package init(axesOf reading: Acceleration<Frame>) {
    self.init(x: reading.x, y: reading.y, z: reading.z)
  }
}

extension IIODevice {
  /// The channels of a scan that contains a quantity and the time, and those of the gyroscope if these are wanted and can be decoded.
  func scanElements(
    measuring quantity: AxisQuantity, withRates: Bool
  ) -> (channels: [IIOChannel], rateDecoder: ScanDecoder?) {
    if withRates {
      let channels = scanElements(measuring: [quantity, .angularVelocity])
      let decoder = try? ScanDecoder(scansOf: channels, name: displayName, measuring: .angularVelocity)
      if let decoder { return (channels, decoder) }
    }
    return (scanElements(measuring: [quantity]), nil)
  }

  private func scanElements(measuring quantities: [AxisQuantity]) -> [IIOChannel] {
    let axes = quantities.flatMap { quantity in Axis.allCases.map { $0.channel(of: quantity) } }
    return scanElements.filter { axes.contains($0.id) || $0.id == "timestamp" }
  }

  /// Sets the sampling frequency of the gyroscope, if it is not the accelerometer's.
  func setRateFrequency(_ rate: Double, keeping settings: OwnSettings) {
    guard let channel = inputChannel(Axis.x.channel(of: .angularVelocity)),
      channel.samplingFrequencyFile != inputChannel(Axis.x.channel)?.samplingFrequencyFile
    else { return }
    _ = channel.setSamplingFrequency(channel.availableFrequencies.choices(for: rate), keeping: settings)
  }
}
