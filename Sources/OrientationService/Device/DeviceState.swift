// SPDX-License-Identifier: Apache-2.0

// What the Device interface says, and how it comes about: a state without a bus and without a sensor, so that every rule
// of DESIGN's section 5 can be tested by itself. The service feeds it with what happens and announces the difference.

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

  /// Whether somebody asks for notifications; else the orientation is unknown, as in UIKit.
  var isGenerating = false

  /// The sensor that is used; nil where there is none.
  private var sensor: MountedSensor?

  /// Its name. (Taken from the sensor where it is asked for, it would crash the optimizer of Swift 6.3.1.)
  private var sensorName: String?

  /// Where the sampler says the device is, whether or not somebody is told.
  private(set) var tracked = OrientationChange(orientation: .unknown, time: BootTime(nanoseconds: 0))

  /// Whether the sampler hangs in the sensor's driver, whatever phase it was in.
  var isHanging = false

  private var phase = Phase.notSampling
  private var demand = Demand.notWanted

  /// The orientation that the rotation lock holds; nil while unlocked.
  private var held: DeviceOrientation?

  /// What clients see.
  var properties: DeviceProperties {
    DeviceProperties(
      orientation: held ?? (isGenerating ? tracked.orientation : .unknown),
      isGenerating: isGenerating,
      sensorName: sensorName,
      sensorStatus: status,
      sampleRate: sampleRate)
  }

  /// The answer to somebody who asks once: what the lock holds, else where the device is.
  var answer: DeviceOrientation {
    guard let held, held != .unknown else { return tracked.orientation }
    return held
  }

  // MARK: What happens

  /// Rotation is locked, so that clients see the present orientation whatever happens, or unlocked.
  mutating func set(_ lock: RotationLock) {
    switch lock {
    case .locked: held = properties.orientation
    case .unlocked: held = nil
    }
  }

  /// Whether samples are wanted.
  enum Demand {
    /// Nobody asks for them.
    case notWanted
    /// Somebody asks, and the machine sleeps: what is known holds until it is awake and the sensor has said more.
    case paused
    /// Somebody asks.
    case wanted
  }

  /// Sampling is wanted from here on, or not any more.
  mutating func sample(_ demand: Demand) {
    guard demand != self.demand else { return }
    if demand == .notWanted || self.demand == .notWanted { forgetOrientation() }
    self.demand = demand
    phase = demand == .wanted ? .starting : .notSampling
  }

  /// The devices were looked through.
  ///
  /// A sensor that takes over from another one has to be opened first. The orientation stays until it decides, as the tablet
  /// has not moved for that; where it cannot decide, it fails.
  mutating func found(_ sensor: MountedSensor?) {
    guard sensor != self.sensor else { return }
    self.sensor = sensor
    sensorName = sensor?.name
    if phase != .notSampling { phase = .starting }
    if sensor == nil { forgetOrientation() }
  }

  /// The sensor delivers.
  mutating func delivering(sampleRate: Double) {
    phase = .active(sampleRate: sampleRate)
  }

  /// The sensor delivers nothing, and another way to read it is tried.
  ///
  /// The orientation stays: a hub may rightly be silent while nothing moves.
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
