// SPDX-License-Identifier: Apache-2.0

import IIO
import Orientation
import Systemd

/// The sensor of one kind as the main thread sees it: it runs exactly while it is claimed and the machine is awake.
final class AmbientSampler {
  /// The kind.
  let kind: AmbientSensorKind
  /// The sensor that there is of the kind; nil if there is none.
  private(set) var sensor: AmbientSensor?
  /// The last reading of this sensor, also of an earlier session.
  private(set) var lastReading: AmbientReading?

  /// Runs its thread.
  let runner: SensorRunner<AmbientJob>

  /// Called after the state has changed.
  var whenChanged: () -> Void = {}

  private let log: ServiceLog
  private var isClaimed = false
  private var reported = SensorState<AmbientReading>.absent

  /// Creates the sampler of a kind of which no sensor is known yet.
  ///
  /// - Parameters:
  ///   - kind: the kind.
  ///   - loop: the loop of this thread.
  ///   - display: the sampler of the display's accelerometer.
  ///   - log: where messages go.
  init(_ kind: AmbientSensorKind, loop: EventLoop, beside display: SamplerLink, log: ServiceLog) {
    self.kind = kind
    self.log = log
    runner = SensorRunner(kind.name, loop: loop, log: log)
    runner.wanted = { [unowned(unsafe) self] in
      guard isClaimed, let sensor else { return nil }
      return AmbientJob(sensor: sensor, display: display, last: lastReading)
    }
    runner.whenRead = { [unowned(unsafe) self] in lastReading = $0 }
    runner.whenChanged = { [unowned(unsafe) self] in report() }
  }

  /// How the sensor is, and what it says.
  var state: SensorState<AmbientReading> {
    guard sensor != nil else { return .absent }
    guard isClaimed else { return .idle }
    guard !runner.hasFailed else { return .failed }
    guard runner.isDelivering, let lastReading else { return .starting }
    return .active(lastReading)
  }

  /// Has the sensor sampled while this is true.
  func set(isClaimed: Bool) {
    guard isClaimed != self.isClaimed else { return }
    self.isClaimed = isClaimed
    becameAnother()
  }

  /// Takes in which sensor there is.
  func found(_ sensor: AmbientSensor?) {
    guard sensor != self.sensor else { return }
    self.sensor = sensor
    lastReading = nil
    if let sensor { log.sensor(sensor.name, isFoundAs: kind.name) }
    becameAnother()
  }

  private func becameAnother() {
    runner.forget()
    runner.settle()
    report()
  }

  /// Reports a change.
  private func report() {
    let now = state
    guard now != reported else { return }
    reported = now
    whenChanged()
  }
}
