// SPDX-License-Identifier: Apache-2.0

import Orientation

/// A pipeline that receives samples at the full rate, and uses only those that the daemon would read from a sensor that
/// rests: for recordings, and for tests of rests.
struct RestSimulation {
  /// How a sensor rests.
  enum Sensor: String, CaseIterable, Sendable {
    /// It does not rest: each sample is used.
    case always
    /// It is polled, the less often the longer the tablet lies still: see ``RestLooks``.
    case polled
    /// It reports only changes, from the first rest on.
    case onChange = "on-change"
  }

  /// How long the daemon waits between two checks for a rest, in seconds.
  private static let checkInterval = 0.25

  /// The pipeline.
  private(set) var pipeline: OrientationPipeline
  /// Whether the tablet is at rest.
  var isResting: Bool { rest != nil }
  /// The number of samples that were used.
  private(set) var taken = 0
  /// How often the daemon would have been woken up, by samples and by polls of a tablet at rest.
  private(set) var wakeUps = 0

  private let sensor: Sensor
  private let period: Double
  private var detector = RestDetector()
  private var rest: Rest?
  private var looks: RestLooks?
  private var report: Acceleration<SensorFrame>?
  private var nextCheck = BootTime(nanoseconds: .min)

  /// Creates a simulation without samples.
  ///
  /// - Parameters:
  ///   - pipeline: receives the samples.
  ///   - sensor: how the sensor rests.
  ///   - rate: the full rate of the samples, in hertz.
  init(_ pipeline: OrientationPipeline, sensor: Sensor, rate: Double) {
    self.pipeline = pipeline
    self.sensor = sensor
    period = 1 / rate
  }

  /// Processes the next sample, if the daemon would have read it.
  mutating func process(_ sample: Sample<SensorFrame>) -> OrientationChange? {
    var sample = sample
    sample.acceleration = reported(sample.acceleration)
    if let rest {
      guard leaves(rest, with: sample) else { return nil }
      self.rest = nil
      detector.moved(at: sample.time)
      pipeline.rest(until: sample.time.advanced(bySeconds: -period))
    } else {
      wakeUps += 1
    }
    taken += 1
    let change = pipeline.process(sample)
    if sample.time >= nextCheck || sample.time.advanced(bySeconds: 1) < nextCheck {
      nextCheck = sample.time.advanced(bySeconds: Self.checkInterval)
      if sensor != .always, detector.isStill(after: sample), let found = detector.takeRest(in: pipeline) {
        rest = found
        looks = RestLooks(at: found, since: sample.time)
        nextCheck = sample.time.advanced(bySeconds: RestDetector.restPeriod)
        report = sample.acceleration
      }
    }
    return change
  }

  /// Whether the daemon would read a sample that ends the rest.
  private mutating func leaves(_ rest: Rest, with sample: Sample<SensorFrame>) -> Bool {
    switch sensor {
    case .always: return true
    case .onChange:
      let leaves = !rest.holds(sample.acceleration)
      wakeUps += leaves ? 1 : 0
      return leaves
    case .polled:
      guard sample.time >= nextCheck else { return false }
      wakeUps += 1
      guard rest.holds(sample.acceleration) else { return true }
      looks?.found(sample.acceleration)
      nextCheck = sample.time.advanced(bySeconds: looks?.pause(at: sample.time) ?? 0)
      return false
    }
  }

  /// The last reading that a sensor which reports only changes would have reported.
  private mutating func reported(_ reading: Acceleration<SensorFrame>) -> Acceleration<SensorFrame> {
    guard sensor == .onChange, let report else { return reading }
    if !Rest(at: report, tolerance: Rest.leastTolerance * standardGravity).holds(reading) {
      self.report = reading
    }
    return self.report ?? reading
  }
}
