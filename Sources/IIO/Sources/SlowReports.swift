// SPDX-License-Identifier: Apache-2.0

import Orientation

/// A sampling frequency that is lowered while the tablet is at rest, for sensors that cannot keep silent by themselves.
struct SlowReports {
  /// A sensor that takes longer than this for a change of its frequency, in seconds, is left alone from then on: it would
  /// take as long when the tablet starts to move.
  private static let patience = 0.05

  private let settings: OwnSettings
  private let path: String
  private let full: Double
  /// How the driver shows the full frequency.
  private let fullReading: String?
  private let slow: Double
  private var isWilling = true

  /// Looks at what the sensor offers; nil where it has nothing slower.
  ///
  /// - Parameters:
  ///   - device: the sensor's device, at its full frequency.
  ///   - full: that frequency, in hertz.
  ///   - available: what there is beside it.
  ///   - settings: keep the frequency, and give it back at the end.
  init?(
    of device: IIODevice, full: Double, available: AvailableFrequencies, keptBy settings: OwnSettings
  ) {
    guard let path = device.samplingFrequencyPath() else { return nil }
    // Rounded to what drivers take.
    slow = available.choice(for: (10 / RestDetector.restPeriod).rounded(.up) / 10)
    guard slow < full else { return nil }
    self.settings = settings
    self.path = path
    self.full = full
    fullReading = shortText(ofFile: path)
  }

  /// Lowers the frequency; false where the sensor keeps its full one.
  mutating func begin() -> Bool {
    guard isWilling else { return false }
    let asked = BootTime.now
    isWilling = settings.change(file: path, to: "\(slow)") == 0
    if isWilling, BootTime.now.seconds(since: asked) > Self.patience { giveUp() }
    return isWilling
  }

  /// Takes in that the sensor goes on at its full frequency, whatever it says.
  mutating func giveUp() {
    end()
    isWilling = false
  }

  /// Sets the full frequency again, unless another program has set one since.
  func end() {
    _ = settings.change(file: path, to: "\(full)", reading: fullReading)
  }
}
