// SPDX-License-Identifier: Apache-2.0

// Which way up? All of it on a page.
//
// An accelerometer reads gravity and, mixed with it, whatever the hand does. A fixed low-pass and a fixed dwell must choose:
// long ones answer late, short ones follow every swing of the arm. Here the signal says how far it can be trusted. Held
// still, a new orientation counts within a twentieth of a second; in motion it has to win for longer.
//
// 1. Where is gravity? `GravityFilter`: a quick low-pass, no slower than needed against the noise of single samples,
//    and a slow one. Their difference is the present motion: a turn, or a shake. Filter steps use the samples' own time
//    stamps (`SampleClock`), so the answer depends neither on the rate nor on jitter or lost samples.
//
// 2. Which orientation? Each of the six has an axis of the screen, along which gravity has a component. The rival is the
//    largest component but the present orientation's own. `Border` says how far gravity lies past the border to the rival
//    and past its band of hysteresis:
//        excess = (rival - present) / sqrt(2) - sin(hysteresis) * sqrt(rival^2 + present^2)
//    It needs no trigonometry, and the band in degrees is the same at every elevation of the screen.
//
// 3. For how long? `Evidence` sums up excess * time / doubt, never below zero, and four times as fast towards zero.
//    When the sum reaches what is needed (`Responsiveness`), the rival is the new orientation. A turn that is clear by much
//    is decided at once, one that is clear by little takes its time. The sum is of whatever rival there is: that the
//    device left its pose is known before where it will come to rest is.
//
// 4. How sure is that? `Doubt` is 1 at rest. It grows with the present unrest (`Unrest`: the filters apart, or the
//    sample's length not gravity's), and each time as much for a device that was turned to and fro lately (`Handling`):
//        doubt = 1 + unrest / 0.115^2 * (1 + 16 * radians to and fro)
//    One turn to another pose is no to and fro, and passes at once; in a swinging arm, in tumbling, in figures of eight
//    little is believed. As the unrest is a factor, stillness ends all doubt within a tenth of a second; and who holds it
//    still for a second is done with what was before, so that the next turn is a first one again.
//
// A sample whose length is no mixture of gravity and a hand (`CheckedForce`: below 0.6 g a fall, above 1.5 g a knock, a saturated
// sensor) enters the filters, clipped, but is no evidence; what is no number is passed over. After a gap of more than
// a second, or when time goes back, all starts anew, and what was announced stays. A rest is no gap: see `RestDetector`.
//
// The first report (`firstImpression`) is the mean since the start, as soon as it is clear, and after half a second
// in any case. It begins and ends with a sample that is evidence: a sensor that does not work never reads one.
//
// The constants were tuned for the physics on 81 minutes of recordings with a reference gravity: phones in hands, pockets
// and running arms (the Inria benchmark of attitude estimation with smartphones, Michel et al. 2017; MotionSense, Malekzadeh
// et al. 2019; BROAD, Laidig et al. 2021). `make quality` measures, `make plot` shows why it decided.

/// Decides the device's orientation from samples in the screen's axes.
struct OrientationClassifier {
  /// Where gravity is and was of late.
  private(set) var filter: GravityFilter
  /// What speaks for leaving the present orientation.
  private(set) var evidence: Evidence

  private let border: Border
  private var present = OrientationAxis(.unknown)
  private var doubt: Doubt
  private var clock = SampleClock()

  /// The least time that the first report averages over, in seconds: three samples at 25 Hz.
  private static let shortestImpression: Float = 0.1
  /// The time after which the first report comes in any case, in seconds: a person waits for it.
  private static let longestImpression: Float = 0.5
  /// How clear the first report must be before that: 5 degrees past the border, twice the tilt that 50 mg of noise feign.
  private static let clearImpression = Border(hysteresis: Angle(degrees: 5))

  /// Creates a classifier that knows nothing yet.
  init(settings: PipelineSettings) {
    border = Border(hysteresis: settings.hysteresis)
    filter = GravityFilter(timeConstant: Float(settings.filterTimeConstantSeconds))
    doubt = Doubt(memory: Float(settings.handlingMemorySeconds))
    evidence = Evidence(need: settings.responsiveness.neededEvidence)
  }

  /// What is announced; unknown until the first report.
  var orientation: DeviceOrientation { present.orientation }

