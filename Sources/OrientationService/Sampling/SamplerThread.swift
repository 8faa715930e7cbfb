// SPDX-License-Identifier: Apache-2.0

// The sampler thread, which owns the sensor. It sleeps until there is a subscriber, opens the sensor, and runs the hot loop
// until there are no subscribers. Any failure of a sensor ends the hot loop, and the thread retries with growing pauses: soon
// and before it reports the failure if the sensor has delivered, and more seldom afterwards. The thread itself does not end.

import CLinux
import IIO
import Orientation
import SensorSetup
import Systemd

/// The work of the sampler thread.
struct SamplerThread: ~Copyable {
  /// How long the kernel takes to remove the files of a device that goes away: a millisecond on an idle machine.
  private static let microsecondsOfRemoval: UInt32 = 100_000

  /// The longest pause before a sensor that read no gravity is tried again, in seconds.
  private static let longestWithoutGravity = 2.0

  private let link: SamplerLink
  private var finder: SensorFinder
  private var plan: SamplerPlan
  /// How often devices had changed when they were scanned; nil before the first scan.
  private var scannedChanges: Int?
  /// The last session of which it was reported that no sensor is open any more.
  private var releasedSession: SamplingSession = 0
  private var sensor: MountedSensor?
  private var pause = RetryBackoff()
  private var permission = PermissionRetry()
  private var readRetry = ReadRetry()
  /// What is known of the sensor from earlier sessions: how long gravity is in its readings, and which of its axes move.
  private var (length, signs) = (GravityLength(), SignsOfLife())
  /// When the sensor's buffer is tried again.
  var bufferTrials = BufferTrials()
  var eventTrust = EventTrust()
  /// How fast the sensor was opened.
  private var pace: SensorPace

  init(link: SamplerLink, plan: SamplerPlan) {
    self.link = link
    self.plan = plan
    pace = SensorPace(configured: plan.configuration.sampleRate, wanted: nil)
    finder = SensorFinder(configuration: plan.configuration)
  }

  /// Runs until the main thread requests the end.
  mutating func run() {
    // This comes before anything else uses a sensor.
    for mark in SensorMarks.left {
      // From this wait on, a driver that hangs is noticed.
      _ = link.thread.wakeUp.event.wait(until: .now)
      SettingsMark.takeBack(mark)
    }
    while true {
      let news = takeNews()
      if link.thread.isStopRequested { return }
      if news >= .settings { pause.reset() }
      // A client that subscribes has turned on the panel, whose driver may have loaded after the first scan.
      if plan.isSampling, finder.findsPanel() { rescan() }
      guard let session = plan.session, let sensor else {
        reportRelease()
        waitForWork()
        continue
      }
      do throws(SourceError) {
        try open(sensor, for: session)
        // It may have ended before the first sample.
        releaseOpeningMemory()
      } catch {
        recover(from: error, of: sensor, in: session)
      }
    }
  }

  /// Reports once that the sensor is closed, after a session has ended.
  private mutating func reportRelease() {
    guard !plan.isSampling, releasedSession != plan.lastSession else { return }
    releasedSession = plan.lastSession
    link.thread.post(.released)
  }

  /// Sleeps until the main thread has another plan.
  private mutating func waitForWork() {
    guard plan.isSampling, isUnknownToUdev else {
      pause.reset()
      readRetry = ReadRetry()
      _ = link.thread.wakeUp.event.wait(for: -1, until: nil)
      return
    }
    rescan()
    if sensor == nil { waitToReconnect() }
  }

  /// Waits before the next attempt to reach another machine.
  ///
  /// Only samples that last make the pause short again: a machine that describes its sensor and never delivers is retried as seldom
  /// as one that does not answer.
  private mutating func waitToReconnect() {
    _ = link.thread.wakeUp.event.wait(until: .now.advanced(bySeconds: pause.next(at: .now)))
  }

  /// Whether udev does not report when the sensor is back: it is on another machine, or a recording.
  private var isUnknownToUdev: Bool {
    switch plan.configuration.sensor {
    case .remote, .replay: true
    case .automatic, .named, .simulated: false
    }
  }

