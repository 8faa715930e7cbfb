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

/// The whole way of a sample: into the screen's axes, through the filter and the classifier.
///
/// Sample in, change or nothing out. A value type without references: it allocates nothing, and a copy is a
/// snapshot. `OrientationClassifier` explains how it decides.
public struct OrientationPipeline: Sendable {
  private let transform: ForceTransform
  private var classifier: OrientationClassifier

  /// Creates a pipeline that has seen nothing yet.
  ///
  /// - Parameters:
  ///   - transform: from the chip's axes to the screen's.
  ///   - settings: the angles and times by which it decides.
  public init(transform: ScreenTransform, settings: PipelineSettings = PipelineSettings()) {
    self.transform = ForceTransform(transform)
    classifier = OrientationClassifier(settings: settings)
  }

  /// The filtered acceleration in the screen's axes, m/s^2; zero before the first sample.
  public var gravity: Acceleration<ScreenFrame> { Acceleration(classifier.filter.quick) }

  /// The same for the hot loop: the compiler copies the pipeline for a call that does not change it.
  public mutating func gravityInPlace() -> Acceleration<ScreenFrame> { gravity }

  /// How many times longer than at rest a decision takes now, from 1 on; for explanations.
  package var doubt: Double { Double(classifier.doubtFactor) }

  /// The evidence for leaving the present orientation, as a share of what is needed; for explanations.
  package var evidence: Double { Double(classifier.evidence.share) }

  /// Whether the orientation stays what it is while the tablet stays at rest.
  ///
  /// It may not where it is unknown yet, where something speaks for another one, or closer to a border than the rest reaches; nor
  /// where what is read is no gravity, which a sensor that works does not read for long (``SignsOfLife``).
  public func isSettled(at rest: Rest) -> Bool {
    rest.acceleration.mayBeGravity && classifier.isSettled(within: Float(rest.reach / standardGravity))
  }

  /// Takes in that the device lay still since the last sample, until `time`, though no samples say so.
  public mutating func rest(until time: BootTime) {
    classifier.rest(until: time)
  }

  /// Takes in a sample.
  ///
  /// - Parameter sample: the next sample, in the chip's own axes.
  /// - Returns: the change that it decided, or nil.
  public mutating func process(_ sample: Sample<SensorFrame>) -> OrientationChange? {
    let force = transform(sample.acceleration)
    guard let orientation = classifier.update(with: force, at: sample.time) else { return nil }
    return OrientationChange(orientation: orientation, time: sample.time)
  }
}
