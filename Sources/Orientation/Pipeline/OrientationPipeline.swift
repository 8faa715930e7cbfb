// SPDX-License-Identifier: Apache-2.0

/// A change of the device's orientation.
public struct OrientationChange: Equatable, Sendable, BitwiseCopyable {
  /// The new orientation.
  public let orientation: DeviceOrientation
  /// The time of the sample that decided it.
  public let time: BootTime

  /// Creates a change.
  public init(orientation: DeviceOrientation, time: BootTime) {
    self.orientation = orientation
    self.time = time
  }
}

/// The path of a sample: into the screen's axes, through the filter and the classifier.
///
/// A sample goes in, and a change or nothing comes out. It is a value type without references: it allocates nothing, and a
/// copy is a snapshot. `OrientationClassifier` explains how it decides.
public struct OrientationPipeline: Sendable {
  private let transform: ForceTransform
  private var classifier: OrientationClassifier

  /// Creates a pipeline without samples.
  ///
  /// - Parameters:
  ///   - transform: from the chip's axes to the screen's.
  ///   - settings: the angles and times for the decision.
  public init(transform: ScreenTransform, settings: PipelineSettings = PipelineSettings()) {
    self.transform = ForceTransform(transform)
    classifier = OrientationClassifier(settings: settings)
  }

  /// The filtered acceleration in the screen's axes, m/s^2; zero before the first sample.
  public var gravity: Acceleration<ScreenFrame> { Acceleration(classifier.filter.quick) }

  /// The same for the hot loop: for a call of a nonmutating member, the compiler copies the pipeline.
  public mutating func gravityInPlace() -> Acceleration<ScreenFrame> { gravity }

  /// How many times longer than at rest a decision takes now, at least 1; for diagnosis.
  package var doubt: Double { Double(classifier.doubtFactor) }

  /// The evidence against the present orientation, as a fraction of the need; for diagnosis.
  package var evidence: Double { Double(classifier.evidence.share) }

  /// Makes an orientation the present one, without evidence against it; for the benchmark of wrong states.
  package mutating func assume(_ orientation: DeviceOrientation) {
    classifier.assume(orientation)
  }

  /// Whether the orientation stays the same while the tablet is at rest.
  ///
  /// This is false if the orientation is unknown yet, if there is evidence for another one, or if a border is within the
  /// rest's tolerance; also if the reading is not gravity, which a working sensor does not read for long (``SignsOfLife``).
  public func isSettled(at rest: Rest) -> Bool {
    classifier.isSettled(at: transform(rest.acceleration), within: Float(rest.reach / standardGravity))
  }

  /// How long gravity is in the sensor's readings, as a multiple of standard gravity, if that was learned since the last call.
  @inline(never)
  public mutating func takeLearnedLength() -> Double? {
    classifier.length.takeNews().map { 1 / Double($0) }
  }

  /// What has been learned of the sensor's readings, for another pipeline that goes on with them.
  public var length: GravityLength {
    get { classifier.length }
    set { classifier.length = newValue }
  }

  /// Records that the device lay still from the last sample until `time`, without samples in between.
  public mutating func rest(until time: BootTime) {
    classifier.rest(until: time)
  }

  /// Processes a sample.
  ///
  /// - Parameter sample: the next sample, in the chip's own axes.
  /// - Returns: the change that it has decided, or nil.
  public mutating func process(_ sample: Sample<SensorFrame>) -> OrientationChange? {
    let force = transform(sample.acceleration)
    guard let orientation = classifier.update(with: force, at: sample.time) else { return nil }
    return OrientationChange(orientation: orientation, time: sample.time)
  }
}
