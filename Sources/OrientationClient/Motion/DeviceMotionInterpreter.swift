// SPDX-License-Identifier: Apache-2.0

import Orientation

/// Makes ``DeviceMotion`` from the samples of accelerometer and gyroscope.
struct DeviceMotionInterpreter: MotionInterpreter {
  /// Between two samples, at most: at 100 a second, the filter follows quick turns, also for loops that want fewer values.
  private static let longestInterval = MotionInterval(nearestTo: 10_000)
  /// The same without a gyroscope: at 25 a second, as the daemon samples for the orientation, gravity can be found.
  private static let longestIntervalWithoutGyroscope = MotionInterval(nearestTo: 40_000)
  /// How long values wait for a gyroscope that is being started, in seconds.
  private static let longestWait = 2.0

  /// What is known of the gyroscope.
  private enum Gyroscope {
    /// It is being started, or polkit is asked: values wait for it, so that the first ones have an attitude, too.
    ///
    /// They wait since this time; nil if there was none.
    case awaited(since: BootTime?)
    /// It cannot be read.
    case missing
    /// It reads this.
    case turning(AngularVelocity<ScreenFrame>)
  }

  /// Between two values.
  private let interval: MotionInterval
  private var filter = AttitudeFilter()
  private var gyroscope = Gyroscope.awaited(since: nil)
  /// Whether there may be a gyroscope that works.
  ///
  /// What polkit allows and a sleep say nothing of that, and must not change the requests: polkit would be asked about each.
  private var hasGyroscope = true
  /// Whether the accelerometer delivers.
  private var isReading = false
  /// When the next value is due; nil if that is the next sample.
  private var due: BootTime?

  /// Creates one that has seen no sample.
  init(every interval: MotionInterval) { self.interval = interval }

  var sensor: MotionSensor { .accelerometer }

  var requests: [MotionRequest] {
    [
      .start(.accelerometer, interval: sampleInterval),
      .start(.gyroscope, interval: min(interval, Self.longestInterval)),
    ]
  }

  /// Between two samples of the accelerometer.
  private var sampleInterval: MotionInterval {
    min(interval, hasGyroscope ? Self.longestInterval : Self.longestIntervalWithoutGyroscope)
  }

  mutating func value(
    of vector: SIMD3<Double>, at time: BootTime, from sensor: MotionSensor
  ) -> DeviceMotion? {
    switch sensor {
    case .gyroscope:
      let rate = AngularVelocity<ScreenFrame>(vector)
      filter.turn(by: rate, at: time)
      gyroscope = .turning(rate)
      return nil
    case .accelerometer:
      filter.correct(by: Acceleration(vector), at: time)
      return !isWaiting(at: time) && isDue(at: time) ? motion(reading: vector, at: time) : nil
    case .gravity: return nil
    }
  }

  mutating func entered(_ state: MotionState, of sensor: MotionSensor) {
    switch (sensor, state) {
    case (.gyroscope, .starting), (.gyroscope, .active): hasGyroscope = true
    case (.gyroscope, .noSensor), (.gyroscope, .failed): hasGyroscope = false
    default: break
    }
    switch (sensor, state) {
    // After a failure, it need not start again.
    case (.gyroscope, .active): if case .missing = gyroscope { awaitGyroscope() }
    case (.gyroscope, .starting), (.gyroscope, .waiting): awaitGyroscope()
    case (.gyroscope, _): gyroscope = .missing
    // What has happened meanwhile is unknown. The state may be repeated without an interruption.
    case (.accelerometer, .active):
      if !isReading { filter.forgetTilt() }
      isReading = true
    case (.accelerometer, .suspended), (.accelerometer, .failed), (.accelerometer, .noSensor),
      (.accelerometer, .denied):
      isReading = false
    default: break
    }
  }

  mutating func disconnected() { (gyroscope, isReading) = (.awaited(since: nil), false) }

  private mutating func awaitGyroscope() {
    if case .awaited = gyroscope { return }
    gyroscope = .awaited(since: nil)
  }

  /// Whether values wait for the gyroscope.
  private mutating func isWaiting(at time: BootTime) -> Bool {
    guard case .awaited(let since) = gyroscope else { return false }
    gyroscope = .awaited(since: since ?? time)
    return time.seconds(since: since ?? time) <= Self.longestWait
  }

  private func motion(reading: SIMD3<Double>, at time: BootTime) -> DeviceMotion? {
    guard let gravity = filter.gravity else { return nil }
    var motion = DeviceMotion(
      timestamp: time, attitude: nil, rotationRate: nil, gravity: gravity,
      userAcceleration: Acceleration(reading - gravity.vector))
    if case .turning(let rate) = gyroscope {
      motion.attitude = filter.attitude.map { Attitude(quaternion: $0) }
      motion.rotationRate = rate
    }
    return motion
  }

  /// Whether a value is due, also if the sample comes a little early.
  private mutating func isDue(at time: BootTime) -> Bool {
    let seconds = Double(interval.nanoseconds) * 1e-9
    if let due {
      let early = due.seconds(since: time)
      // Earlier than that, time has gone back.
      if early > Double(sampleInterval.nanoseconds) * 0.5e-9, early <= 2 * seconds { return false }
      if abs(early) <= seconds {
        self.due = due.advanced(bySeconds: seconds)
        return true
      }
    }
    due = time.advanced(bySeconds: seconds)
    return true
  }
}
