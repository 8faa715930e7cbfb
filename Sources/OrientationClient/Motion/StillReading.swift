// SPDX-License-Identifier: Apache-2.0

package import Orientation

/// Why there was no reading of a device that is held still.
package enum StillReadingError: Error, Equatable {
  /// It was not held still.
  case unsteady
  /// No readings come.
  case noReadings(MotionStreamState)
  /// The task was cancelled.
  case cancelled
}

extension MotionManager {
  /// Waits until the device was held still, as for a pose of a calibration.
  ///
  /// - Parameters:
  ///   - seconds: for how long it must be still, in seconds.
  ///   - patience: how long to wait for that after the first reading, in seconds.
  ///   - convert: makes the readings that are compared and returned.
  ///   - actor: where the caller runs.
  ///   - progress: is told for how much of the time it has been still, 0 to 1.
  /// - Returns: the mean reading of that time.
  /// - Throws: ``StillReadingError``.
  package func stillReading(
    lasting seconds: Double, patience: Double,
    convert: (Acceleration<ScreenFrame>) -> Acceleration<SensorFrame>,
    isolation actor: isolated (any Actor)? = #isolation, progress: (Double) -> Void
  ) async throws(StillReadingError) -> Acceleration<SensorFrame> {
    var stillness = Stillness(lasting: seconds)
    var end: BootTime?
    for await update in accelerometerUpdates(every: .milliseconds(20)) {
      switch update {
      case .value(let value):
        let deadline = end ?? value.timestamp.advanced(bySeconds: patience)
        end = deadline
        guard value.timestamp < deadline else { throw .unsteady }
        let sample = Sample(time: value.timestamp, acceleration: convert(value.acceleration))
        if let reading = stillness.add(sample) { return reading }
        progress(stillness.share)
      case .state(let state): if state.problem != nil { throw .noReadings(state) }
      case .lost: break
      }
    }
    throw .cancelled
  }
}

extension MotionStreamState {
  /// Why no readings come; nil while they do, or will soon.
  package var problem: String? {
    switch self {
    case .unavailable(let error): "No readings: \(error.sentence)"
    case .denied: "No readings: only the session on the screen may read motion."
    case .noSensor: "No readings: there is no accelerometer."
    case .failed: "No readings: the accelerometer cannot be read."
    case .waiting, .starting, .active, .suspended: nil
    }
  }
}
