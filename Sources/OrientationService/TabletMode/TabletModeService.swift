// SPDX-License-Identifier: Apache-2.0

// Whether a convertible is a laptop or a tablet now. If it has a switch for that, the switch is right: the firmware knows
// its hinge and its dock. Without one, the angle of the hinge shows it. It is sampled only while notifications are generated, as
// that costs power; in between, the mode is the last one that was known.

import IIO
import Orientation
import SensorSetup
import Systemd

/// Derives the mode of a convertible from its switches or its sensors.
final class TabletModeService: DeviceObserver, ServicePart, SleepObserver {
  private let device: DeviceService
  private let whenChanged: (TabletModeFinding) -> Void
  private let sampler: AmbientSampler
  /// The mode by the switches; unknown if there is none.
  private var switched = TabletMode.unknown
  private var reported = TabletModeFinding()

  /// Starts to observe the device, and the machine's sleep.
  ///
  /// - Parameters:
  ///   - connection: the loop of this thread.
  ///   - device: the device half, which finds the sensor, and knows when it is needed.
  ///   - sleep: the machine's sleep, during which no sensor is open.
  ///   - link: the sampler, which has the gravity in the display.
  ///   - log: where messages go.
  ///   - whenChanged: called when the mode or its source has changed.
  init(
    connection: Connection, device: DeviceService, sleep: MachineSleep, link: SamplerLink, log: ServiceLog,
    whenChanged: @escaping (TabletModeFinding) -> Void
  ) {
    (self.device, self.whenChanged) = (device, whenChanged)
    sampler = AmbientSampler(.hinge, loop: connection.loop, beside: link, log: log)
    sampler.whenChanged = { [unowned(unsafe) self] in report() }
    sampler.runner.whenReleased = { [unowned(unsafe) sleep] in sleep.released() }
    device.add(self)
    sleep.add(self)
  }

  /// The switches have this position now; unknown if there is none.
  func switched(to mode: TabletMode) {
    switched = mode
    settle()
  }

  func devicesFound(_ scan: SensorScan) {
    sampler.found(scan.hinge)
    report()
  }

  func deviceAnnounced() { settle() }

  /// Samples exactly while there are subscribers, and no switch.
  private func settle() {
    sampler.set(isClaimed: switched == .unknown && device.properties.isGenerating)
    report()
  }

  private func report() {
    let now = finding
    guard now != reported else { return }
    reported = now
    whenChanged(now)
  }

  private var finding: TabletModeFinding {
    guard switched == .unknown else { return TabletModeFinding(switched, from: .switch) }
    guard let sensor = sampler.sensor else { return TabletModeFinding() }
    guard case .hinge(let position) = sampler.lastReading, works(sensor, sampler.state) else {
      return TabletModeFinding(.unknown, from: sensor.tabletModeSource)
    }
    return TabletModeFinding(position.mode, from: sensor.tabletModeSource)
  }

  /// Whether the sensor can be read, and with an accelerometer in the base, the one in the display too.
  private func works(_ sensor: AmbientSensor, _ state: SensorState<AmbientReading>) -> Bool {
    if state == .failed { return false }
    let status = device.properties.sensorStatus
    return sensor.base == nil || (status != .failed && status != .silent)
  }

  // MARK: Sleep and end

  var isReleased: Bool { sampler.runner.isReleased }

  func machine(is phase: MachineSleep.Phase) { sampler.runner.machine(is: phase) }

  func requestStop() { sampler.runner.end() }

  func waitForEnd(until deadline: BootTime) -> Bool { sampler.runner.waitForEnd(until: deadline) }
}
