// SPDX-License-Identifier: Apache-2.0

// Which way up? Each of the six orientations has an axis of the screen; the one along which most of gravity lies
// is the nearest orientation. Two things keep the answer steady:
//
// Hysteresis in angle. Between two orientations lies a border, the plane midway between their axes. Gravity must
// have turned past it by the hysteresis angle, measured about the axis that both orientations share, before the
// new one counts. For two upright orientations that is the roll of the tablet in the plane of its screen, so the
// band in degrees is the same at every screen elevation. With a and b the components of gravity along the new and the
// old axis, the angle past the border is asin((a - b) / sqrt(2 (a^2 + b^2))), compared here without trigonometry.
//
// Settling. The new orientation must stay the candidate for the settling time. A passing swing or knock does not.

/// Decides the device's orientation from filtered gravity, with hysteresis.
public struct OrientationClassifier: Sendable {
  /// What is announced; unknown until the first sample.
  public private(set) var orientation: DeviceOrientation = .unknown

  private let threshold: Double
  private let settlingSeconds: Double
  private var candidate: DeviceOrientation = .unknown
  private var candidateSince = BootTime(nanoseconds: 0)

  /// Creates a classifier that knows nothing yet.
  ///
  /// - Parameters:
  ///   - hysteresis: how far past the border gravity must turn, 0 to 40 degrees.
  ///   - settlingSeconds: how long the new orientation must hold.
  public init(hysteresis: Angle, settlingSeconds: Double) {
    let sine = hysteresis.sine
    threshold = 2 * sine * sine
    self.settlingSeconds = settlingSeconds
  }

  /// Forgets what was going on; the orientation stays.
  ///
  /// For a filter that starts anew: time that nobody saw must not count as settling.
  public mutating func restart() {
    candidate = orientation
  }

  /// Takes in filtered gravity.
  ///
  /// - Parameters:
  ///   - gravity: the filtered acceleration, m/s^2.
  ///   - time: when its newest sample was taken.
  /// - Returns: the orientation where it changed, else nil.
  @inline(__always)
  public mutating func update(
    gravity: Acceleration<ScreenFrame>, at time: BootTime
  ) -> DeviceOrientation? {
    let nearest = Self.nearest(to: gravity)
    guard nearest != orientation, isPastBorder(to: nearest, gravity: gravity) else {
      candidate = orientation
      return nil
    }
    if candidate != nearest {
      candidate = nearest
      candidateSince = time
    }
    // The first answer need not settle: any orientation is better than none.
    let settled = time.seconds(since: candidateSince) >= settlingSeconds
    guard settled || orientation == .unknown else { return nil }
    orientation = nearest
    return nearest
  }

  private func isPastBorder(to new: DeviceOrientation, gravity: Acceleration<ScreenFrame>) -> Bool {
    guard orientation != .unknown else { return true }
    let newComponent = Self.component(of: gravity, along: new)
    let oldComponent = Self.component(of: gravity, along: orientation)
    let difference = newComponent - oldComponent
    let square = newComponent * newComponent + oldComponent * oldComponent
    return difference > 0 && difference * difference > threshold * square
  }

  /// The orientation along whose axis most of gravity lies.
  private static func nearest(to gravity: Acceleration<ScreenFrame>) -> DeviceOrientation {
    let (x, y, z) = (abs(gravity.x), abs(gravity.y), abs(gravity.z))
    if y >= x && y >= z { return gravity.y > 0 ? .portrait : .portraitUpsideDown }
    if x >= z { return gravity.x > 0 ? .landscapeLeft : .landscapeRight }
    return gravity.z > 0 ? .faceUp : .faceDown
  }

  /// The component of gravity along the axis of an orientation, m/s^2.
  private static func component(
    of gravity: Acceleration<ScreenFrame>, along orientation: DeviceOrientation
  ) -> Double {
    switch orientation {
    case .portrait: gravity.y
    case .portraitUpsideDown: -gravity.y
    case .landscapeLeft: gravity.x
    case .landscapeRight: -gravity.x
    case .faceUp: gravity.z
    case .faceDown: -gravity.z
    case .unknown: 0
    }
  }
}
