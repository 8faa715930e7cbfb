// SPDX-License-Identifier: Apache-2.0

import IIO
import Orientation
import Systemd

/// What a thread does with a sensor beside the accelerometer.
protocol SensorJob: Sendable {
  /// The sensor, in messages.
  var sensorName: String { get }

  /// Whether a thread that does the other job need not end to do this one.
  func isSame(as other: Self) -> Bool

  /// Prepares the thread, which is new.
  func begin()

  /// Opens the sensor by the best way it has, and reads it until the thread is to end.
  mutating func read(on thread: inout SensorThread) throws(SourceError)
}

/// Has a thread run exactly while there is something to do with a sensor beside the accelerometer, and the machine is awake.
///
/// There is one thread at a time: if it is to do something else, or the same anew, the one before ends first.
final class SensorRunner<Job: SensorJob> {
  /// How long until a thread is started again, if that has failed, in seconds.
  private static var retrySeconds: Double { 2 }

  private let kind: String
  private let loop: EventLoop
  private let log: ServiceLog
  /// The thread; nil if there is none.
  private var worker: SensorWorker?
  /// What it does; nil if it is to end.
  private var job: Job?
  /// The sensor of the last thread, in messages.
  private var sensorName: String
  private var isHanging = false
  private var isRefused = false
  private var failures = FailureLimiter<SourceError>()
  private var fallbacks = FailureLimiter<SourceError>()
  private var hangs = FailureLimiter<SourceError>()
  private var retry: Timer?

  /// What is to be done now; nil for nothing.
  var wanted: () -> Job? = { nil }

  /// Called with each reading.
  var whenRead: (AmbientReading) -> Void = { _ in }

  /// Called after the state may have changed.
  var whenChanged: () -> Void = {}

  /// Called after the sensor was closed, and is not to be opened anew.
  var whenReleased: () -> Void = {}

  /// Whether the machine sleeps.
  private(set) var isAsleep = false

  /// Whether the sensor delivers.
  private(set) var isDelivering = false

  /// Creates a runner without a thread.
  ///
  /// - Parameters:
  ///   - kind: the name of the kind of sensor, in messages.
  ///   - loop: the loop of this thread.
  ///   - log: where messages go.
  init(_ kind: String, loop: EventLoop, log: ServiceLog) {
    self.kind = kind
    self.loop = loop
    self.log = log
    sensorName = kind
    retry = try? loop.timer { [unowned(unsafe) self] in
      settle()
      whenChanged()
    }
  }

  /// Whether the sensor cannot be opened or read, or its driver hangs.
  var hasFailed: Bool { isHanging || isRefused }

  /// Whether no thread has a sensor open.
  var isReleased: Bool { worker == nil }

  /// Starts and ends threads as it takes, after what is wanted has changed.
  func settle() {
    let target = isAsleep ? nil : wanted()
    guard worker != nil else {
      if let target { start(target) }
      return
    }
    // One that is to end reports when it has.
    if let job, target.map({ $0.isSame(as: job) }) != true { endJob() }
  }

  /// Forgets whether the sensor delivers or has failed, because it is another one, or is not wanted any more.
  func forget() {
    isDelivering = false
    isRefused = false
  }

  /// Takes in that the machine goes to sleep, or is awake again.
  func machine(is phase: MachineSleep.Phase) {
    isAsleep = phase == .asleep
    // If logind did not announce the sleep, the sensor may have lost its settings meanwhile.
    if !isAsleep { endJob() }
    settle()
    whenChanged()
  }

  /// Has the thread end, for the end of the process.
  func end() { worker?.stop() }

  /// Waits until the thread has ended; whether it did in time.
  func waitForEnd(until deadline: BootTime) -> Bool { worker?.waitForEnd(until: deadline) ?? true }

  // MARK: The thread

  private func start(_ job: Job) {
    do throws(SourceError) {
      worker = try SensorWorker(
        on: loop, whenReported: { [unowned(unsafe) self] in handleReports() },
        whenWatched: { [unowned(unsafe) self] in threadBecame($0) },
        work: { link in
          job.begin()
          var thread = SensorThread(for: link)
          thread.run(job)
        })
      (self.job, sensorName) = (job, job.sensorName)
    } catch {
      // There are no descriptors or threads left.
      failed(error)
      retry?.arm(afterSeconds: Self.retrySeconds)
    }
  }

  private func endJob() {
    job = nil
    worker?.stop()
  }

  // MARK: What it reports

  private func handleReports() {
    // What a thread reports that is to end is out of date. It stays until this has returned.
    guard let worker else { return }
    if worker.link.drain({ report in if job != nil { handle(report) } }) {
      self.worker = nil
      job = nil
      isHanging = false
      settle()
      if isReleased { whenReleased() }
    }
    whenChanged()
  }

  private func handle(_ report: SensorReport) {
    switch report {
    case .reading(let reading):
      delivers()
      whenRead(reading)
    case .delivering: delivers()
    case .buffered(let error):
      if fallbacks.shouldLog(error, at: .now) { log.sensorIsPolled(kind, because: error) }
    case .failed(let error): failed(error)
    case .found: return
    }
    whenChanged()
  }

  private func delivers() {
    isDelivering = true
    isRefused = false
    if failures.shouldLogRecovery() { log.sensorWorksAgain(kind) }
  }

  private func failed(_ error: SourceError) {
    isDelivering = false
    isRefused = true
    // A device that is gone has not failed.
    if case .vanished = error { return }
    if failures.shouldLog(error, at: .now) { log.sensorFails(kind, error) }
  }

  private func threadBecame(_ watched: ThreadWatchdog.State) {
    isHanging = watched == .hung
    log.thread(of: sensorName, became: watched, within: &hangs)
    whenChanged()
  }
}
