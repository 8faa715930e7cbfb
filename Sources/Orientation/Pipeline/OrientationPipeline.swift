// SPDX-License-Identifier: Apache-2.0

// How the orientation is decided, on one page.
//
// An accelerometer reads gravity together with the movements of the hand. A low-pass and a dwell time that are fixed must
// compromise: long ones answer late, short ones follow every swing of the arm. Here, the signal itself shows how reliable
// it is. If the device is held still, a new orientation is decided within a twentieth of a second, unless it is close to a
// border; in motion, the decision takes longer.
//
// 1. What is the direction of gravity? `GravityFilter` has a quick low-pass, only as slow as the noise of single samples
//    requires, and a slow one. Their difference is the present motion: a turn, or a shake. The filter steps use the samples' own
//    time stamps (`SampleClock`), so the result depends neither on the rate nor on jitter or lost samples.
//
// 2. Which orientation? Each of the six has an axis of the screen, along which gravity has a component (`OrientationAxis`). Those
//    of the faces count tan(22 degrees), because flat means nearly flat: people hold a tablet on the lap with its screen
//    raised by some 34 degrees, and expect it to turn there. The rival is the orientation with the largest component, except
//    the present one. `Border` computes how far gravity is past the border to the rival and past its band of hysteresis:
//        excess = (rival - present) / sqrt(2) / sqrt(rival^2 + present^2) - sin(hysteresis)
//    It needs no trigonometry. Between two upright orientations, the band and the evidence for an angle are the same at every
//    elevation of the screen.
//
// 3. For how long? `Evidence` sums up excess * time / doubt, never below zero, and four times as fast towards zero. When the
//    sum reaches the need (`Responsiveness`), the rival is the new orientation. A turn clearly past the border is decided at once;
//    a rival that has only just crossed it waits for seconds, because a hand that sways comes back; unless the device lay flat,
//    where nothing sways. The sum is that of all rivals: it is known that the device has left its pose before it is known
//    where it will come to rest.
//
// 4. How certain is it? `Doubt` is 1 at rest. It grows with the present unrest (the filters differ), and more for a
//    device that was turned to and fro in the last seconds (`Handling`):
//        doubt = 1 + unrest / 0.075^2 * (1 + 6 * radians to and fro)
//    A single turn to another pose is not to and fro, and is decided at once; nor are the steps of a person who walks, because
//    only what is across gravity is turning. A swinging arm, tumbling and figures of eight cause much doubt. Because the
//    unrest is a factor, the doubt ends within a tenth of a second of stillness. After a second of stillness, earlier
//    movements are forgotten, and the next turn counts as a single one again.
//
// 5. Is it noise? A chip that hisses looks like a hand that never rests. Twice a second, `NoiseFloor` learns from the sums of
//    the last samples (`BlockSums`) how much of their motion is noise. The path to and fro is shorter by that, and the device
//    counts as still in spite of it.
//
// 6. Is it still right? In motion that lasts, much doubt keeps a wrong orientation alive. But the mean of a long time is
//    gravity, whatever the motion. Twice a second, `SecondOpinion` compares such a mean with the announced orientation, and
//    corrects that after some seconds, whatever the doubt.
//
// A sample whose length cannot be gravity in a hand (`CheckedForce`: below 0.6 g a fall, above 1.5 g a knock or a saturated
// sensor) is clipped and enters the filters, but is not evidence; a sample that is not a number is ignored. If the readings of a
// device that is held still are of another length, that is gravity's in this sensor (`GravityLength`). After a gap of
// more than a second, or when time goes back, everything starts again, but the announced orientation and the noise that was
// learned stay. A rest is not a
// gap: see `RestDetector`.
//
// The first report (`firstImpression`) is the mean since the start, as soon as it is clear, and after half a second in any
// case. It begins and ends with a sample that is evidence: a sensor that does not work never delivers one.
//
// The constants were chosen for the physics on 81 minutes of recordings with a reference gravity: phones in hands, pockets
// and on running arms (the Inria benchmark of attitude estimation with smartphones, Michel et al. 2017; MotionSense,
// Malekzadeh et al. 2019; BROAD, Laidig et al. 2021). `make quality` measures the result, `orientationctl classify --plot`
// shows why it was decided so.

/// A change of the device's orientation.
package struct OrientationChange: Equatable, Sendable, BitwiseCopyable {
  /// The new orientation.
  package let orientation: DeviceOrientation
  /// The time of the sample that decided it.
  package let time: BootTime

  /// Creates a change.
  package init(orientation: DeviceOrientation, time: BootTime) {
    self.orientation = orientation
    self.time = time
  }
}

