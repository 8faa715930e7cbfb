// SPDX-License-Identifier: Apache-2.0

// The sampler thread: it owns the sensor. It sleeps until somebody asks for orientations, opens the sensor, and runs
// the hot loop until nobody asks any more. Whatever goes wrong with a sensor ends the hot loop, is told, and is
// tried again with growing pauses; the thread itself goes on.

import CLinux
import IIO
import Orientation
import Systemd

/// What the sampler thread does.
struct SamplerThread: ~Copyable {
  /// How long the kernel takes to take away the files of a device that goes: a millisecond on an idle machine.
  private static let microsecondsOfDeparture: UInt32 = 100_000

  private let link: SamplerLink
  private var finder: SensorFinder
  private let configuration: Configuration
  private var sensor: MountedSensor?
  private var pause = RetryPause()
  private var permission = PermissionPatience()

  init(link: SamplerLink, configuration: Configuration) {
    self.link = link
    self.configuration = configuration
    finder = SensorFinder(configuration: configuration)
  }

  /// Runs until the main thread wants the end.
  mutating func run() {
    // Before anything else uses a sensor.
    for mark in SensorMarks.left {
      // From this wait on, a driver that hangs is noticed.
      _ = link.wakeUp.wait(until: .now)
      SettingsMark.takeBack(mark)
    }
    while true {
      // Drained before anything is looked at: what is wanted from here on wakes the next wait.
      link.wakeUp.drain()
      if link.isEndWanted { return }
      if link.takeSurveyWish(), survey() { pause.reset() }
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
        link.forgetGravity()
        recover(from: error, of: sensor, in: session)
      }
    }
  }

  /// Sleeps until the main thread wants something.
  private mutating func waitForWork() {
    guard case .network = configuration.sensor, link.wantedSession != nil else {
      pause.reset()
      _ = link.wakeUp.wait(for: -1, until: nil)
      return
    }
    // No udev tells when another machine comes back.
    survey()
    guard sensor == nil else { return pause.reset() }
    _ = link.wakeUp.wait(until: .now.advanced(bySeconds: pause.next(at: .now)))
  }

  /// Tells what became of a sensor that cannot be opened or read, and returns when it is worth to be tried again.
  private mutating func recover(
    from error: SourceError, of sensor: MountedSensor, in session: SamplingSession
  ) {
    if case .unreachable = error {
      // Told before anybody tries to connect again, which can take seconds.
      self.sensor = nil
      link.post(.found(finder.unreachable(error)))
      return
    }
    // A device that is gone has not failed, and another one may have its place already.
    if mayBeGone(sensor, after: error), survey() { return }
    if hasWaitedForPermission(after: error) { return }
    link.post(.failed(session, error))
    waitToRetry(in: session)
  }

  /// Whether a look through the devices may find the sensor gone.
  private func mayBeGone(_ sensor: MountedSensor, after error: SourceError) -> Bool {
    switch (sensor.origin, error) {
    case (.device(let description), .vanished), (.device(let description), .missingAttribute):
      // A device's files go first, one by one, and then its directory.
      if !description.isGone { usleep(Self.microsecondsOfDeparture) }
      return description.isGone
    case (.device(let description), _): return description.isGone
    case (.network, .vanished): return true
    case (.network, _), (.recording, _), (.simulation, _): return false
    }
  }

  /// Waits where udev may be about to give a permission that was denied; false where it is not worth it.
  private mutating func hasWaitedForPermission(after error: SourceError) -> Bool {
    guard case .permissionDenied = error,
      permission.isWorthATry(isUdevBusy: UdevDevice.isUdevBusy, at: .now)
    else { return false }
    _ = link.wakeUp.wait(until: .now.advanced(bySeconds: PermissionPatience.pause))
    return true
  }

  /// Waits until the pause is over, or another sensor is to be used.
  private mutating func waitToRetry(in session: SamplingSession) {
    let seconds = pause.next(at: .now)
    var retry = BootTime.now.advanced(bySeconds: seconds)
    let soonest = BootTime.now.advanced(bySeconds: min(seconds, RetryPause.shortest))
    while link.wakeUp.wait(until: retry) == .signalled {
      link.wakeUp.drain()
      if link.isEndWanted || link.wantedSession != session { return }
      guard link.takeSurveyWish() else { continue }
      if survey() { return pause.reset() }
      // The event may have brought what was missing, such as a permission; but a storm of events is no reason to hurry.
      retry = min(retry, soonest)
    }
  }

  /// Looks through the devices; true where another sensor is to be used than before.
  @discardableResult
  private mutating func survey() -> Bool {
    let survey = finder.survey()
    let isAnother = survey.sensor != sensor
    if isAnother { permission = PermissionPatience() }
    sensor = survey.sensor
    releaseOpeningMemory()
    link.post(.found(survey))
    return isAnother
  }

  /// Opens the sensor by the best way it has, and samples.
  private mutating func sample(_ sensor: MountedSensor, for session: SamplingSession) throws(SourceError) {
    switch sensor.origin {
    case .device(let description):
      // Whoever asks at once finds the thread before its first wait, and from that on a driver that hangs is noticed.
      _ = link.wakeUp.wait(until: .now)
      if try sampleBuffered(description, of: sensor, for: session) { return }
      try samplePolled(description, of: sensor, for: session)
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

  /// Samples through the device's buffer, or waits for the permission to; false where polling must do instead.
  private mutating func sampleBuffered(
    _ description: SensorDescription, of sensor: MountedSensor, for session: SamplingSession
  ) throws(SourceError) -> Bool {
    guard case .scanElements = description.buffering else { return false }
    do throws(SourceError) {
      var source = try BufferedSource(
        description, rate: configuration.sampleRate, beside: link.neighbour, mark: SensorMarks.accelerometer)
      try sample(&source, of: sensor, for: session)
      return true
    } catch {
      // Whatever is wrong with the buffer, the sensor may answer when it is asked; one that is gone does not.
      if case .vanished = error { throw error }
      // Polled, it would be so until the sampling ends, and cost more power.
      if hasWaitedForPermission(after: error) { return true }
      link.post(.buffered(session, givesWayToPollingBecause: error))
      return false
    }
  }

  /// Samples by asking again and again, until a buffer that somebody else had is free.
  private mutating func samplePolled(
    _ description: SensorDescription, of sensor: MountedSensor, for session: SamplingSession
  ) throws(SourceError) {
    do throws(SourceError) {
      var source = try PolledSource(
        description, rate: configuration.sampleRate, beside: link.neighbour, mark: SensorMarks.accelerometer)
      try sample(&source, of: sensor, for: session)
    } catch {
      guard case .bufferIsFree = error else { throw error }
      link.post(.bufferIsFree(session))
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
    link.forgetGravity()
  }
}
