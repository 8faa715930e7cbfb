// SPDX-License-Identifier: Apache-2.0

import DaemonClient
import Glibc
import Orientation
import TabletPicture

/// The picture of what the daemon reports: it moves from one state to the next in the time that it is given.
struct MonitorPicture {
  /// What is known of gravity.
  enum Gravity: Equatable {
    /// The daemon has not been asked, or has no sensor that works.
    case unknown
    /// This user may not read it.
    case forbidden
    /// m/s^2, in the screen's axes.
    case known(Acceleration<ScreenFrame>)

    /// Whether this is another state, or a component has another value.
    ///
    /// - Parameters:
    ///   - other: what to compare with.
    ///   - least: the least difference of a component that counts, in m/s^2.
    /// - Returns: whether it differs.
    func differs(from other: Gravity, by least: Double) -> Bool {
      guard case .known(let mine) = self, case .known(let others) = other else { return self != other }
      let difference = mine.vector - others.vector
      return max(difference.max(), -difference.min()) > least
    }
  }

  /// The sensor.
  var device = DeviceSnapshot()
  /// The orientation that the daemon has announced.
  var orientation = DeviceOrientation.unknown {
    didSet { if orientation != oldValue { previous = oldValue } }
  }
  /// The interface and the lock; nil while no daemon answers.
  var screen: ScreenSnapshot?
  /// The filtered gravity.
  var gravity = Gravity.unknown
  /// What the user must know now.
  var message = ""
  /// Whether keys can be typed.
  var hasKeys = true

  private let hysteresis: Angle
  private var tablet = TurningTablet(up: SIMD3(0, 1, 0))
  private var interface = Spring(at: SIMD2(0.0, 0), stiffness: 14)
  /// The side of the borders on which gravity is; under the lock, the announced orientation does not show this.
  private var pose = DeviceOrientation.unknown
  /// The orientation before the announced one.
  private var previous = DeviceOrientation.unknown
  private var shownDegrees = 0.0

  /// Creates a picture before anything is known.
  ///
  /// - Parameter hysteresis: the band along the borders, as the daemon is configured.
  init(hysteresis: Angle) { self.hysteresis = hysteresis }

  // MARK: Motion

  /// Whether the picture changes with time now.
  var isMoving: Bool {
    !tablet.isAtRest(at: upTarget) || !interface.isAtRest(at: SIMD2(interfaceTarget, 0))
  }

  /// Moves on.
  mutating func advance(seconds: Double) {
    tablet.turn(upTarget, seconds: seconds)
    interface.follow(SIMD2(interfaceTarget, 0), seconds: seconds)
    trackPose()
  }

  /// Shows the present state at once, without motion.
  mutating func settle() {
    tablet = TurningTablet(up: upTarget)
    interface = Spring(at: SIMD2(interfaceTarget, 0), stiffness: 14)
    trackPose()
  }

  /// The direction that is up, of length one.
  private var upTarget: SIMD3<Double> {
    if case .known(let gravity) = gravity {
      let vector = gravity.vector
      if vector.length > 0.1 { return vector / vector.length }
    }
    return orientation.up ?? tablet.up
  }

  /// The angle of the interface that is nearest to the present one.
  private var interfaceTarget: Double {
    guard let turn = screen.flatMap({ QuarterTurn(from: .portrait, to: $0.orientation) }) else {
      return interface.value.x
    }
    let turns = ((interface.value.x - turn.radians) / (2 * .pi)).rounded()
    return turn.radians + turns * 2 * .pi
  }

  // MARK: Borders

  private var smoothGravity: Acceleration<ScreenFrame>? {
    guard case .known = gravity else { return nil }
    return Acceleration(tablet.up * standardGravity)
  }

  private var border: NearestBorder? {
    smoothGravity.flatMap { NearestBorder.ofNextTurn(from: pose, gravity: $0, hysteresis: hysteresis) }
  }

  private mutating func trackPose() {
    if screen?.lock != .locked || pose == .unknown { pose = orientation }
    guard let border else { return }
    if !border.isCrossed { previous = .unknown }
    if screen?.lock == .locked, border.isCrossed { pose = border.rival }
    // So that noise does not make the number change to and fro.
    let degrees = self.border?.degreesLeft ?? 0
    if abs(degrees - shownDegrees) > 0.8 { shownDegrees = degrees.rounded() }
  }

  // MARK: State

  /// What is shown.
  var state: PictureState {
    var state = PictureState()
    state.tablet.attitude = tablet.attitude
    state.tablet.isKnown = screen != nil && (orientation != .unknown || smoothGravity != nil)
    // Upright letters on a tablet whose pose is not known would say too much.
    state.tablet.interfaceAngle = state.tablet.isKnown ? interface.value.x : nil
    state.parts = deviceParts + borderParts + sensorParts
    state.message = message
    if hasKeys {
      state.keys = [.init(name: "q", action: "quit")]
      // Without a daemon, they do nothing.
      if let screen {
        let arrows = "\u{2190} \u{2192} \u{2191} \u{2193}"
        state.keys += [
          .init(name: "l", action: screen.lock == .locked ? "unlock" : "lock"),
          .init(name: arrows, action: "rotate"),
        ]
      }
    }
    return state
  }

  private var deviceParts: [PictureState.Part] {
    guard let screen else {
      return [.field("Device", "unknown", .strong), .field("Interface", "unknown", .plain)]
    }
    let isHeld = screen.lock == .locked && pose != orientation && pose != .unknown
    return [
      isHeld
        ? .field("Device", pose.name, .strong, detail: "announced: \(orientation.name)")
        : .field("Device", orientation.name, .strong, detail: orientation.meaning ?? ""),
      .field("Interface", screen.orientation.name, .interface, detail: "transform \(screen.transform)"),
      screen.lock == .locked
        ? .field("Rotation", "locked", .attention) : .field("Rotation", "unlocked", .plain),
    ]
  }

  private var borderParts: [PictureState.Part] {
    switch gravity {
    case .forbidden:
      return [
        .field("Gravity", "no permission", .plain, detail: "see orientationd(8)"), .level(BubbleLevel()),
      ]
    case .unknown: return [.field("Next turn", "unknown", .plain), .level(BubbleLevel())]
    case .known: break
    }
    let level = PictureState.Part.level(BubbleLevel(up: tablet.up))
    guard let border else { return [.field("Next turn", "unknown", .plain), level] }
    let ink = shownDegrees < 10 ? Ink.attention : .gravity
    // Gravity comes later than announcements, so right after one it still is on the other side.
    let isPassed = border.isCrossed && border.rival != previous
    let value = isPassed ? "passed" : "\(decimal(max(shownDegrees, 0), places: 0))\u{b0}"
    return [
      .field("Next turn", value, ink, detail: "to \(border.rival.name)"),
      .bar(1 - shownDegrees / border.degreesOfTurn, ink), level,
    ]
  }

  private var sensorParts: [PictureState.Part] {
    guard device.hasAccelerometer else {
      guard screen != nil else { return [.field("Sensor", "unknown", .plain)] }
      return [.field("Sensor", "none", .attention), .note("orientationctl sensors says more", .plain)]
    }
    return [
      .field("Sensor", device.sensorName, .plain),
      .field("Rate", rate, .plain),
    ]
  }

  /// The rate, unless it was 0 when it was read, and the status.
  private var rate: String {
    let status = device.sensorStatus
    return device.sampleRate > 0 ? "\(shortDecimal(device.sampleRate)) Hz, \(status)" : status
  }
}