  /// Handles a sensor that cannot be opened or read; returns when it is worth a retry.
  private mutating func recover(
    from error: SourceError, of sensor: MountedSensor, in session: SamplingSession
  ) {
    if case .unreachable = error {
      // Reported before the next attempt to connect, which can take seconds.
      self.sensor = nil
      link.thread.post(.found(finder.unreachable(error)))
      return waitToReconnect()
    }
    releaseOpeningMemory()
    // A device that is gone has not failed, and another one may have replaced it already.
    if mayBeGone(sensor, after: error), rescan() { return }
    if hasWaitedForPermission(after: error) { return }
    link.thread.post(.failed(session, error))
    waitToRetry(after: error, in: session)
  }

  /// Whether a scan of the devices may find that the sensor is gone.
  private func mayBeGone(_ sensor: MountedSensor, after error: SourceError) -> Bool {
    switch (sensor.origin, error) {
    case (.device(let description), .vanished), (.device(let description), .missingAttribute):
      // The kernel first removes the files of a device one by one, and then its directory.
      if !description.isGone { usleep(Self.microsecondsOfRemoval) }
      return description.isGone
    case (.device(let description), _): return description.isGone
    case (.remote, .vanished), (.recording, _): return true
    case (.remote, _), (.simulation, _): return false
    }
  }

  /// Waits if udev may soon give a permission that was denied; false if a wait is useless.
  private mutating func hasWaitedForPermission(after error: SourceError) -> Bool {
    guard case .permissionDenied = error,
      permission.shouldRetry(isUdevBusy: UdevDevice.isUdevBusy, at: .now)
    else { return false }
    _ = link.thread.wakeUp.event.wait(until: .now.advanced(bySeconds: PermissionRetry.pause))
    return true
  }

  /// Waits until the pause is over, or another sensor is to be used.
  private mutating func waitToRetry(after error: SourceError, in session: SamplingSession) {
    var seconds = pause.next(at: .now)
    // Only another attempt shows that this sensor works again, and the user waits for that.
    if case .noGravity = error { seconds = min(seconds, Self.longestWithoutGravity) }
    var retry = BootTime.now.advanced(bySeconds: seconds)
    let soonest = BootTime.now.advanced(bySeconds: min(seconds, pause.shortest))
    while link.thread.wakeUp.event.wait(until: retry) == .signalled {
      let news = takeNews()
      if news >= .settings { pause.reset() }
      if news >= .settings || isOver(session) { return }
      guard news == .devices else { continue }
      // The event may have added what was missing, such as a permission; but a storm of events must not cause a storm of
      // retries.
      retry = min(retry, soonest)
    }
  }

  /// What is new in the plan, besides the session; each case includes the ones before.
  private enum News: Int, Comparable {
    /// Nothing, or only what readers of motion want.
    case none
    /// The devices were scanned, and the sensor is the same.
    case devices
    /// The settings for the decision have changed.
    case settings
    /// The sensor has changed, or is to be opened in another way.
    case sensor

    static func < (less: Self, more: Self) -> Bool { less.rawValue < more.rawValue }
  }

  /// Uses the newest plan, and scans the devices, if that is needed.
  private mutating func takeNews() -> News {
    // Drained before the plan is read: a later one then ends the next wait.
    link.thread.wakeUp.event.drain()
    var news = News.none
    let before = plan.configuration
    plan = link.thread.takePlan() ?? plan
    if link.thread.isStopRequested { return .none }
    if plan.configuration != before {
      news = plan.configuration.sampleRate == before.sampleRate ? .settings : .sensor
      finder.reconfigure(plan.configuration)
    }
    guard scannedChanges != plan.deviceChanges || news != .none else { return .none }
    scannedChanges = plan.deviceChanges
    return rescan() ? .sensor : max(news, .devices)
  }

  /// Whether the plan, as it was taken last, ends a session.
  private func isOver(_ session: SamplingSession) -> Bool {
    plan.session != session || link.thread.isStopRequested
  }

