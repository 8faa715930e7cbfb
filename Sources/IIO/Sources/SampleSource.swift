// SPDX-License-Identifier: Apache-2.0

// This folder: the ways to read acceleration, and the rates of a gyroscope. Each is a SampleSource, and saves as much power as it can
// while the tablet is at rest; SensorSampling opens the best one that a sensor supports.

package import Orientation

/// A source of samples: exactly what the sampler needs of a sensor.
///
/// The initializer opens a source (and powers its sensor up), and its deinit closes it (and powers its sensor down). It is
/// used on one thread. After the start, ``next(interruptedBy:)`` allocates nothing.
package protocol SampleSource: ~Copyable {
  /// The rate at which the sensor is set to deliver samples, in hertz.
  var sampleRate: Double { get }

  /// Whether the source has delivered until its end.
  var isTimeUp: Bool { get }

  /// Waits for the next sample.
  ///
  /// - Parameter wakeUp: ends the wait when signalled.
  /// - Returns: the sample, scaled to m/s^2, or to rad/s of a gyroscope, in the chip's own axes; nil when `wakeUp` was signalled.
  /// - Throws: ``SourceError``, after which the source cannot be used any more.
  mutating func next(interruptedBy wakeUp: borrowing WakeUpEvent) throws(SourceError)
    -> Sample<SensorFrame>?

  /// Waits until the tablet leaves its rest, with as little work as the sensor allows.
  ///
  /// - Parameters:
  ///   - rest: the tablet's rest, from the samples until now.
  ///   - wakeUp: ends the wait when signalled.
  /// - Returns: the first sample that is off the rest, from which on the sensor runs at its full rate again; nil when
  ///   `wakeUp` was signalled.
  /// - Throws: ``SourceError``, after which the source cannot be used any more.
  mutating func next(
    leaving rest: Rest, interruptedBy wakeUp: borrowing WakeUpEvent
  ) throws(SourceError) -> Sample<SensorFrame>?

  /// Makes the sensor report small changes again that a rest may have hidden, for programs that read every sample.
  mutating func reportEverything()

  /// The rates of the gyroscope that is part of the same device, at the time of the last sample.
  ///
  /// - Returns: the rates in the chip's own axes; nil if the source was opened without them, or they cannot be read.
  func rates() -> AngularVelocity<SensorFrame>?

  /// Whether the chip's motion events were found not to work since the last call.
  mutating func takeLossOfEvents() -> Bool
}

extension SampleSource where Self: ~Copyable {
  /// Nothing: a rest hides no changes.
  package mutating func reportEverything() {}

  /// Nil: the device is not read for a gyroscope.
  package func rates() -> AngularVelocity<SensorFrame>? { nil }

  /// False: the sensor has no such events, or they are not used.
  package mutating func takeLossOfEvents() -> Bool { false }

  /// False: the source has no end.
  package var isTimeUp: Bool { false }

  /// Checks every sample, for sources whose samples cost almost nothing.
  package mutating func next(
    leaving rest: Rest, interruptedBy wakeUp: borrowing WakeUpEvent
  ) throws(SourceError) -> Sample<SensorFrame>? {
    while let sample = try next(interruptedBy: wakeUp) {
      if !rest.holds(sample.acceleration) { return sample }
    }
    return nil
  }
}
