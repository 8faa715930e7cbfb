// SPDX-License-Identifier: Apache-2.0

import CLinux
package import Orientation

/// The angle of the hinge between two accelerometers, of which the one in the base is polled.
///
/// The gravity of the other one, in the display, comes from the sampler.
package struct BaseAngle: ~Copyable, ValueSource {
  /// How much two angles in a row may differ, in degrees: more means that the hinge, or the person who carries it, is moving.
  private static let steadiness = 10.0
  /// How many readings in a row may contradict the display's: after 5 s, the angle is unknown.
  private static let contradictionLimit = 10

  /// How much two readings in a row may differ if the base is still, as a part of their length: 6 degrees.
  private static let stillness = 0.1
  /// How long gravity can be in the readings, m/s^2: what is shorter may be the offsets of a chip that lies flat and has a dead axis.
  private static let lengths = 0.09 * standardGravity...60 * standardGravity

  private let axes: PolledAxes
  private let settings: OwnSettings
  private let mounting: BaseMounting
  private let display: () -> Acceleration<ScreenFrame>
  private var ticker: Ticker
  private var failures = 0
  private var last: Double?
  private var lastReading = SIMD3<Double>()
  /// How long gravity is in the readings, m/s^2: the scale of some drivers is wrong, and the display's is learned, too.
  private var gravity = standardGravity
  private var contradictions = 0

  /// Opens the accelerometer in the base.
  ///
  /// - Parameters:
  ///   - sensor: the accelerometer.
  ///   - mounting: how it is mounted.
  ///   - neighbour: the program that may have left the buffer enabled; nothing is set while another one uses it.
  ///   - mark: the file that records what is set, as long as it is set; nil writes none.
  ///   - display: reads the gravity in the display; zero if it is not known.
  /// - Throws: ``SourceError``: `vanished`, `missingAttribute`, `malformed`, `permissionDenied`.
  package init(
    _ sensor: AmbientSensor, mounted mounting: BaseMounting, beside neighbour: Neighbour? = nil,
    mark: String? = nil,
    display: @escaping () -> Acceleration<ScreenFrame>
  ) throws(SourceError) {
    let (device, channel) = try sensor.present()
    let settings = OwnSettings(of: device, markPath: mark)
    if TakenBuffer(of: device, beside: neighbour) == nil {
      channel.raiseSamplingFrequency(to: sensor.kind.rate, keeping: settings)
      settings.mark()
    }
    axes = try PolledAxes(of: device)
    self.settings = settings
    self.mounting = mounting
    self.display = display
    ticker = Ticker(rate: sensor.kind.rate, start: .now)
  }

  /// Waits until two readings in a row agree about the angle, or that it cannot be known, which is not a number.
  ///
  /// - Throws: ``SourceError``: `vanished` if the device is gone, or the error for the driver's errno.
  package mutating func next(interruptedBy wakeUp: borrowing WakeUpEvent) throws(SourceError) -> Double? {
    while wakeUp.wait(until: ticker.nextTick) != .signalled {
      defer { ticker.advance(now: .now) }
      do throws(SourceError) {
        let before = last
        last = degrees(with: try axes.acceleration())
        failures = 0
        if let last, let before, isSteady(last, after: before) { return last }
      } catch {
        failures += 1
        guard error.mayPass, failures < PolledValue.patience else { throw error }
      }
    }
    return nil
  }

  private mutating func degrees(with reading: Acceleration<SensorFrame>) -> Double? {
    learnLength(of: reading.vector)
    let base = mounting.transform(Acceleration(reading.vector * (standardGravity / gravity)))
    let estimate = HingeEstimate(display: display(), base: base, laptop: mounting.laptop)
    contradictions = estimate == .contradiction ? contradictions + 1 : 0
    switch estimate {
    case .open(let sine, let cosine): return 180 + atan2(sine, cosine) * 180 / .pi
    // Between the limits, the last mode that was known holds.
    case .closedOrFoldedBack: return 180
    case .axisUpright: return .nan
    case .axisAlmostUpright: return nil
    case .contradiction: return contradictions >= Self.contradictionLimit ? .nan : nil
    }
  }

  /// Takes the length of gravity from readings of a base that is still.
  private mutating func learnLength(of reading: SIMD3<Double>) {
    defer { lastReading = reading }
    let length = reading.length
    guard (reading - lastReading).length <= Self.stillness * length, Self.lengths.contains(length) else {
      return
    }
    gravity = length
  }

  private func isSteady(_ degrees: Double, after before: Double) -> Bool {
    if degrees.isNaN || before.isNaN { return degrees.isNaN && before.isNaN }
    return abs(degrees - before) <= Self.steadiness
  }
}

/// How the accelerometer in the base is mounted, and where the hinge is.
package struct BaseMounting: Equatable, Sendable, BitwiseCopyable {
  /// From the chip's axes to those that the screen has when the hinge is open by 180 degrees.
  package let transform: ScreenTransform
  /// The orientation of the device whose bottom edge has the hinge.
  package let laptop: NaturalOrientation

  /// Creates a mounting.
  package init(transform: ScreenTransform, laptop: NaturalOrientation) {
    self.transform = transform
    self.laptop = laptop
  }
}