  /// Scans the devices; true if another sensor is to be used than before.
  ///
  /// It is not inlined, because its frame is large: the stack of ``run()`` is in use as long as the thread.
  @discardableResult @inline(never)
  private mutating func rescan() -> Bool {
    let scan = finder.rescan()
    let isAnother = scan.sensor != sensor
    if isAnother {
      permission = PermissionRetry()
      readRetry = ReadRetry()
      bufferTrials = BufferTrials()
      eventTrust = EventTrust()
      let lacksZ = scan.sensor?.origin.lacksZ ?? false
      (length, signs) = (GravityLength(lacksAxis: lacksZ), SignsOfLife(lacksZ: lacksZ))
    }
    sensor = scan.sensor
    // `MemoryRelease` unloads libiio, when no other scan follows.
    releaseHeapAndStack()
    link.thread.post(.found(scan))
    return isAnother
  }

  /// The state that is kept from one source to the next: the pipeline continues when the same sensor is read in another
  /// way.
  struct Course {
    /// The sensor.
    let sensor: MountedSensor
    /// The session for which changes are reported.
    let session: SamplingSession
    fileprivate var pipeline: OrientationPipeline
    /// The settings of the pipeline.
    fileprivate var settings: PipelineSettings
    /// Nil if the sensor is not a real one, and cannot fail in this way.
    fileprivate var signs: SignsOfLife?
    /// Whether the sensor has delivered since it was opened for this course.
    fileprivate var hasDelivered = false
    /// Whether the sensor's buffer has failed, and has delivered nothing since.
    fileprivate var isBufferGivenUp = false
    /// The event that is reported before the first polled sample.
    fileprivate var newsOfPolling: SamplerEvent?
    /// Whether the sensor was closed only to be read at another pace.
    fileprivate var isPaceOld = false
  }

  /// Opens the sensor in the best way that it supports, and samples.
  private mutating func open(_ sensor: MountedSensor, for session: SamplingSession) throws(SourceError) {
    var course = Course(
      sensor: sensor, session: session, pipeline: newPipeline(of: sensor, with: length),
      settings: plan.configuration.pipeline,
      signs: sensor.origin.isReal ? signs : nil)
    course.signs?.startAgain()
    defer {
      // A scan during the sampling may have chosen another sensor, of which nothing is known.
      if self.sensor == sensor { (length, signs) = (course.pipeline.length, course.signs ?? signs) }
    }
    // A client may subscribe before the first wait of the thread, and a driver that hangs is noticed only from a wait on.
    if case .device = sensor.origin { _ = link.thread.wakeUp.event.wait(until: .now) }
    while true {
      pace = wantedPace(for: sensor)
      course.isPaceOld = false
      do throws(SourceError) {
        try sample(sensor.origin, in: &course)
        guard course.isPaceOld else { return }
      } catch {
        guard let pause = pauseBeforeRead(after: error, in: course) else { throw error }
        guard waits(for: pause, in: session) else { return }
      }
    }
  }

  /// How long to wait before a sensor that has delivered is read again, in seconds; nil if it has failed.
  private mutating func pauseBeforeRead(after error: SourceError, in course: Course) -> Double? {
    guard course.hasDelivered, ReadRetry.mayPass(error), !mayBeGone(course.sensor, after: error),
      let seconds = readRetry.pause(afterFailureAt: .now)
    else { return nil }
    link.thread.post(.unreadable(course.session, error))
    return seconds
  }

  /// Waits before the sensor is read again; false if the sensor is no longer wanted, or is to be opened in another way.
  private mutating func waits(for seconds: Double, in session: SamplingSession) -> Bool {
    let end = BootTime.now.advanced(bySeconds: seconds)
    while link.thread.wakeUp.event.wait(until: end) == .signalled {
      if takeNews() >= .settings || isOver(session) { return false }
    }
    return true
  }

  /// How fast the sensor is to be read.
  ///
  /// A recording has its own rate.
  private func wantedPace(for sensor: MountedSensor) -> SensorPace {
    if case .recording = sensor.origin {
      return SensorPace(configured: plan.configuration.sampleRate, wanted: nil)
    }
    return SensorPace(
      configured: plan.configuration.sampleRate, wanted: plan.motion?.rate,
      withRates: plan.motion?.gyroscope != nil)
  }

