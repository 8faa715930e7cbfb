// SPDX-License-Identifier: Apache-2.0

// The ways to a sensor's samples, the best one first; the daemon and `orientationctl record` use the same.
//
// A device of this machine is sampled through its buffer. If that fails, except because the device is gone, the device may
// still answer reads of its attributes. So it is polled, until its buffer is tried again (`BufferTrials`).

package import Orientation

/// How a sensor is sampled.
package enum SamplingWay: Sendable {
  /// Through the device's buffer.
  case buffered
  /// By polling the device.
  case polled
  /// By polling a device of another machine.
  case remote
  /// From a recording.
  case replayed
  /// From the simulated tablet.
  case simulated
}

/// What ended the sampling with one source.
package enum SamplingEnd {
  /// The sensor is no longer wanted, or another one is to be used.
  case notWanted
  /// The source has delivered until its end.
  case timeIsUp
}

/// How the sources of a sensor are opened.
package struct SamplingOptions {
  /// The wanted rate in hertz; the sensor's own is set to the nearest available one at or above it.
  package var rate: Double
  /// The program that may have left a buffer enabled; if nil, an enabled buffer counts as in use.
  package var neighbour: Neighbour?
  /// The file that records what is set on a device, as long as it is set; nil writes none.
  package var mark: String?
  /// How much time the samples of one wakeup may cover, in seconds, if they come through a buffer.
  package var blockDuration: Double
  /// Whether the gyroscope is read too that is part of the accelerometer's device.
  package var withRates: Bool
  /// When a simulated tablet begins to turn.
  package var start: BootTime

  /// The usual one: the daemon's period at its default rate of 25 Hz.
  package static let usualBlockDuration = 0.04

  /// Creates options.
  package init(
    rate: Double, beside neighbour: Neighbour? = nil, mark: String? = nil,
    blockDuration: Double = SamplingOptions.usualBlockDuration, withRates: Bool = false,
    start: BootTime = .now
  ) {
    self.rate = rate
    self.withRates = withRates
    self.blockDuration = blockDuration
    self.neighbour = neighbour
    self.mark = mark
    self.start = start
  }
}

/// Samples a sensor in the best way that works.
package protocol SensorSampling: ~Copyable {
  /// The state that is kept when one source replaces another.
  associatedtype Course

  /// How sources are opened.
  var options: SamplingOptions { get }

  /// When a buffer that failed is tried again, for the present sensor.
  var bufferTrials: BufferTrials { get set }

  /// Samples until the sensor is no longer wanted, or the source has delivered until its end.
  ///
  /// - Throws: why the source cannot be used any more.
  mutating func sample<Source: SampleSource & ~Copyable>(
    _ source: inout Source, _ way: SamplingWay, in course: inout Course
  ) throws(SourceError) -> SamplingEnd

  /// Waits for the proof that a buffer works that was silent while the sensor moved; false if it is no longer wanted.
  mutating func isProven(
    _ source: inout BufferedSource, in course: inout Course
  ) throws(SourceError) -> Bool

  /// Called when the buffer cannot be used: whether to poll; false ends the sampling.
  mutating func givesWayToPolling(because failure: SourceError, in course: inout Course) -> Bool
}

extension SensorSampling where Self: ~Copyable {
  /// Opens a sensor in the best way that it supports, and samples until it is no longer wanted.
  ///
  /// - Throws: ``SourceError`` if no way leads to samples.
  package mutating func sample(_ origin: SensorOrigin, in course: inout Course) throws(SourceError) {
    switch origin {
    case .device(let sensor): try sample(sensor, in: &course)
    case .remote(let sensor, let address):
      var source = try PolledSource(sensor, at: address, rate: options.rate)
      _ = try sample(&source, .remote, in: &course)
    case .recording(let path):
      var source = ReplaySource(try Recording(contentsOf: path), rate: options.rate)
      _ = try sample(&source, .replayed, in: &course)
    case .simulation:
      var source = SimulatedSource(rate: options.rate, since: options.start)
      _ = try sample(&source, .simulated, in: &course)
    }
  }

