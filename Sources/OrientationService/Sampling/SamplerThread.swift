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
  /// How fast the sensor was opened.
  private var pace: SensorPace
  /// When the session began, from which on a simulated tablet turns, at whatever pace it is read.
  private var sessionStart = BootTime.now

  init(link: SamplerLink, plan: SamplerPlan) {
    self.link = link
    self.plan = plan
    pace = SensorPace(configured: plan.configuration.sampleRate, wanted: nil)
    finder = SensorFinder(configuration: plan.configuration, matrices: plan.matrices)
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
        waitForSensor()
        continue
      }
      do throws(SourceError) {
        try sampleSession(session, from: sensor)
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

  /// Sleeps until a sensor may be needed, or may be there.
  private mutating func waitForSensor() {
    guard plan.isSampling, !plan.configuration.sensor.isOfThisMachine else {
      pause.reset()
      readRetry = ReadRetry()
      return sleep()
    }
    // Udev does not report when another machine or a recording is back.
    rescan()
    // Only samples that last make the pause short again: a machine that describes its sensor and never delivers is retried as seldom
    // as one that does not answer.
    if sensor == nil { sleep(atMost: pause.next(at: .now)) }
  }

  // MARK: A session

  /// Opens the sensor in the best way that it supports, and samples.
  private mutating func sampleSession(
    _ session: SamplingSession, from sensor: MountedSensor
  ) throws(SourceError) {
    var course = SamplingCourse(
      of: sensor, for: session, settings: plan.pipeline, length: length, signs: signs)
    defer {
      // A scan during the sampling may have chosen another sensor, of which nothing is known.
      if self.sensor == sensor { (length, signs) = (course.pipeline.length, course.signs ?? signs) }
    }
    bufferTrials.beginWithBuffer()
    sessionStart = .now
    // A client may subscribe before the first wait of the thread, and a driver that hangs is noticed only from a wait on.
    if case .device = sensor.origin { _ = link.thread.wakeUp.event.wait(until: .now) }
    while true {
      pace = wantedPace(for: sensor)
      course.isPaceOld = false
      do throws(SourceError) {
        try sample(sensor.origin, in: &course)
        guard course.isPaceOld else { return }
      } catch {
        // One unreadable sample is no lost sensor.
        guard course.hasDelivered, ReadRetry.mayPass(error), !mayBeGone(sensor, after: error),
          let seconds = readRetry.pause(afterFailureAt: .now)
        else { throw error }
        link.thread.post(.unreadable(session, error))
        guard waitToRetry(seconds, in: session) else { return }
      }
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
      return sleep(atMost: pause.next(at: .now))
    }
    releaseOpeningMemory()
    // A device that is gone has not failed, and another one may have replaced it already.
    if mayBeGone(sensor, after: error), rescan() { return }
    if hasWaitedForPermission(after: error) { return }
    link.thread.post(.failed(session, error))
    var seconds = pause.next(at: .now)
    // Only another attempt shows that this sensor works again, and the user waits for that.
    if case .noGravity = error { seconds = min(seconds, Self.longestWithoutGravity) }
    waitToRetry(seconds, in: session)
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
    sleep(atMost: PermissionRetry.pause)
    return true
  }

  // MARK: Waiting, without a source

  /// Sleeps until the main thread has another plan, at most for so many seconds.
  private func sleep(atMost seconds: Double? = nil) {
    _ = link.thread.wakeUp.event.wait(for: -1, until: seconds.map { .now.advanced(bySeconds: $0) })
  }

  /// Waits before the next attempt to use the sensor; false if it is no longer wanted, or is to be used in another way.
  @discardableResult
  private mutating func waitToRetry(_ seconds: Double, in session: SamplingSession) -> Bool {
    let start = BootTime.now
    var end = start.advanced(bySeconds: seconds)
    while link.thread.wakeUp.event.wait(until: end) == .signalled {
      let news = takeNews()
      if news >= .settings { pause.reset() }
      if news >= .settings || isOver(session) { return false }
      // Devices that have changed may have added what was missing, such as a permission; but a storm of events must not
      // cause a storm of retries.
      if news == .devices { end = min(end, start.advanced(bySeconds: pause.shortest)) }
    }
    return true
  }

  // MARK: The plan and the devices

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
    let (before, matrices) = (plan.configuration, plan.matrices)
    plan = link.thread.takePlan() ?? plan
    if link.thread.isStopRequested { return .none }
    if plan.configuration != before || plan.matrices != matrices {
      news = plan.configuration.sampleRate == before.sampleRate ? .settings : .sensor
      finder.reconfigure(plan.configuration, matrices: plan.matrices)
    }
    guard scannedChanges != plan.deviceChanges || news != .none else { return .none }
    scannedChanges = plan.deviceChanges
    return rescan() ? .sensor : max(news, .devices)
  }

  /// Whether the plan, as it was taken last, ends a session.
  private func isOver(_ session: SamplingSession) -> Bool {
    plan.session != session || link.thread.isStopRequested
  }

  /// Whether news that are at least so great, or the plan, require that the source is closed.
  private mutating func mustClose(for least: News, in course: inout SamplingCourse) -> Bool {
    if takeNews() >= least || isOver(course.session) { return true }
    course.isPaceOld = wantedPace(for: course.sensor) != pace
    return course.isPaceOld
  }

  /// Scans the devices; true if another sensor is to be used than before.
  ///
  /// It is not inlined, because its frame is large: the stack of ``run()`` is in use as long as the thread.
  @discardableResult @inline(never)
  private mutating func rescan() -> Bool {
    // It may take longer to connect to another machine than a driver may take to answer.
    if !plan.configuration.sensor.isOfThisMachine { link.thread.wakeUp.event.expectReturn(after: nil) }
    let scan = finder.rescan()
    let isAnother = scan.sensor != sensor
    if isAnother {
      permission = PermissionRetry()
      readRetry = ReadRetry()
      bufferTrials = BufferTrials()
      let lacksZ = scan.sensor?.origin.lacksZ ?? false
      (length, signs) = (GravityLength(lacksAxis: lacksZ), SignsOfLife(lacksZ: lacksZ))
    }
    sensor = scan.sensor
    // `MemoryRelease` unloads libiio, when no other scan follows.
    releaseHeapAndStack()
    link.thread.post(.found(scan))
    return isAnother
  }

  /// How fast the sensor is to be read.
  private func wantedPace(for sensor: MountedSensor) -> SensorPace {
    var motion = plan.motion
    // A recording has its own rate.
    if case .recording = sensor.origin { motion = nil }
    return SensorPace(
      configured: plan.configuration.sampleRate, wanted: motion?.rate, withRates: motion?.gyroscope != nil)
  }
}

