// SPDX-License-Identifier: Apache-2.0

import Orientation

/// A sampling frequency that is lowered while the tablet is at rest, for sensors that cannot report only changes.
struct SlowReports {
  private let settings: OwnSettings
  private let path: String
  private let full: Double
  /// The full frequency as the driver shows it.
  private let fullReading: String?
  /// The lowered frequency at the begin of a rest.
  private let slow: Double
  private var present: Double
  private let available: AvailableFrequencies
  private var trust = ChangeTrust()
  /// Whether the sensor has accepted a lower frequency until now.
  private(set) var isWilling = true

  /// Reads the frequencies that the sensor supports; nil if none is lower.
  ///
  /// - Parameters:
  ///   - channel: one of the sensor's axes, at its full frequency.
  ///   - full: that frequency, in hertz.
  ///   - available: the supported frequencies.
  ///   - settings: store the frequency, and restore it at the end.
  init?(
    of channel: IIOChannel, full: Double, available: AvailableFrequencies, keptBy settings: OwnSettings
  ) {
    guard let path = channel.samplingFrequencyPath else { return nil }
    slow = available.choice(withPeriod: RestDetector.restPeriod)
    guard slow < full else { return nil }
    present = full
    self.available = available
    self.settings = settings
    self.path = path
    self.full = full
    fullReading = shortText(ofFile: path)
  }

  /// The time between two reports at the present frequency, in seconds.
  var period: Double { 1 / present }

  /// Lowers the frequency; false if the sensor keeps its full one.
  mutating func begin() -> Bool {
    guard isWilling else { return false }
    let asked = BootTime.now
    isWilling = settings.change(file: path, to: "\(slow)") == 0
    present = slow
    trust.changed(in: BootTime.now.seconds(since: asked))
    if isWilling, trust.isLost { giveUp() }
    return isWilling
  }

  /// Lowers it further in a long rest.
  ///
  /// - Parameter period: the time between two reports, in seconds.
  mutating func slowDown(toPeriod period: Double) {
    let wanted = available.choice(withPeriod: period)
    guard wanted < present else { return }
    // Also if the sensor refuses: it would do so after each report.
    present = wanted
    _ = settings.change(file: path, to: "\(wanted)")
  }

  /// Stops lowering the frequency, because the sensor continues at its full one whatever it reports.
  mutating func giveUp() {
    end()
    isWilling = false
  }

  /// Sets the full frequency again, unless another program has set one since.
  func end() {
    _ = settings.change(file: path, to: "\(full)", reading: fullReading)
  }
}

extension AvailableFrequencies {
  /// The frequency for a time between two reports, in seconds, rounded to a value that drivers accept.
  fileprivate func choice(withPeriod period: Double) -> Double {
    choice(for: (10 / period).rounded(.up) / 10)
  }
}