  /// Samples a device of this machine: through its buffer, or by polling until its buffer is tried again.
  private mutating func sample(
    _ sensor: SensorDescription, in course: inout Course
  ) throws(SourceError) {
    guard case .scanElements = sensor.buffering else {
      _ = try samplePolled(sensor, until: nil, in: &course)
      return
    }
    while true {
      var end = bufferTrials.next
      if end == nil {
        guard let failure = try sampleBuffered(sensor, in: &course),
          givesWayToPolling(because: failure, in: &course)
        else { return }
        end = bufferTrials.nextTrial(after: failure, at: .now)
        // Only a source that was opened while another program uses the buffer notices when it is free.
        if case .busy = failure {} else { bufferTrials.next = end }
      }
      let result = try samplePolled(sensor, until: end, in: &course)
      bufferTrials.next = nil
      guard result == .timeIsUp else { return }
    }
  }

  /// Samples through the device's buffer.
  ///
  /// - Returns: why the buffer cannot be used; nil if the sampling is over.
  private mutating func sampleBuffered(
    _ sensor: SensorDescription, in course: inout Course
  ) throws(SourceError) -> SourceError? {
    do throws(SourceError) {
      var source = try BufferedSource.open(sensor, options)
      source.eventTrust = bufferTrials.eventTrust
      defer {
        if source.withholdsReports { bufferTrials.needProof = true }
        bufferTrials.eventTrust = source.eventTrust
      }
      if bufferTrials.needProof, try !isProven(&source, in: &course) { return nil }
      bufferTrials.needProof = false
      bufferTrials.succeeded(at: .now)
      _ = try sample(&source, .buffered, in: &course)
      return nil
    } catch {
      // A device that is gone does not answer reads of its attributes either.
      if case .vanished = error { throw error }
      return error
    }
  }

  /// Samples by polling; this also ends when a buffer becomes free that another program used.
  private mutating func samplePolled(
    _ sensor: SensorDescription, until end: BootTime?, in course: inout Course
  ) throws(SourceError) -> SamplingEnd {
    do throws(SourceError) {
      var source = try PolledSource(sensor, options, until: end)
      return try sample(&source, .polled, in: &course)
    } catch {
      guard case .bufferIsFree = error else { throw error }
      return .timeIsUp
    }
  }
}

extension BufferedSource {
  /// Opens a sensor; without the gyroscope of its device if the driver refuses to scan both.
  fileprivate static func open(
    _ sensor: SensorDescription, _ options: SamplingOptions
  ) throws(SourceError) -> BufferedSource {
    do throws(SourceError) {
      return try BufferedSource(sensor, options)
    } catch {
      guard options.withRates else { throw error }
    }
    var options = options
    options.withRates = false
    return try BufferedSource(sensor, options)
  }
}

/// When a buffer that was replaced by polling is tried again, and what it must show then.
package struct BufferTrials: Sendable {
  /// Whether the buffer must first deliver some reports before its silence is trusted: it was silent while the sensor
  /// moved.
  var needProof = false
  /// Until when the sensor is polled, also if a sample cannot be read meanwhile; nil if its buffer is to be used.
  var next: BootTime?
  /// How far the motion events of the chip are trusted, which are used only with the buffer.
  var eventTrust = EventTrust()
  /// The pause becomes longer each time, because a turn may be noticed late during a trial.
  private var pause = RetryBackoff(from: 10, upTo: 300)

  /// Creates the trials of a sensor whose buffer has not failed yet.
  package init() {}

  /// Has the buffer used first, as at the begin of a session.
  package mutating func beginWithBuffer() { next = nil }

  /// Records that the buffer was opened, and has shown what it must.
  mutating func succeeded(at now: BootTime) {
    pause.succeeded(at: now)
  }

  /// Until when to poll; nil if the buffer is not tried again before the sensor is opened again.
  mutating func nextTrial(after failure: SourceError, at now: BootTime) -> BootTime? {
    switch failure {
    // A buffer in use may be free a moment later, and a trial changes nothing that another program uses.
    case .silent, .noGravity, .malformed, .system, .busy: now.advanced(bySeconds: pause.next(at: now))
    default: nil
    }
  }
}
