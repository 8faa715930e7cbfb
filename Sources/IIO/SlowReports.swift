// SPDX-License-Identifier: Apache-2.0

import Orientation

/// A sampling frequency that is lowered while the tablet is at rest, for sensors that cannot keep silent by themselves.
struct SlowReports {
  /// A sensor that takes longer than this for a change of its frequency, in seconds, is left alone from then on: it would
  /// take as long when the tablet starts to move.
  private static let patience = 0.05

  private let path: String
  private let full: Double
  private let slow: Double
  private var isWilling = true

  /// Looks at what the sensor offers; nil where it has nothing slower.
  init?(of device: IIODevice, full: Double, available: AvailableFrequencies) {
    guard let path = device.samplingFrequencyPath() else { return nil }
    // Rounded to what drivers take.
    slow = available.choice(for: (10 / Pace.restPeriod).rounded(.up) / 10)
    guard slow < full else { return nil }
    self.path = path
    self.full = full
  }

  /// Lowers the frequency; false where the sensor keeps its full one.
  mutating func begin() -> Bool {
    guard isWilling else { return false }
    let asked = BootTime.now
    isWilling = writeAttribute(path, "\(slow)") == 0
    if isWilling, BootTime.now.seconds(since: asked) > Self.patience {
      end()
      isWilling = false
    }
    return isWilling
  }

  /// Takes in that the sensor goes on at its full frequency, whatever it says.
  mutating func giveUp() {
    end()
    isWilling = false
  }

  /// Sets the full frequency again.
  func end() {
    _ = writeAttribute(path, "\(full)")
  }
}
