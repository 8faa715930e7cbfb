// SPDX-License-Identifier: Apache-2.0

import IIO
import Orientation
import Systemd

/// The sensor of one kind as the main thread sees it: it runs exactly while it is claimed and the machine is awake.
///
/// There is one thread at a time: if it is to sample another sensor, or the same one anew, the one before ends first.
final class AmbientSampler {
  private enum Phase {
    /// There is no thread.
    case idle
    /// A thread samples this sensor.
    case sampling(AmbientSensor, AmbientWorker)
    /// A thread is to end.
    case ending(AmbientWorker)
  }

  /// The kind.
  let kind: AmbientSensorKind
  /// The sensor that there is of the kind; nil if there is none.
  private(set) var sensor: AmbientSensor?

  private let loop: EventLoopReference
  private let display: SamplerLink
  private let log: ServiceLog
  private let whenChanged: () -> Void
  private let whenReleased: () -> Void
  private var phase = Phase.idle
  private var isClaimed = false
  private var isAsleep = false
  private var isHanging = false
  private var hasFailed = false
  private var reading: AmbientReading?
  /// The last reading of this sensor, also of an earlier session.
  private(set) var lastReading: AmbientReading?
  private var reported = SensorState<AmbientReading>.absent
  private var failures = FailureLimiter<SourceError>()
  private var fallbacks = FailureLimiter<SourceError>()
  private var hangs = FailureLimiter<SourceError>()

  /// Creates the sampler of a kind of which no sensor is known yet.
  ///
  /// - Parameters:
  ///   - kind: the kind.
  ///   - loop: the loop of this thread.
  ///   - display: the sampler of the display's accelerometer.
  ///   - log: where messages go.
  ///   - whenChanged: called after the state has changed.
  ///   - whenReleased: called after the sensor was closed, and is not to be opened anew.
  init(
    _ kind: AmbientSensorKind, loop: consuming EventLoopReference, beside display: SamplerLink,
    log: ServiceLog,
    whenChanged: @escaping () -> Void, whenReleased: @escaping () -> Void
  ) {
    self.kind = kind
    self.loop = loop
    self.display = display
    self.log = log
    self.whenChanged = whenChanged
    self.whenReleased = whenReleased
  }

  /// How the sensor is, and what it says.
  var state: SensorState<AmbientReading> {
    guard sensor != nil else { return .absent }
    guard isClaimed else { return .idle }
    guard !isHanging, !hasFailed else { return .failed }
    return reading.map { .active($0) } ?? .starting
  }

  /// Whether no thread has a sensor open.
  var isReleased: Bool {
    if case .idle = phase { true } else { false }
  }

  /// Has the sensor sampled while this is true.
  func set(isClaimed: Bool) {
    guard isClaimed != self.isClaimed else { return }
    self.isClaimed = isClaimed
    forget()
    settle()
    report()
  }

  /// Takes in which sensor there is.
  func found(_ sensor: AmbientSensor?) {
    guard sensor != self.sensor else { return }
    self.sensor = sensor
    lastReading = nil
    forget()
    if let sensor { log.sensor(sensor.name, isFoundAs: kind.name) }
    settle()
    report()
  }

  /// Takes in that the machine goes to sleep, or is awake again.
  func machine(is phase: MachineSleep.Phase) {
    isAsleep = phase == .asleep
    // If logind did not announce the sleep, the sensor may have lost its settings meanwhile.
    if !isAsleep, case .sampling(_, let worker) = self.phase { end(worker) }
    settle()
  }

  /// Has the thread end, for the end of the process.
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

  /// Starts and ends threads as it takes.
  private func settle() {
    let target = isClaimed && !isAsleep ? sensor : nil
    switch phase {
    case .idle:
      if let target { start(target) }
    case .sampling(let sensor, let worker):
      if sensor != target { end(worker) }
    case .ending: return  // it reports when it has ended
    }
  }

  private func start(_ sensor: AmbientSensor) {
    do throws(SourceError) {
      let job = AmbientJob.sample(sensor, beside: display, after: lastReading)
      let worker = try AmbientWorker(job, loop: loop) { [unowned(unsafe) self] in handle($0) }
      phase = .sampling(sensor, worker)
    } catch {
      // There are no descriptors or threads to be had: the next claim, device or sleep tries again.
      failed(error)
    }
  }

  private func end(_ worker: AmbientWorker) {
    phase = .ending(worker)
    worker.stop()
  }

  private func forget() {
    reading = nil
    hasFailed = false
  }

  // MARK: What it says

  private func handle(_ message: AmbientWorker.Message) {
    switch (message, phase) {
    case (.event(.ended), _):
      // The worker is still on its way out of this.
      phase = .idle
      isHanging = false
      settle()
      if isReleased { whenReleased() }
    case (.event(let event), .sampling): handle(event)
    // What a thread reports that is to end is out of date.
    case (.event, .idle), (.event, .ending): break
    case (.watched(let watched), _): threadBecame(watched)
    }
    report()
  }

  private func handle(_ event: AmbientEvent) {
    switch event {
    case .reading(let reading):
      self.reading = reading
      lastReading = reading
      hasFailed = false
      if failures.shouldLogRecovery() { log.sensorWorksAgain(kind.name) }
    case .buffered(let error):
      if fallbacks.shouldLog(error, at: .now) { log.sensorIsPolled(kind.name, because: error) }
    case .failed(let error): failed(error)
    case .found, .delivering, .ended: return
    }
  }

  private func failed(_ error: SourceError) {
    reading = nil
    hasFailed = true
    // A device that is gone has not failed.
    if case .vanished = error { return }
    if failures.shouldLog(error, at: .now) { log.sensorFails(kind.name, error) }
  }

  private func threadBecame(_ watched: SamplerWatchdog.State) {
    isHanging = watched == .hung
    let name = sensor?.name ?? kind.name
    switch watched {
    case .hung:
      let failure = SourceError.silent(device: name, seconds: WakeUpEvent.hangLimit)
      if hangs.shouldLog(failure, at: .now) { log.sensorDriverHangs(name) }
    case .responding:
      if hangs.shouldLogRecovery() { log.sensorDriverAnswers(name) }
    }
  }

  /// Reports a change.
  private func report() {
    let now = state
    guard now != reported else { return }
    reported = now
    whenChanged()
  }
}
