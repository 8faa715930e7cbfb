// SPDX-License-Identifier: Apache-2.0

// The sampler thread: it owns the sensor. It sleeps until somebody asks for orientations, opens the sensor, and runs
// the hot loop until nobody asks any more. Whatever goes wrong with a sensor ends the hot loop, is told, and is
// tried again with growing pauses; the thread itself goes on.

import CLinux
import IIO
import Orientation
import SensorSetup
import Systemd

/// What the sampler thread does.
struct SamplerThread: ~Copyable {
  /// How long the kernel takes to take away the files of a device that goes: a millisecond on an idle machine.
  private static let microsecondsOfDeparture: UInt32 = 100_000

  /// The longest pause after which a sensor is looked at again that read no gravity, in seconds.
  private static let longestWithoutGravity = 8.0

  private let link: SamplerLink
  private var finder: SensorFinder
  private var configuration: Configuration
  private var sensor: MountedSensor?
  private var pause = RetryBackoff()
  private var permission = PermissionRetry()
  /// When the sensor's buffer is tried again.
  var bufferTrials = BufferTrials()

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
      if link.isStopRequested { return }
      if takeNews() >= .settings { pause.reset() }
      // Who asks for orientations has lit the panel, whose driver may have come after the first look.
      if link.wantedSession != nil, finder.findsPanel() { rescan() }
      guard let session = link.wantedSession, let sensor else {
        if link.takeReleaseRequest() { link.post(.released) }
        waitForWork()
        continue
      }
      do throws(SourceError) {
        try open(sensor, for: session)
      } catch {
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
    rescan()
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
    if mayBeGone(sensor, after: error), rescan() { return }
    if hasWaitedForPermission(after: error) { return }
    link.post(.failed(session, error))
    waitToRetry(after: error, in: session)
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
      permission.shouldRetry(isUdevBusy: UdevDevice.isUdevBusy, at: .now)
    else { return false }
    _ = link.wakeUp.wait(until: .now.advanced(bySeconds: PermissionRetry.pause))
    return true
  }

  /// Waits until the pause is over, or another sensor is to be used.
  private mutating func waitToRetry(after error: SourceError, in session: SamplingSession) {
    var seconds = pause.next(at: .now)
    // One that delivers has not to be started only to see whether it works again, which a person waits for.
    if case .noGravity = error { seconds = min(seconds, Self.longestWithoutGravity) }
    var retry = BootTime.now.advanced(bySeconds: seconds)
    let soonest = BootTime.now.advanced(bySeconds: min(seconds, pause.shortest))
    while link.wakeUp.wait(until: retry) == .signalled {
      link.wakeUp.drain()
      if link.isStopRequested || link.wantedSession != session { return }
      let news = takeNews()
      if news >= .settings { return pause.reset() }
      guard news == .devices else { continue }
      // The event may have brought what was missing, such as a permission; but a storm of events is no reason to hurry.
      retry = min(retry, soonest)
    }
  }

  /// What the main thread has left to be looked at, and what came of it; each more than the one before.
  private enum News: Int, Comparable {
    /// There was nothing.
    case none
    /// The devices were looked through, and the sensor is the same.
    case devices
    /// What orientations are decided by is another.
    case settings
    /// The sensor is another, or is to be opened in another way.
    case sensor

    static func < (less: Self, more: Self) -> Bool { less.rawValue < more.rawValue }
  }

  /// Takes over another configuration, and looks through the devices, where that is wanted.
  private mutating func takeNews() -> News {
    var news = News.none
    if let wanted = link.takeConfiguration() {
      news = wanted.sampleRate == configuration.sampleRate ? .settings : .sensor
      configuration = wanted
      finder.reconfigure(wanted)
    }
    guard link.takeRescanRequest() || news != .none else { return .none }
    return rescan() ? .sensor : max(news, .devices)
  }

  /// Looks through the devices; true where another sensor is to be used than before.
  @discardableResult
  private mutating func rescan() -> Bool {
    let scan = finder.rescan()
    let isAnother = scan.sensor != sensor
    if isAnother {
      permission = PermissionRetry()
      bufferTrials = BufferTrials()
    }
    sensor = scan.sensor
    releaseOpeningMemory()
    link.post(.found(scan))
    return isAnother
  }

  /// What goes on from one source to the next: another way to the same sensor does not begin anew.
  struct Course {
    /// What is sampled.
    let sensor: MountedSensor
    /// What changes are told under.
    let session: SamplingSession
    fileprivate var pipeline: OrientationPipeline
    /// What the pipeline goes by.
    fileprivate var settings: PipelineSettings
    /// Nil for what is no real sensor: it is what it is.
    fileprivate var signs: SignsOfLife?
    /// Whether the sensor's buffer failed, and has delivered nothing since.
    fileprivate var isBufferGivenUp = false
    /// What is told before anything that is polled.
    fileprivate var newsOfPolling: SamplerEvent?
  }

