// SPDX-License-Identifier: Apache-2.0

// The sampler thread: it owns the sensor. It sleeps until somebody asks for orientations, opens the sensor, and runs
// the hot loop until nobody asks any more. Whatever goes wrong with a sensor ends the hot loop, is told, and is
// tried again with growing pauses; the thread itself goes on.

import IIO
import Orientation

/// What the sampler thread does.
struct SamplerThread: ~Copyable {
  private let link: SamplerLink
  private var finder: SensorFinder
  private let configuration: Configuration
  private var sensor: MountedSensor?
  private var pause = RetryPause()

  init(link: SamplerLink, configuration: Configuration) {
    self.link = link
    self.configuration = configuration
    finder = SensorFinder(configuration: configuration)
  }

  /// Runs until the main thread wants the end.
  mutating func run() {
    while true {
      // Drained before anything is looked at: what is wanted from here on wakes the next wait.
      link.wakeUp.drain()
      if link.isEndWanted { return }
      if link.takeSurveyWish() {
        survey()
        pause.reset()
      }
      // Who asks for orientations has lit the panel, whose driver may have come after the first look.
      if link.wantedSession != nil, finder.findsPanel() { survey() }
      guard let session = link.wantedSession, let sensor else {
        if link.takeReleaseWish() { link.post(.released) }
        waitForWork()
        continue
      }
      do throws(SourceError) {
        try sample(sensor, for: session)
      } catch {
        link.gravity.clear()
        link.post(.failed(session, error))
        if case .vanished = error { survey() }
        _ = link.wakeUp.wait(until: .now.advanced(bySeconds: pause.next(at: .now)))
      }
    }
  }

  /// Sleeps until the main thread wants something.
  private mutating func waitForWork() {
    guard case .network = configuration.sensor, sensor == nil, link.wantedSession != nil else {
      pause.reset()
      _ = link.wakeUp.wait(for: -1, until: nil)
      return
    }
    // No udev tells when another machine comes back.
    if link.wakeUp.wait(until: .now.advanced(bySeconds: pause.next(at: .now))) == .deadline { survey() }
  }

  /// Looks through the devices; true where another sensor is to be used than before.
  @discardableResult
  private mutating func survey() -> Bool {
    let survey = finder.survey()
    let isAnother = survey.sensor != sensor
    sensor = survey.sensor
    link.post(.found(survey))
    return isAnother
  }

  /// Opens the sensor by the best way it has, and samples.
  private mutating func sample(_ sensor: MountedSensor, for session: SamplingSession) throws(SourceError) {
    switch sensor.origin {
    case .device(let description):
      if try sampleBuffered(description, of: sensor, for: session) { return }
      var source = try PolledSource(description, rate: configuration.sampleRate)
      try sample(&source, of: sensor, for: session)
    case .network(let description, let host):
      var source = try NetworkSource(description, host: host, rate: configuration.sampleRate)
      try sample(&source, of: sensor, for: session)
    case .recording(let path):
      var source = ReplaySource(try Recording(contentsOf: path), rate: configuration.sampleRate)
      try sample(&source, of: sensor, for: session)
    case .simulation:
      var source = SimulatedSource(rate: configuration.sampleRate)
      try sample(&source, of: sensor, for: session)
    }
  }

  /// Samples through the device's buffer; false where polling must do instead.
  private mutating func sampleBuffered(
    _ description: SensorDescription, of sensor: MountedSensor, for session: SamplingSession
  ) throws(SourceError) -> Bool {
    guard case .scanElements = description.buffering else { return false }
    do throws(SourceError) {
      var source = try BufferedSource(description, rate: configuration.sampleRate)
      try sample(&source, of: sensor, for: session)
      return true
    } catch {
      // Whatever is wrong with the buffer, the sensor may answer when it is asked; one that is gone does not.
      if case .vanished = error { throw error }
      link.post(.buffered(session, givesWayToPollingBecause: error))
      return false
    }
  }

  /// Samples until the sampling is not wanted any more, or another sensor is to be used.
  private mutating func sample<Source: SampleSource & ~Copyable>(
    _ source: inout Source, of sensor: MountedSensor, for session: SamplingSession
  ) throws(SourceError) {
    var pipeline = OrientationPipeline(transform: sensor.transform, settings: configuration.pipeline)
    let pace = configuration.adaptSampleRate ? Pace() : nil
    var isDelivering = false
    while true {
      if !isDelivering, let first = try source.next(interruptedBy: link.wakeUp) {
        isDelivering = true
        releaseOpeningMemory()
        pause.succeeded(at: .now)
        link.post(.delivering(session, sampleRate: source.sampleRate))
        SampleLoop.take(first, through: &pipeline, for: session, to: link)
      }
      try SampleLoop.run(&source, through: &pipeline, at: pace, for: session, to: link)
      link.wakeUp.drain()
      if link.isEndWanted || link.wantedSession != session { break }
      if link.takeSurveyWish(), survey() { break }
    }
    link.gravity.clear()
  }
}
