// SPDX-License-Identifier: Apache-2.0

import IIO
import Orientation

/// What the poses of a calibration are measured with.
protocol PoseSource: AnyObject {
  /// Waits for the next reading, or for a moment if there may be none.
  ///
  /// - Returns: the reading; nil if there is none yet.
  /// - Throws: `SourceError`, ``CommandError``
  func next() throws -> Sample<SensorFrame>?

  /// Why there are no readings, as far as that is known; nil if there are.
  var obstacle: String? { get }
}

/// The readings of a sensor of this machine, by its driver.
final class ChipReadings: PoseSource {
  private var source: PolledSource
  private let neverSignalled: WakeUpEvent

  /// Opens the sensor.
  ///
  /// - Parameters:
  ///   - sensor: the sensor.
  ///   - rate: how often to read it, in hertz. With the daemon's rate, the sensor keeps the frequency that the daemon sets.
  /// - Throws: `SourceError`
  init(of sensor: SensorDescription, rate: Double) throws(SourceError) {
    let neverSignalled = try WakeUpEvent()
    source = try PolledSource(sensor, SamplingOptions(rate: rate))
    self.neverSignalled = neverSignalled
  }

  func next() throws -> Sample<SensorFrame>? { try source.next(interruptedBy: neverSignalled) }

  let obstacle: String? = nil
}
