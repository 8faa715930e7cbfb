// SPDX-License-Identifier: Apache-2.0

// This folder: the ways to samples of acceleration. Each is a SampleSource, and saves what power it can while the
// tablet is at rest; SensorSampling opens the best one that a sensor has.

public import Orientation

/// Where samples come from: exactly what the sampler needs of a sensor, and nothing more.
///
/// A source is opened (and its sensor powered) by its initializer, and closed (and its sensor powered down) when
/// it is destroyed. It lives on the sampler thread. In steady state ``next(interruptedBy:)`` allocates nothing.
public protocol SampleSource: ~Copyable {
  /// The rate at which the sensor was set to deliver samples, in hertz.
  var sampleRate: Double { get }

  /// How many samples were skipped because an earlier one took too long; 0 where the sensor keeps the time.
  var missedTicks: Int { get }

  /// Whether the source has delivered for as long as it was to.
  var isTimeUp: Bool { get }

  /// Waits for the next sample.
  ///
  /// - Parameter wakeUp: ends the wait when signalled.
  /// - Returns: the sample, scaled to m/s^2 in the chip's own axes; nil when `wakeUp` was signalled.
  /// - Throws: ``SourceError``, after which the source is of no further use.
  mutating func next(interruptedBy wakeUp: borrowing WakeUpEvent) throws(SourceError)
    -> Sample<SensorFrame>?

  /// Waits until the tablet leaves its rest, with as little work as the sensor allows.
  ///
  /// - Parameters:
  ///   - rest: where the tablet lies, as the samples so far say.
  ///   - wakeUp: ends the wait when signalled.
  /// - Returns: the first sample that is off the rest, from which on the sensor is at its full rate again; nil when
  ///   `wakeUp` was signalled.
  /// - Throws: ``SourceError``, after which the source is of no further use.
  mutating func next(
    leaving rest: Rest, interruptedBy wakeUp: borrowing WakeUpEvent
  ) throws(SourceError) -> Sample<SensorFrame>?
}

extension SampleSource where Self: ~Copyable {
  /// None: the sensor, or the recording, keeps the time.
  public var missedTicks: Int { 0 }

  /// False: there is no end to it.
  public var isTimeUp: Bool { false }

  /// Looks at every sample: for sources that cost next to nothing.
  public mutating func next(
    leaving rest: Rest, interruptedBy wakeUp: borrowing WakeUpEvent
  ) throws(SourceError) -> Sample<SensorFrame>? {
    while let sample = try next(interruptedBy: wakeUp) {
      if !rest.holds(sample.acceleration) { return sample }
    }
    return nil
  }
}
