// SPDX-License-Identifier: Apache-2.0

import CLinux
import Orientation

/// A sampling frequency that is lowered while the tablet is at rest, for sensors that cannot report only changes.
struct SlowReports {
  private let settings: OwnSettings
  private let file: String
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

  /// Prepares to lower the frequency of a sensor that is at its full one; nil if it supports no lower one.
  init?(
    of channel: IIOChannel, full: Double, available: AvailableFrequencies, keptBy settings: OwnSettings
  ) {
    guard let file = channel.samplingFrequencyFile else { return nil }
    slow = available.choice(withPeriod: RestDetector.restPeriod)
    guard slow < full else { return nil }
    present = full
    self.available = available
    self.settings = settings
    self.file = file
    self.full = full
    fullReading = settings.present(file)
  }

  /// The time between two reports at the present frequency, in seconds.
  var period: Double { 1 / present }

  /// Lowers the frequency; false if the sensor keeps its full one.
  mutating func begin() -> Bool {
    guard isWilling else { return false }
    isWilling = set(slow)
    if trust.isLost { giveUp() }
    return isWilling
  }

  /// Changes it during the rest, to so many seconds between two reports; a sensor that takes long for it is not slowed down again.
  mutating func adapt(toPeriod period: Double) {
    let wanted = available.choice(withPeriod: period)
    // Also if the sensor refuses: it would do so after each report.
    if wanted != present { _ = set(wanted) }
    if trust.isLost { isWilling = false }
  }

  /// Sets the frequency, and notes how long that takes; false if the sensor refuses.
  private mutating func set(_ frequency: Double) -> Bool {
    let asked = BootTime.now
    let code = settings.change(file, to: "\(frequency)")
    present = frequency
    trust.changed(in: BootTime.now.seconds(since: asked))
    return code == 0
  }

  /// Stops lowering the frequency, because the sensor continues at its full one whatever it reports.
  mutating func giveUp() {
    end()
    isWilling = false
  }

  /// Sets the full frequency again, unless another program has set one since.
  func end() {
    let code = settings.change(file, to: "\(full)", reading: fullReading)
    // At the low one, turns would come late from here on. What a chip refuses for a moment, it takes the next time.
    if code != 0 && code != EBUSY { _ = settings.change(file, to: "\(full)", reading: fullReading) }
  }
}

extension AvailableFrequencies {
  /// The frequency for a time between two reports, in seconds, rounded to a value that drivers accept.
  fileprivate func choice(withPeriod period: Double) -> Double {
    choice(for: (100 / period).rounded(.up) / 100)
  }
}

/// Whether a sensor's frequency can be changed without a delay that a person would notice.
///
/// What takes long at the begin of a rest takes as long when the tablet starts to move. A machine that is busy for a moment
/// makes a change slow as well, and that must not cost power for as long as the sensor is open.
struct ChangeTrust {
  /// A change that takes longer than this is slow, in seconds.
  private static let slow = 0.05
  /// A change that takes longer than this is not tried again, in seconds.
  ///
  /// The kernel waits 5 s for a hub that does not answer.
  private static let hanging = 1.0
  /// After so many slow changes in a row, it is the sensor that is slow.
  private static let allowed = 3

  private var slowInARow = 0
  private(set) var isLost = false

  /// Takes note of a change that took so many seconds.
  mutating func changed(in seconds: Double) {
    slowInARow = seconds > Self.slow ? slowInARow + 1 : 0
    if seconds > Self.hanging || slowInARow >= Self.allowed { isLost = true }
  }
}