extension SamplerThread: SensorSampling {
  var options: SamplingOptions {
    SamplingOptions(
      rate: pace.rate, beside: link.neighbour, mark: SensorMarks.accelerometer,
      blockDuration: pace.blockDuration, withRates: pace.withRates, start: sessionStart)
  }

  mutating func givesWayToPolling(because failure: SourceError, in course: inout SamplingCourse) -> Bool {
    // Polling would be refused too, and would cost more power.
    if hasWaitedForPermission(after: failure) { return false }
    if let news = course.giveUpBuffer(because: failure) { link.thread.post(news) }
    return true
  }

  mutating func isProven(
    _ source: inout BufferedSource, in course: inout SamplingCourse
  ) throws(SourceError) -> Bool {
    while try !source.proveReports(interruptedBy: link.thread.wakeUp.event) {
      if mustClose(for: .settings, in: &course) { return false }
    }
    return true
  }

  mutating func sample<Source: SampleSource & ~Copyable>(
    _ source: inout Source, _ way: SamplingWay, in course: inout SamplingCourse
  ) throws(SourceError) -> SamplingEnd {
    var isDelivering = false
    defer { link.forgetGravity() }
    while true {
      course.use(plan.pipeline)
      if !isDelivering,
        let first = try course.firstSample(of: &source, interruptedBy: link.thread.wakeUp.event)
      {
        isDelivering = true
        reportDelivering(way, sampleRate: source.sampleRate, in: &course)
        SampleLoop.take(first, through: &course.pipeline, for: course.session, to: link)
      }
      if try runLoop(&source, in: &course) == .lifeless { throw course.noGravity }
      if mustClose(for: .sensor, in: &course) { return .notWanted }
      if source.isTimeUp { return .timeIsUp }
    }
  }

  /// Runs the hot loop, with or without readers, until the source is woken up.
  private mutating func runLoop<Source: SampleSource & ~Copyable>(
    _ source: inout Source, in course: inout SamplingCourse
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
  private mutating func reportDelivering(
    _ way: SamplingWay, sampleRate: Double, in course: inout SamplingCourse
  ) {
    releaseOpeningMemory()
    // A short interruption does not end the success that `pause` measures.
    if !course.hasDelivered { pause.succeeded(at: .now) }
    readRetry.succeeded(at: .now)
    if let news = course.delivers(way) { link.thread.post(news) }
    link.thread.post(.delivering(course.session, sampleRate: sampleRate))
  }
}
