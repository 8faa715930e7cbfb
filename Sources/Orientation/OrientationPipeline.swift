// SPDX-License-Identifier: Apache-2.0

/// A change of the device's orientation.
public struct OrientationChange: Equatable, Sendable, BitwiseCopyable {
  /// The new orientation.
  public let orientation: DeviceOrientation
  /// When the sample that decided it was taken.
  public let time: BootTime

  /// Creates a change.
  public init(orientation: DeviceOrientation, time: BootTime) {
    self.orientation = orientation
    self.time = time
  }
}

/// The angles and times by which the pipeline decides.
public struct PipelineSettings: Equatable, Sendable {
  /// The low-pass filter's time constant, in seconds.
  public var filterTimeConstantSeconds = 0.1
  /// How far past the border between two orientations gravity must turn.
  public var hysteresis = Angle(degrees: 10)
  /// How long a new orientation must hold before it is announced, in seconds.
  public var settlingSeconds = 0.15

  /// The defaults.
  public init() {}
}

/// The whole way of a sample: into the screen's axes, through the low-pass filter and the classifier.
///
/// Sample in, change or nothing out. A value type without references: it allocates nothing, and a copy is a
/// snapshot.
public struct OrientationPipeline: Sendable {
  /// The filtered acceleration in the screen's axes, m/s^2; zero before the first sample.
  public private(set) var gravity = Acceleration<ScreenFrame>(x: 0, y: 0, z: 0)

  /// The squares of the magnitudes, (m/s^2)^2, that gravity and the motion of a hand can have: 0.5 g to 2 g.
  ///
  /// Below, the tablet falls; above, it was knocked. Eight recordings of walking with a phone in the hand (Inria,
  /// attitude estimation with smartphones, 2017) never leave the range. A NaN is in no range.
  private static let credibleSquares =
    (0.25 * standardGravity * standardGravity)...(4 * standardGravity * standardGravity)

  private let transform: ScreenTransform
  private var filter: LowPassFilter
  private var classifier: OrientationClassifier

  /// Creates a pipeline that has seen nothing yet.
  ///
  /// - Parameters:
  ///   - transform: from the chip's axes to the screen's.
  ///   - settings: the angles and times by which it decides.
  public init(transform: ScreenTransform, settings: PipelineSettings = PipelineSettings()) {
    self.transform = transform
    filter = LowPassFilter(timeConstantSeconds: settings.filterTimeConstantSeconds)
    classifier = OrientationClassifier(
      hysteresis: settings.hysteresis, settlingSeconds: settings.settlingSeconds)
  }

  /// Takes in a sample.
  ///
  /// A sample that tells nothing of gravity is passed over: one of a fall, of a knock or of a saturated sensor, or one
  /// that is not a number, as broken drivers deliver now and then.
  ///
  /// - Parameter sample: the next sample, in the chip's own axes.
  /// - Returns: the change that it decided, or nil.
  public mutating func process(_ sample: Sample<SensorFrame>) -> OrientationChange? {
    guard Self.credibleSquares.contains(sample.acceleration.magnitudeSquared) else { return nil }
    let turned = Sample(time: sample.time, acceleration: transform(sample.acceleration))
    if filter.update(with: turned, gravity: &gravity) == .started { classifier.restart() }
    guard let orientation = classifier.update(gravity: gravity, at: sample.time) else { return nil }
    return OrientationChange(orientation: orientation, time: sample.time)
  }
}
