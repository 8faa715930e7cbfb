// SPDX-License-Identifier: Apache-2.0

// The values of the Device interface, and the rules by which they change: what counts as unknown, what the lock holds, what a lost
// sensor means. The state knows neither bus nor sensor, so that each rule can be tested by itself. The service reports events to it, and
// announces the difference.

import IIO
import Orientation
import SensorSetup

/// The state behind the `org.orientationd1.Device` interface.
struct DeviceState {
  /// How far the present sampling session has come.
  private enum Phase: Equatable {
    case notSampling
    case starting
    case active(sampleRate: Double)
    case silent
    case failed
  }

  /// Whether there are subscribers to notifications; if not, the orientation is unknown, as in UIKit.
  var isGenerating = false

  /// The sensor that is used; nil if there is none.
  private var sensor: MountedSensor?

  /// Its name. (A computed property that returns `sensor?.name` crashes the optimizer of Swift 6.3.1.)
  private var sensorName: String?

  /// What the last look through the devices found doubtful.
  private var scanWarnings: [String] = []

  /// That the scale of the sensor is wrong; nil if that is not known.
  private var scaleWarning: String?

  /// The orientation by the sampler, whether or not clients see it.
  private(set) var tracked = OrientationChange(orientation: .unknown, time: BootTime(nanoseconds: 0))

  /// How the device was held before the service was restarted, and what clients saw; nil if that does not count any more.
  ///
  /// It counts until the sensor decides, as clients know it.
  var beforeRestart: (tracked: DeviceOrientation, shown: DeviceOrientation)?

  /// Whether a convertible is a laptop or a tablet.
  var tabletMode = TabletModeFinding()

  /// How the sensor is mounted; nil if its samples have the screen's axes already.
  var mounting: Mounting?

  /// Whether the sampler hangs in the sensor's driver, whatever phase it was in.
  var isHanging = false

  private var phase = Phase.notSampling
  private var demand = Demand.notWanted

  /// What the rotation lock holds; nil while unlocked, and unknown until the sensor has decided for the first time.
  private var held: OrientationChange?

  /// What subscribers see: what the lock holds, else the device's orientation.
  var shown: OrientationChange { held ?? tracked }

  /// What clients see.
  var properties: DeviceProperties {
    DeviceProperties(
      orientation: isGenerating ? shown.orientation : .unknown,
      isGenerating: isGenerating,
      sensorName: sensorName,
      sensorStatus: status,
      sampleRate: sampleRate,
      sensorWarnings: scanWarnings + (scaleWarning.map { [$0] } ?? []), mounting: mounting,
      tabletMode: tabletMode)
  }

  /// The answer to `MeasureOrientation`, with and without subscribers; unknown until there is one.
  var answer: DeviceOrientation { shown.orientation }

  // MARK: Events

  /// Rotation is locked, so that clients see the present orientation whatever happens, or unlocked.
  mutating func set(_ lock: RotationLock) {
    switch lock {
    case .locked:
      held = beforeRestart.map { OrientationChange(orientation: $0.shown, time: .now) } ?? tracked
    case .unlocked: held = nil
    }
  }

  /// Whether samples are wanted.
  enum Demand {
    /// There are no subscribers.
    case notWanted
    /// There are subscribers, but the machine sleeps: the present values hold until it is awake and the sensor delivers again.
    case paused
    /// There are subscribers.
    case wanted
  }

  /// Sampling is wanted from here on, or not any more.
  mutating func sample(_ demand: Demand) {
    guard demand != self.demand else { return }
    if demand == .notWanted || self.demand == .notWanted { forgetOrientation() }
    if demand == .wanted, let before = beforeRestart {
      tracked = OrientationChange(orientation: before.tracked, time: .now)
    }
    self.demand = demand
    phase = demand == .wanted ? .starting : .notSampling
  }

  /// The devices were looked through.
  ///
  /// A sensor that replaces another one has to be opened first. The orientation holds until the new sensor decides, as the tablet has
  /// not moved. If the new sensor cannot decide, it fails.
  mutating func found(_ sensor: MountedSensor?, warnings: [String] = []) {
    scanWarnings = warnings
    if sensor == nil { forgetOrientation() }
    guard sensor != self.sensor else { return }
    self.sensor = sensor
    scaleWarning = nil
    sensorName = sensor?.name
    if phase != .notSampling { phase = .starting }
  }

  /// Gravity is so many times as long in the sensor's readings as it should be.
  mutating func learned(gravityLength: Double) {
    scaleWarning = sensor?.wrongScale(gravityLength)
  }

  /// The sensor delivers.
  mutating func delivering(sampleRate: Double) {
    phase = .active(sampleRate: sampleRate)
  }

  /// The sensor delivers nothing, and another way to read it is tried.
  ///
  /// The orientation holds: some hubs deliver nothing while the device does not move.
  mutating func fellSilent() {
    phase = .silent
  }

  /// The sensor cannot be opened or read; a lost sensor is a change to unknown.
  mutating func failed(_ error: SourceError) {
    phase =
      switch error {
      case .silent, .noGravity: .silent
      default: .failed
      }
    forgetOrientation()
  }

  /// The sampler decided.
  mutating func changed(_ change: OrientationChange) {
    guard change.orientation != tracked.orientation else { return }
    tracked = change
    // Locked before it was known how the device is held: what is known first is what the lock holds.
    if held?.orientation == .unknown { held = change }
  }

  private mutating func forgetOrientation() {
    changed(OrientationChange(orientation: .unknown, time: .now))
  }

  private var status: SensorStatus {
    guard sensor != nil else { return .absent }
    switch phase {
    case .notSampling: return .idle
    case .starting: return isHanging ? .silent : .starting
    case .active: return isHanging ? .silent : .active
    case .silent: return .silent
    case .failed: return .failed
    }
  }

  private var sampleRate: Double {
    guard sensor != nil, !isHanging, case .active(let sampleRate) = phase else { return 0 }
    return sampleRate
  }
}