  /// Opens the sensor by the best way it has, and samples.
  private mutating func open(_ sensor: MountedSensor, for session: SamplingSession) throws(SourceError) {
    var course = Course(
      sensor: sensor, session: session, pipeline: newPipeline(of: sensor), settings: configuration.pipeline,
      signs: sensor.origin.isReal ? SignsOfLife() : nil)
    // Whoever asks at once finds the thread before its first wait, and from that on a driver that hangs is noticed.
    if case .device = sensor.origin { _ = link.wakeUp.wait(until: .now) }
    try sample(sensor.origin, in: &course)
  }

  private func newPipeline(of sensor: MountedSensor) -> OrientationPipeline {
    OrientationPipeline(transform: sensor.transform, settings: configuration.pipeline)
  }
}

extension SamplerThread: SensorSampling {
  var options: SamplingOptions {
    SamplingOptions(rate: configuration.sampleRate, beside: link.neighbour, mark: SensorMarks.accelerometer)
  }

  mutating func givesWayToPolling(because failure: SourceError, in course: inout Course) -> Bool {
    // Polled, it would be so for a while, and cost more power.
    if hasWaitedForPermission(after: failure) { return false }
    course.newsOfPolling = nil
    guard !course.isBufferGivenUp else { return true }
    course.isBufferGivenUp = true
    let news = SamplerEvent.buffered(course.session, givesWayToPollingBecause: failure)
    // Polled it may read something better; else there is but one failure to tell.
    if case .noGravity = failure { course.newsOfPolling = news } else { link.post(news) }
    return true
  }

  mutating func isProven(
    _ source: inout BufferedSource, in course: inout Course
  ) throws(SourceError) -> Bool {
    while try !source.proveReports(interruptedBy: link.wakeUp) {
      link.wakeUp.drain()
      if link.isStopRequested || link.wantedSession != course.session || takeNews() >= .settings {
        return false
      }
    }
    return true
  }

  mutating func sample<Source: SampleSource & ~Copyable>(
    _ source: inout Source, _ way: SamplingWay, in course: inout Course
  ) throws(SourceError) -> SamplingEnd {
    var isDelivering = false
    defer { link.forgetGravity() }
    while true {
      if !isDelivering, let first = try firstSample(of: &source, in: &course) {
        isDelivering = true
        tellDelivering(way, sampleRate: source.sampleRate, in: &course)
        SampleLoop.take(first, through: &course.pipeline, for: course.session, to: link)
      }
      let detector = configuration.adaptSampleRate ? RestDetector() : nil
      let end = try SampleLoop.run(
        &source, through: &course.pipeline, watching: &course.signs, restingBy: detector, for: course.session,
        to: link)
      if end == .lifeless { throw noGravity(of: course.sensor) }
      link.wakeUp.drain()
      if link.isStopRequested || link.wantedSession != course.session { return .notWanted }
      let change = takeNews()
      if change == .sensor { return .notWanted }
      if configuration.pipeline != course.settings {
        course.settings = configuration.pipeline
        course.pipeline = newPipeline(of: course.sensor)
      }
      if source.isTimeUp { return .timeIsUp }
    }
  }

  /// Tells that the sensor works, and what is new about the way by which it is sampled.
  private mutating func tellDelivering(_ way: SamplingWay, sampleRate: Double, in course: inout Course) {
    releaseOpeningMemory()
    pause.succeeded(at: .now)
    switch way {
    case .buffered where course.isBufferGivenUp:
      link.post(.bufferWorks(course.session))
      course.isBufferGivenUp = false
    case .polled:
      if let news = course.newsOfPolling { link.post(news) }
    case .buffered, .network, .replayed, .simulated: break
    }
    link.post(.delivering(course.session, sampleRate: sampleRate))
  }

  /// The first sample that shows that the sensor works; nil when the source was woken up.
  private func firstSample<Source: SampleSource & ~Copyable>(
    of source: inout Source, in course: inout Course
  ) throws(SourceError) -> Sample<SensorFrame>? {
    while let sample = try source.next(interruptedBy: link.wakeUp) {
      switch course.signs?.verdict(on: sample) ?? .alive {
      case .alive: return sample
      case .doubtful: continue
      case .dead: throw noGravity(of: course.sensor)
      }
    }
    return nil
  }

  private func noGravity(of sensor: MountedSensor) -> SourceError {
    .noGravity(device: sensor.name, seconds: SignsOfLife.patience)
  }
}
