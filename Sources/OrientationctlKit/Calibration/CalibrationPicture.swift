// SPDX-License-Identifier: Apache-2.0

import Orientation
import TabletPicture

/// The picture of a calibration: the pose that is asked for, how far the tablet is from it, and how still it is held.
struct CalibrationPicture {
  /// The tilt from which a pose may be refused, in degrees: half of what two poses together may be off.
  private static let exact = 20.0

  /// The pose that is asked for.
  var pose = CalibrationPose.upright
  /// Whether the user must hold the pose; else take it, and press Enter.
  var isToHold = false
  /// The deviation from the pose; nil before the first reading.
  var deviation: PoseDeviation?
  /// For how much of the necessary time the tablet has been still, 0 to 1.
  var stillness = 0.0
  /// What became of the last pose; empty if there was none.
  var result = ""
  /// Why there are no readings at present; nil if there are.
  var obstacle: String?

  private let natural: NaturalOrientation
  private var tablet: TurningTablet

  /// Creates a picture of the first pose.
  ///
  /// - Parameter natural: the natural orientation of the panel.
  init(natural: NaturalOrientation) {
    self.natural = natural
    tablet = TurningTablet(up: CalibrationPose.upright.up(on: natural))
  }

  /// Moves on towards the pose.
  mutating func advance(seconds: Double) { tablet.turn(pose.up(on: natural), seconds: seconds) }

  /// What is shown.
  var state: PictureState {
    var state = PictureState()
    state.tablet.attitude = tablet.attitude
    // Upright on the panel itself, whatever the desktop does.
    state.tablet.interfaceAngle = QuarterTurn(from: .portrait, to: natural.interface)?.radians
    state.parts = [.field("Pose", pose.name, .strong), .note(pose.request, .plain), tilt]
    let ink = isToHold ? Ink.attention : .gravity
    // A bar that is full looks like approval, which no other pose gets.
    let stillness = isNear ? stillness : 0
    state.parts += [
      .field("Still", isToHold ? "hold it" : stillness < 1 ? "" : "yes", ink),
      .bar(stillness, ink), .level(level),
    ]
    state.message = obstacle ?? result
    if !isToHold { state.keys = [.init(name: "Enter", action: "in this pose")] }
    state.keys.append(.init(name: "q", action: "quit"))
    return state
  }

  /// The deviation, as far as there are readings.
  private var present: PoseDeviation? { obstacle == nil ? deviation : nil }

  /// Whether the tablet may be in the pose, by its tilt.
  private var isNear: Bool { present.map { $0.degrees <= Self.exact } ?? false }

  private var tilt: PictureState.Part {
    guard let present else { return .field("Tilt", "unknown", .plain) }
    let degrees = "\(decimal(present.degrees, places: 0))\u{b0}"
    // How the sensor is mounted is not known yet.
    return .field(
      "Tilt", isNear ? degrees : "\(degrees), too much", isNear ? .gravity : .attention,
      detail: "whichever side is up")
  }

  /// A spirit level whose rim is at 30 degrees.
  private var level: BubbleLevel {
    var level = BubbleLevel(hasBorders: false)
    guard let present else { return level }
    let place = present.sideways * 2
    let length = (place * place).sum().squareRoot()
    let within = length > 1 ? place / length : place
    level.up = SIMD3(within.x, within.y, 1)
    return level
  }
}
