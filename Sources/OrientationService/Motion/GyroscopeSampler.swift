// SPDX-License-Identifier: Apache-2.0

import IIO
import Orientation
import SensorSetup
import Systemd

/// A gyroscope that has a device of its own, as the main thread sees it: it runs exactly while streams want it and the machine is awake.
final class GyroscopeSampler {
  /// What streams want.
  struct Demand {
    /// Where the samples go.
    let feed: MotionFeed
    /// The shortest interval that a stream wants, as a rate in hertz.
    let rate: Double
  }

  private let whenChanged: () -> Void
  private var runner: SensorRunner<GyroscopeJob>?
  private var gyroscope: MountedGyroscope?
  private var demand: Demand?

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
    self.whenChanged = whenChanged
    runner = SensorRunner(
      "gyroscope", loop: loop, log: log,
      wanted: { [unowned(unsafe) self] in
        guard let gyroscope, let demand else { return nil }
        return GyroscopeJob(
          gyroscope: gyroscope, pace: SensorPace(forReaders: demand.rate),
          outlet: RateOutlet(to: demand.feed, transform: gyroscope.transform), display: display)
      },
      whenChanged: whenChanged, whenReleased: whenReleased)
  }

  /// The state for streams that want it.
  var state: MotionState {
    guard let runner, gyroscope != nil else { return .noSensor }
    if runner.isAsleep { return .suspended }
    if runner.hasFailed { return .failed }
    return runner.isDelivering ? .active : .starting
  }

  /// Whether no thread has it open.
  var isReleased: Bool { runner?.isReleased ?? true }

  /// Takes in which gyroscope there is; nil also if it is part of the accelerometer's device.
  func found(_ gyroscope: MountedGyroscope?) {
    guard gyroscope != self.gyroscope else { return }
    self.gyroscope = gyroscope
    runner?.forget()
    runner?.settle()
  }

  /// Takes in what streams want; nil if no stream wants the gyroscope.
  func want(_ demand: Demand?) {
    if demand == nil { runner?.forget() }
    self.demand = demand
    runner?.settle()
  }

  /// Takes in that the machine goes to sleep, or is awake again.
  func machine(is phase: MachineSleep.Phase) {
    runner?.forget()
    runner?.machine(is: phase)
    whenChanged()
  }

  /// Makes the thread end, for the end of the process.
  func end() { runner?.end() }

  /// Waits until the thread has ended; whether it did in time.
  func waitForEnd(until deadline: BootTime) -> Bool { runner?.waitForEnd(until: deadline) ?? true }
}