  private func newPipeline(of sensor: MountedSensor, with length: GravityLength) -> OrientationPipeline {
    var pipeline = OrientationPipeline(transform: sensor.transform, settings: plan.configuration.pipeline)
    pipeline.length = length
    return pipeline
  }
}

extension SamplerThread: SensorSampling {
  var options: SamplingOptions {
    SamplingOptions(
      rate: pace.rate, beside: link.neighbour, mark: SensorMarks.accelerometer,
      blockDuration: pace.blockDuration, withRates: pace.withRates)
  }

  mutating func givesWayToPolling(because failure: SourceError, in course: inout Course) -> Bool {
    // Polling would be refused too, and would cost more power.
    if hasWaitedForPermission(after: failure) { return false }
    course.newsOfPolling = nil
    guard !course.isBufferGivenUp else { return true }
    course.isBufferGivenUp = true
    let news = SamplerEvent.buffered(course.session, givesWayToPollingBecause: failure)
    // Polling may deliver a better reading; if it does not, there is only one failure to report.
    if case .noGravity = failure { course.newsOfPolling = news } else { link.thread.post(news) }
    return true
  }

  mutating func isProven(
    _ source: inout BufferedSource, in course: inout Course
  ) throws(SourceError) -> Bool {
    while try !source.proveReports(interruptedBy: link.thread.wakeUp.event) {
      if takeNews() >= .settings || isOver(course.session) { return false }
      if wantedPace(for: course.sensor) != pace {
        course.isPaceOld = true
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
        reportDelivering(way, sampleRate: source.sampleRate, in: &course)
        SampleLoop.take(first, through: &course.pipeline, for: course.session, to: link)
      }
      let end = try runLoop(&source, in: &course)
      if end == .lifeless { throw noGravity(of: course.sensor) }
      if takeNews() == .sensor || isOver(course.session) { return .notWanted }
      if wantedPace(for: course.sensor) != pace {
        course.isPaceOld = true
        return .notWanted
      }
      if plan.configuration.pipeline != course.settings {
        course.settings = plan.configuration.pipeline
        course.pipeline = newPipeline(of: course.sensor, with: course.pipeline.length)
      }
      if source.isTimeUp { return .timeIsUp }
    }
  }

  /// Runs the hot loop, with or without readers, until the source is woken up.
  private mutating func runLoop<Source: SampleSource & ~Copyable>(
    _ source: inout Source, in course: inout Course
  ) throws(SourceError) -> SampleLoop.End {
    guard let readers = plan.motion else {
      let detector = plan.configuration.restPace.map { RestDetector(pace: $0) }
      return try SampleLoop.run(
        &source, through: &course.pipeline, watching: &course.signs, restingBy: detector, for: course.session,
        to: link)
    }
    var outlet = MotionOutlet(
      to: readers.feed, transform: course.sensor.transform,
      mean: BlockMean(rate: plan.configuration.sampleRate, sensorRate: source.sampleRate),
      gyroscope: readers.gyroscope)
    return try SampleLoop.run(
      &source, through: &course.pipeline, watching: &course.signs, feeding: &outlet, for: course.session,
      to: link)
  }

  /// Reports that the sensor works, and whether the way of sampling has changed.
  private mutating func reportDelivering(_ way: SamplingWay, sampleRate: Double, in course: inout Course) {
    releaseOpeningMemory()
    // A short interruption does not end the success that `pause` measures.
    if !course.hasDelivered { pause.succeeded(at: .now) }
    course.hasDelivered = true
    readRetry.succeeded(at: .now)
    switch way {
    case .buffered where course.isBufferGivenUp:
      link.thread.post(.bufferWorks(course.session))
      course.isBufferGivenUp = false
    case .polled:
      if let news = course.newsOfPolling { link.thread.post(news) }
    case .buffered, .remote, .replayed, .simulated: break
    }
    link.thread.post(.delivering(course.session, sampleRate: sampleRate))
  }

  /// The first sample that shows that the sensor works; nil when the source was woken up.
  private func firstSample<Source: SampleSource & ~Copyable>(
    of source: inout Source, in course: inout Course
  ) throws(SourceError) -> Sample<SensorFrame>? {
    while let sample = try source.next(interruptedBy: link.thread.wakeUp.event) {
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
