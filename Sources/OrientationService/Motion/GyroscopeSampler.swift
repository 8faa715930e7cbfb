// SPDX-License-Identifier: Apache-2.0

import IIO
import Orientation
import SensorSetup
import Systemd

/// A gyroscope that has a device of its own, as the main thread sees it: it runs exactly while streams want it and the machine is awake.
///
/// There is one thread at a time: if it is to read another gyroscope, or the same one at another rate, the one before ends first.
final class GyroscopeSampler {
  private enum Phase {
    /// There is no thread.
    case idle
    /// A thread does this.
    case sampling(GyroscopeJob, AmbientWorker)
    /// A thread is to end.
    case ending(AmbientWorker)
  }

  /// What streams want.
  struct Demand {
    /// Where the samples go.
    let feed: MotionFeed
    /// The shortest interval that a stream wants, as a rate in hertz.
    let rate: Double
  }

  /// The name of this kind of sensor, for messages.
  private static let kind = "gyroscope"
  /// How long until a thread is started again, if that has failed, in seconds.
  private static let retrySeconds = 2.0

  private let loop: EventLoopReference
  private let display: SamplerLink
  private let log: ServiceLog
  private let whenChanged: () -> Void
  private let whenReleased: () -> Void
  private var phase = Phase.idle
  private var gyroscope: MountedGyroscope?
  private var demand: Demand?
  private var isAsleep = false
  private var isHanging = false
  private var hasFailed = false
  private var isDelivering = false
  private var failures = FailureLimiter<SourceError>()
  private var fallbacks = FailureLimiter<SourceError>()
  private var hangs = FailureLimiter<SourceError>()
  private var retry: Timer?

  /// Creates the sampler without a gyroscope.
  ///
  /// - Parameters:
  ///   - loop: the loop of this thread.
  ///   - display: the sampler of the accelerometer.
  ///   - log: where messages go.
  ///   - whenChanged: called after the state may have changed.
  ///   - whenReleased: called after the gyroscope was closed, and is not to be opened again.
  init(
    loop: consuming EventLoopReference, beside display: SamplerLink, log: ServiceLog,
    whenChanged: @escaping () -> Void, whenReleased: @escaping () -> Void
  ) {
    self.loop = loop
    self.display = display
    self.log = log
    self.whenChanged = whenChanged
    self.whenReleased = whenReleased
    retry = try? self.loop.timer { [unowned(unsafe) self] in settle() }
  }

  /// The state for streams that want it.
  var state: MotionState {
    if gyroscope == nil { return .noSensor }
    if isAsleep { return .suspended }
    if isHanging || hasFailed { return .failed }
    return isDelivering ? .active : .starting
  }

  /// Whether no thread has it open.
  var isReleased: Bool {
    if case .idle = phase { true } else { false }
  }

  /// Takes in which gyroscope there is; nil also if it is part of the accelerometer's device.
  func found(_ gyroscope: MountedGyroscope?) {
    guard gyroscope != self.gyroscope else { return }
    self.gyroscope = gyroscope
    forget()
    settle()
  }

  /// Takes in what streams want; nil if no stream wants the gyroscope.
  func want(_ demand: Demand?) {
    if demand == nil { forget() }
    self.demand = demand
    settle()
  }

  /// Takes in that the machine goes to sleep, or is awake again.
  func machine(is phase: MachineSleep.Phase) {
    isAsleep = phase == .asleep
    forget()
    // If logind did not announce the sleep, the sensor may have lost its settings meanwhile.
    if !isAsleep, case .sampling(_, let worker) = self.phase { end(worker) }
    settle()
    whenChanged()
  }

  /// Makes the thread end, for the end of the process.
  func end() {
    switch phase {
    case .idle: return
    case .sampling(_, let worker), .ending(let worker): worker.stop()
    }
  }

  /// Waits until the thread has ended; whether it did in time.
  func waitForEnd(until deadline: BootTime) -> Bool {
    switch phase {
    case .idle: true
    case .sampling(_, let worker), .ending(let worker): worker.waitForEnd(until: deadline)
    }
  }

  // MARK: The thread

  /// What a thread is to do; nil if there is to be none.
  private var target: GyroscopeJob? {
    guard let gyroscope, let demand, !isAsleep else { return nil }
    return GyroscopeJob(
      gyroscope: gyroscope, pace: SensorPace(forReaders: demand.rate),
      outlet: RateOutlet(to: demand.feed, transform: gyroscope.transform), display: display)
  }

  /// Starts and ends threads as needed.
  private func settle() {
    let target = target
    switch phase {
    case .idle:
      if let target { start(target) }
    case .sampling(let job, let worker):
      if let target, target.isSame(as: job) { return }
      end(worker)
    case .ending: return  // it reports when it has ended
    }
  }

  private func start(_ job: GyroscopeJob) {
    do throws(SourceError) {
      let worker = try AmbientWorker(loop: loop) { [unowned(unsafe) self] message in
        handle(message)
      } work: { link in
        GyroscopeThread.run(job, for: link)
      }
      phase = .sampling(job, worker)
    } catch {
      // There are no descriptors or threads left. To arm a timer fails only if the loop has ended.
      failed(error)
      _ = try? retry?.arm(afterSeconds: Self.retrySeconds)
    }
  }

  private func end(_ worker: AmbientWorker) {
    phase = .ending(worker)
    worker.stop()
  }

  private func forget() {
    isDelivering = false
    hasFailed = false
  }

  // MARK: What it reports

  private func handle(_ message: AmbientWorker.Message) {
    switch (message, phase) {
    case (.event(.ended), _):
      // The worker is still on its way out of this.
      phase = .idle
      isHanging = false
      settle()
      if isReleased { whenReleased() }
    case (.event(let event), .sampling): handle(event)
    // What a thread reports that is to end is outdated.
    case (.event, .idle), (.event, .ending): break
    case (.watched(let watched), _): threadBecame(watched)
    }
    whenChanged()
  }

  private func handle(_ event: AmbientEvent) {
    switch event {
    case .delivering:
      isDelivering = true
      hasFailed = false
      if failures.shouldLogRecovery() { log.sensorWorksAgain(Self.kind) }
    case .buffered(let error):
      if fallbacks.shouldLog(error, at: .now) { log.sensorIsPolled(Self.kind, because: error) }
    case .failed(let error): failed(error)
    case .found, .reading, .ended: return
    }
  }

  private func failed(_ error: SourceError) {
    isDelivering = false
    hasFailed = true
    // A device that is gone has not failed.
    if case .vanished = error { return }
    if failures.shouldLog(error, at: .now) { log.sensorFails(Self.kind, error) }
  }

  private func threadBecame(_ watched: SamplerWatchdog.State) {
    isHanging = watched == .hung
    let name = gyroscope?.name ?? Self.kind
    switch watched {
    case .hung:
      let failure = SourceError.silent(device: name, seconds: WakeUpEvent.hangLimit)
      if hangs.shouldLog(failure, at: .now) { log.sensorDriverHangs(name) }
    case .responding:
      if hangs.shouldLogRecovery() { log.sensorDriverAnswers(name) }
    }
  }
}