/// The path of a sample: into the screen's axes, through the filter, to a decision.
///
/// A sample goes in, and a change or nothing comes out. It is a value type without references: it allocates nothing, and a
/// copy is a snapshot.
package struct OrientationPipeline: Sendable {
  private let transform: ForceTransform
  /// The direction of gravity, quick and slow.
  private var filter: GravityFilter
  /// The evidence against the present orientation.
  private var evidence: Evidence

  private let border: Border
  private var present = OrientationAxis(.unknown)
  private var doubt: Doubt
  private var block = BlockSums()
  private var noise = NoiseFloor()
  private var secondOpinion: SecondOpinion
  private var clock = SampleClock()
  /// What has been learned of the sensor's readings, for another pipeline that goes on with them.
  package var length = GravityLength()
  /// Whether no sample since the start could be gravity, and there is no orientation yet.
  private var isSearching = false

  /// The least time that the first report averages over, in seconds: three samples at 25 Hz.
  private static let shortestImpression: Float = 0.1
  /// The time after which the first report is made in any case, in seconds, because the user waits for it.
  private static let longestImpression: Float = 0.5
  /// How clear the first report must be before that: 5 degrees past the border, twice the tilt of a vertical screen that 50 mg
  /// of noise can simulate.
  private static let clearImpression = Border(hysteresis: Angle(degrees: 5))

  /// Creates a pipeline without samples.
  ///
  /// - Parameters:
  ///   - transform: from the chip's axes to the screen's.
  ///   - settings: the angles and times for the decision.
  package init(transform: ScreenTransform, settings: PipelineSettings = PipelineSettings()) {
    self.transform = ForceTransform(transform)
    border = Border(hysteresis: settings.hysteresis)
    filter = GravityFilter(timeConstant: Float(settings.filterTimeConstantSeconds))
    doubt = Doubt(memory: Float(settings.handlingMemorySeconds))
    evidence = Evidence(need: settings.responsiveness.neededEvidence)
    secondOpinion = SecondOpinion(border: border)
  }

  /// The filtered acceleration in the screen's axes, m/s^2; zero before the first sample.
  package var gravity: Acceleration<ScreenFrame> { Acceleration(filter.quick) }

  /// The same for the hot loop: for a call of a nonmutating member, the compiler copies the pipeline.
  package mutating func gravityInPlace() -> Acceleration<ScreenFrame> { gravity }

  /// How many times longer than at rest a decision takes now, at least 1; for diagnosis.
  package var doubtFactor: Double { Double(doubt.factor(gravity: filter.slow)) }

  /// Has the orientation change so readily from now on; it stays, and what there is of evidence is gone.
  package mutating func use(_ responsiveness: Responsiveness) {
    evidence = Evidence(need: responsiveness.neededEvidence)
  }

  /// The evidence against the present orientation, as a fraction of the need; for diagnosis.
  package var evidenceShare: Double { Double(evidence.share) }

  /// Makes an orientation the present one, as if it had just been announced; for the benchmark of wrong states.
  package mutating func assume(_ orientation: DeviceOrientation) {
    _ = announce(OrientationAxis(orientation))
    adopt(present.direction)
  }

  /// Whether the orientation stays the same while the tablet is at rest.
  ///
  /// This is false if the orientation is unknown yet, if there is evidence for another one, or if a border is within the
  /// rest's tolerance; also if the reading is not gravity, which a working sensor does not read for long (``SignsOfLife``).
  package func isSettled(at rest: Rest) -> Bool {
    guard present.orientation != .unknown, evidence.isEmpty, !length.isRough,
      length.isCredible(transform(rest.acceleration).length * length.scale)
    else { return false }
    let own = present.component(of: filter.slow)
    let rival = present.strongestRivalComponent(of: filter.slow, own: own)
    return border.isFar(rival, from: own, reach: Float(rest.reach / standardGravity) * length.scale)
  }

  /// The largest tilt of a tablet that lies flat on a table, as a sine: 8 degrees.
  ///
  /// A cheap chip's offsets are 3 to 4 of these. From there, the screen rises by another 19 degrees before it turns.
  private static let levelSine: Float = 0.139

  /// Whether the tablet lies so flat that its screen must rise much before it can turn.
  package var isLevel: Bool {
    let gravity = filter.slow
    let across = gravity.x * gravity.x + gravity.y * gravity.y
    return present.orientation.isFlat && across <= Self.levelSine * Self.levelSine * gravity.squaredLength
  }

  /// How long gravity is in the sensor's readings, as a multiple of standard gravity, if that was learned since the last call.
  @inline(never)
  package mutating func takeLearnedLength() -> Double? {
    length.takeNews().map { 1 / Double($0) }
  }

  /// Records that the device lay still from the last sample until `time`, without samples in between.
  ///
  /// What fades with time fades as with samples of the present gravity, but a little less, because it is one step. There is
  /// no evidence that could fade.
  package mutating func rest(until time: BootTime) {
    guard let elapsed = clock.skip(to: time) else { return }
    let gravity = filter.slow
    let move = filter.update(with: gravity, elapsed: elapsed)
    doubt.update(with: filter, move: move, noise: noise, elapsed: elapsed)
    adopt(gravity)
  }

  /// Processes a sample.
  ///
  /// - Parameter sample: the next sample, in the chip's own axes.
  /// - Returns: the change that it has decided, or nil.
  package mutating func process(_ sample: Sample<SensorFrame>) -> OrientationChange? {
    guard let reading = CheckedForce(transform(sample.acceleration) * length.scale),
      let orientation = decide(by: reading, at: sample.time)
    else { return nil }
    return OrientationChange(orientation: orientation, time: sample.time)
  }

  /// The orientation if it has changed, otherwise nil.
  @inline(__always)
  private mutating func decide(by reading: CheckedForce, at time: BootTime) -> DeviceOrientation? {
    switch clock.advance(to: time) {
    case .started:
      start(at: reading)
      return nil
    case .repeated: return nil
    case .elapsed(let elapsed):
      guard present.orientation != .unknown else {
        return firstImpression(of: reading, at: time, elapsed: elapsed)
      }
      return update(with: reading, elapsed: elapsed)
    }
  }

  // It is called seldom; if it were inlined, the hot loop would have fewer registers.
  @inline(never)
  private mutating func start(at reading: CheckedForce) {
    filter.start(at: reading.force)
    doubt.start(at: reading.force)
    block.start(at: reading.forceInMean)
    secondOpinion.start()
    evidence.reset()
    // The first report must begin with a sample that shows gravity.
    isSearching = present.orientation == .unknown && !length.isCredible(reading.magnitude)
  }

  @inline(__always)
  private mutating func update(with reading: CheckedForce, elapsed: Float) -> DeviceOrientation? {
    let move = filter.update(with: reading.force, elapsed: elapsed)
    doubt.update(with: filter, move: move, noise: noise, elapsed: elapsed)
    if block.add(reading.forceInMean, elapsed: elapsed), let corrected = completeBlock() { return corrected }
    guard length.isCredible(reading.magnitude) else { return nil }

    let gravity = filter.quick
    let own = present.component(of: gravity)
    let rival = present.strongestRivalComponent(of: gravity, own: own)
    // In most cases, gravity is on this side of every border, and there is no evidence to reduce.
    if rival <= own && evidence.isEmpty { return nil }
    let excess = border.excess(of: rival, over: own)
    return weigh(excess, elapsed: elapsed)
  }

  /// Adds to the evidence, and decides if that suffices.
  // It is called seldom; if it were inlined, the hot loop would have fewer registers.
  @inline(never)
  private mutating func weigh(_ excess: Float, elapsed: Float) -> DeviceOrientation? {
    // A tablet that lies on something does not sway: who raises it wants to see it, even if it rises by 28 degrees only.
    let clear = present.orientation.isFlat ? 0 : border.clearExcess
    guard
      evidence.add(
        excess: excess, clearFrom: clear, elapsed: elapsed, doubt: doubt.factor(gravity: filter.slow))
    else {
      return nil
    }
    adopt(filter.quick)
    return announce(present.strongestRival(of: filter.quick))
  }

  /// Makes the second opinion start from a gravity that is certain.
  private mutating func adopt(_ gravity: Force) {
    block.reset()
    secondOpinion.adopt(gravity)
  }

  /// Learns the noise and the length of gravity, and asks for the second opinion.
  // It is called seldom; if it were inlined, the hot loop would have fewer registers.
  @inline(never)
  private mutating func completeBlock() -> DeviceOrientation? {
    defer { block.reset() }
    if length.learn(from: block, isFirst: isSearching) {
      // The next sample starts everything again.
      clock = SampleClock()
      noise = NoiseFloor()
      return nil
    }
    guard !isSearching else { return nil }
    noise.learn(from: block, through: filter)
    guard let gravity = secondOpinion.add(block, present: present, length: length) else { return nil }
    return announce(present.strongestRival(of: gravity))
  }

  private mutating func announce(_ axis: OrientationAxis) -> DeviceOrientation {
    present = axis
    evidence.reset()
    return axis.orientation
  }

  /// The orientation in the mean of the first samples, when it is clear or the time is over.
  private mutating func firstImpression(
    of reading: CheckedForce, at time: BootTime, elapsed: Float
  ) -> DeviceOrientation? {
    guard !isSearching else {
      if length.isCredible(reading.magnitude) {
        clock = SampleClock()
        _ = clock.advance(to: time)
        start(at: reading)
      } else if block.add(reading.forceInMean, elapsed: elapsed) {
        _ = completeBlock()
      }
      return nil
    }
    let seconds = clock.secondsSinceStart
    let move = filter.update(with: reading.force, elapsed: elapsed, averagingOver: seconds)
    doubt.update(with: filter, move: move, noise: noise, elapsed: elapsed)
    if block.add(reading.forceInMean, elapsed: elapsed) { _ = completeBlock() }
    guard length.isCredible(reading.magnitude), seconds >= Self.shortestImpression else { return nil }
    let nearest = present.strongestRival(of: filter.quick)
    let component = nearest.component(of: filter.quick)
    let second = nearest.strongestRivalComponent(of: filter.quick, own: component)
    let isClear = Self.clearImpression.excess(of: component, over: second) > 0
    guard isClear || seconds >= Self.longestImpression else { return nil }
    return announce(nearest)
  }
}
