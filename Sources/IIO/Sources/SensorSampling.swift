// SPDX-License-Identifier: Apache-2.0

// The ways to a sensor's samples, the best one first: the daemon and `orientationctl record` take the same.
//
// A device of this machine is sampled through its buffer. If anything is wrong with that, except that the device is gone,
// the device may still answer when it is asked. So it is polled, until its buffer is worth another trial (`BufferTrials`).

import Orientation

/// By which way a sensor is sampled.
package enum SamplingWay: Sendable {
  /// Through the device's buffer.
  case buffered
  /// By asking the device again and again.
  case polled
  /// By asking a device of another machine.
  case network
  /// From a recording.
  case replayed
  /// From the simulated tablet.
  case simulated
}

/// What ended the sampling by one source.
package enum SamplingEnd {
  /// It is not wanted any more, or another sensor is to be used.
  case notWanted
  /// The source was to deliver until now.
  case timeIsUp
}

/// How the sources of a sensor are opened.
package struct SamplingOptions {
  /// The wanted rate in hertz.
  package var rate: Double
  /// Who may have left a buffer on; nil takes one that is on for one in use.
  package var neighbour: Neighbour?
  /// The file that says what is set of a device, while it is; nil leaves none.
  package var mark: String?

  /// Creates options.
  package init(rate: Double, beside neighbour: Neighbour? = nil, mark: String? = nil) {
    self.rate = rate
    self.neighbour = neighbour
    self.mark = mark
  }
}

/// Who samples a sensor, by whichever way there is.
package protocol SensorSampling: ~Copyable {
  /// What goes on from one source to the next.
  associatedtype Course

  /// How sources are opened.
  var options: SamplingOptions { get }

  /// When a buffer that failed is tried again; those of the sensor that is sampled.
  var bufferTrials: BufferTrials { get set }

  /// Samples until that is not wanted any more, or the source has delivered for long enough.
  ///
  /// - Parameters:
  ///   - source: what to sample by.
  ///   - way: which way it is.
  ///   - course: what goes on from the source before.
  /// - Returns: what ended it.
  /// - Throws: what keeps the source from being of further use.
  mutating func sample<Source: SampleSource & ~Copyable>(
    _ source: inout Source, _ way: SamplingWay, in course: inout Course
  ) throws(SourceError) -> SamplingEnd

  /// Waits until a buffer that was silent while the sensor moved has proven that it lives.
  ///
  /// - Returns: whether it has; false if sampling is not wanted any more.
  /// - Throws: what the source throws.
  mutating func isProven(
    _ source: inout BufferedSource, in course: inout Course
  ) throws(SourceError) -> Bool

  /// Takes in why the buffer is of no use.
  ///
  /// - Returns: whether to poll; false ends the sampling.
  mutating func givesWayToPolling(because failure: SourceError, in course: inout Course) -> Bool
}

extension SensorSampling where Self: ~Copyable {
  /// Opens a sensor by the best way it has, and samples until that is not wanted any more.
  ///
  /// - Parameters:
  ///   - origin: where its samples come from.
  ///   - course: what goes on from one source to the next.
  /// - Throws: ``SourceError``: no way leads to samples.
  package mutating func sample(_ origin: SensorOrigin, in course: inout Course) throws(SourceError) {
    switch origin {
    case .device(let sensor): try sample(sensor, in: &course)
    case .network(let sensor, let host):
      var source = try NetworkSource(sensor, host: host, rate: options.rate)
      _ = try sample(&source, .network, in: &course)
    case .recording(let path):
      var source = ReplaySource(try Recording(contentsOf: path), rate: options.rate)
      _ = try sample(&source, .replayed, in: &course)
    case .simulation:
      var source = SimulatedSource(rate: options.rate)
      _ = try sample(&source, .simulated, in: &course)
    }
  }

  /// Samples a device of this machine: through its buffer, or by polling it until its buffer is worth another trial.
  private mutating func sample(
    _ sensor: SensorDescription, in course: inout Course
  ) throws(SourceError) {
    guard case .scanElements = sensor.buffering else {
      _ = try samplePolled(sensor, until: nil, in: &course)
      return
    }
    while let failure = try sampleBuffered(sensor, in: &course) {
      guard givesWayToPolling(because: failure, in: &course) else { return }
      let end = bufferTrials.nextTrial(after: failure, at: .now)
      guard try samplePolled(sensor, until: end, in: &course) == .timeIsUp else { return }
    }
  }

  /// Samples through the device's buffer.
  ///
  /// - Returns: why that is of no use; nil if the sampling is over.
  private mutating func sampleBuffered(
    _ sensor: SensorDescription, in course: inout Course
  ) throws(SourceError) -> SourceError? {
    do throws(SourceError) {
      let options = options
      var source = try BufferedSource(
        sensor, rate: options.rate, beside: options.neighbour, mark: options.mark)
      defer { if source.withholdsReports { bufferTrials.needProof = true } }
      if bufferTrials.needProof, try !isProven(&source, in: &course) { return nil }
      bufferTrials.succeeded(at: .now)
      _ = try sample(&source, .buffered, in: &course)
      return nil
    } catch {
      // One that is gone does not answer when it is asked, either.
      if case .vanished = error { throw error }
      return error
    }
  }

  /// Samples by polling; its time is up, too, when a buffer that somebody else had is free.
  private mutating func samplePolled(
    _ sensor: SensorDescription, until end: BootTime?, in course: inout Course
  ) throws(SourceError) -> SamplingEnd {
    do throws(SourceError) {
      let options = options
      var source = try PolledSource(
        sensor, rate: options.rate, until: end, beside: options.neighbour, mark: options.mark)
      return try sample(&source, .polled, in: &course)
    } catch {
      guard case .bufferIsFree = error else { throw error }
      return .timeIsUp
    }
  }
}