  /// How many times longer than at rest a decision takes now.
  var doubtFactor: Float { doubt.factor(gravity: filter.slow) }

  /// Takes in a sample.
  ///
  /// - Parameters:
  ///   - force: what it read.
  ///   - time: when it was taken.
  /// - Returns: the orientation where it changed, else nil.
  @inline(__always)
  mutating func update(with force: Force, at time: BootTime) -> DeviceOrientation? {
    guard let reading = CheckedForce(force) else { return nil }
    switch clock.advance(to: time) {
    case .started:
      start(at: reading)
      return nil
    case .repeated: return nil
    case .elapsed(let elapsed):
      guard orientation != .unknown else { return firstImpression(of: reading, elapsed: elapsed) }
      return update(with: reading, elapsed: elapsed)
    }
  }

  /// Whether no gravity within `reach` of the present one, in units of standard gravity, is evidence for another orientation.
  func isSettled(within reach: Float) -> Bool {
    guard orientation != .unknown, evidence.isEmpty else { return false }
    let own = present.component(of: filter.slow)
    let rival = present.strongestRivalComponent(of: filter.slow, own: own)
    return border.excess(of: rival, over: own) < -border.steepness * reach
  }

  /// Takes in that the device lay still since the last sample, until `time`.
  ///
  /// All that fades with time fades, as if samples of the present gravity had come: a little less, as in one step. There is
  /// no evidence that could.
  mutating func rest(until time: BootTime) {
    guard let elapsed = clock.skip(to: time) else { return }
    let gravity = filter.slow
    let move = filter.update(with: gravity, elapsed: elapsed)
    doubt.update(with: filter, move: move, magnitude: gravity.length, elapsed: elapsed)
  }

  // Seldom; inline it would cost the hot loop registers.
  @inline(never)
  private mutating func start(at reading: CheckedForce) {
    filter.start(at: reading.force)
    doubt.start(at: reading.force)
    evidence.reset()
    // The first report is to begin with a sample that shows gravity.
    if orientation == .unknown && !reading.isCredible { clock = SampleClock() }
  }

  @inline(__always)
  private mutating func update(with reading: CheckedForce, elapsed: Float) -> DeviceOrientation? {
    let move = filter.update(with: reading.force, elapsed: elapsed)
    doubt.update(with: filter, move: move, magnitude: reading.magnitude, elapsed: elapsed)
    guard reading.isCredible else { return nil }

    let gravity = filter.quick
    let own = present.component(of: gravity)
    let rival = present.strongestRivalComponent(of: gravity, own: own)
    // Nearly always gravity lies on this side of every border, and there is no evidence to refute.
    if rival <= own && evidence.isEmpty { return nil }
    let excess = border.excess(of: rival, over: own)
    return weigh(excess, elapsed: elapsed)
  }

  /// Adds to the evidence, and decides if that suffices.
  // Seldom; inline it would cost the hot loop registers.
  @inline(never)
  private mutating func weigh(_ excess: Float, elapsed: Float) -> DeviceOrientation? {
    guard evidence.add(excess: excess, elapsed: elapsed, doubt: doubtFactor) else { return nil }
    return announce(present.strongestRival(of: filter.quick))
  }

  private mutating func announce(_ axis: OrientationAxis) -> DeviceOrientation {
    present = axis
    evidence.reset()
    return axis.orientation
  }

  /// The orientation that the mean of the first samples shows, once it is clear or time is up.
  private mutating func firstImpression(of reading: CheckedForce, elapsed: Float) -> DeviceOrientation? {
    let seconds = clock.secondsSinceStart
    let move = filter.average(with: reading.force, elapsed: elapsed, span: seconds)
    doubt.update(with: filter, move: move, magnitude: reading.magnitude, elapsed: elapsed)
    guard reading.isCredible, seconds >= Self.shortestImpression else { return nil }
    let nearest = present.strongestRival(of: filter.quick)
    let component = nearest.component(of: filter.quick)
    let second = nearest.strongestRivalComponent(of: filter.quick, own: component)
    let isClear = Self.clearImpression.excess(of: component, over: second) > 0
    guard isClear || seconds >= Self.longestImpression else { return nil }
    return announce(nearest)
  }
}
