// SPDX-License-Identifier: Apache-2.0

import Orientation

/// A pipeline that is fed at the full rate, and makes of it what the daemon makes of a sensor that rests: for recordings,
/// and for tests of rests.
struct RestSimulation {
  /// How a sensor rests.
  enum Sensor: String, CaseIterable, Sendable {
    /// It does not: each sample is taken in.
    case always
    /// It is looked at every ``RestDetector/restPeriod``.
    case polled
    /// It reports changes only, from the first rest on.
    case onChange = "on-change"
  }

  /// How long the daemon goes on between two looks for a rest, in seconds.
  private static let lookPause = 0.25

  /// The pipeline.
  private(set) var pipeline: OrientationPipeline
  /// Whether the tablet is at rest.
  var isResting: Bool { rest != nil }
  /// The samples that were taken in.
  private(set) var taken = 0
  /// How often the daemon would have been woken up: by samples, and by looks at a tablet at rest.
  private(set) var wakeUps = 0

  private let sensor: Sensor
  private let period: Double
  private var detector = RestDetector()
  private var rest: Rest?
  private var report: Acceleration<SensorFrame>?
  private var nextLook = BootTime(nanoseconds: .min)

  /// Creates a pipeline that has seen nothing yet.
  ///
  /// - Parameters:
  ///   - pipeline: what takes the samples in.
  ///   - sensor: how the sensor rests.
  ///   - rate: the full rate in hertz, at which samples come.
  init(_ pipeline: OrientationPipeline, sensor: Sensor, rate: Double) {
    self.pipeline = pipeline
    self.sensor = sensor
    period = 1 / rate
  }

  /// Takes in the next sample, if the daemon would have had it.
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
    if sample.time >= nextLook || sample.time.advanced(bySeconds: 1) < nextLook {
      nextLook = sample.time.advanced(bySeconds: Self.lookPause)
      if sensor != .always, detector.isStill(after: sample), let found = detector.takeRest(in: pipeline) {
        rest = found
        nextLook = sample.time.advanced(bySeconds: RestDetector.restPeriod)
        report = sample.acceleration
      }
    }
    return change
  }

  /// Whether the daemon hears of a sample that is off the rest.
  private mutating func leaves(_ rest: Rest, with sample: Sample<SensorFrame>) -> Bool {
    switch sensor {
    case .always: return true
    case .onChange:
      let leaves = !rest.holds(sample.acceleration)
      wakeUps += leaves ? 1 : 0
      return leaves
    case .polled:
      guard sample.time >= nextLook else { return false }
      nextLook = sample.time.advanced(bySeconds: RestDetector.restPeriod)
      wakeUps += 1
      return !rest.holds(sample.acceleration)
    }
  }

  /// What a sensor that reports changes only would have reported last.
  private mutating func reported(_ reading: Acceleration<SensorFrame>) -> Acceleration<SensorFrame> {
    guard sensor == .onChange, let report else { return reading }
    if !Rest(at: report, tolerance: Rest.leastTolerance).holds(reading) { self.report = reading }
    return self.report ?? reading
  }
}
