// SPDX-License-Identifier: Apache-2.0

// The sensors other than the display's accelerometer: their kinds and their readings.

package import Orientation

/// The kinds of sensor other than the display's accelerometer: each has one value, which changes slowly.
package enum AmbientSensorKind: String, CaseIterable, Sendable {
  /// How bright it is around the device.
  case light
  /// Whether something is close to the screen, such as a head during a phone call.
  case proximity
  /// The compass direction of the device.
  case compass
  /// Whether a convertible is folded to a tablet: the angle of its hinge.
  case hinge

  /// How often a value is read, in hertz.
  ///
  /// A change is noticed after at most one such period.
  ///
  /// The screen's brightness changes over seconds, so half a second of delay is not visible. A phone reaches the ear within
  /// a quarter of a second, and a person with a compass turns as fast. It takes a second to fold a laptop.
  package var rate: Double {
    switch self {
    case .light, .hinge: 2
    case .proximity, .compass: 4
    }
  }

  /// Its name, for display.
  package var name: String {
    switch self {
    case .light: "light sensor"
    case .proximity: "proximity sensor"
    case .compass: "compass"
    case .hinge: "tablet mode sensor"
    }
  }
}

/// A reading of a sensor of one of the ``AmbientSensorKind``s.
package enum AmbientReading: Equatable, Sendable, BitwiseCopyable {
  /// A light sensor's.
  case light(LightLevel)
  /// A proximity sensor's.
  case proximity(Proximity)
  /// A compass's.
  case compass(CompassHeading)
  /// A hinge's.
  case hinge(HingePosition)
}

/// How bright it is, in the unit of the sensor.
package enum LightLevel: Equatable, Sendable, BitwiseCopyable {
  /// What the eye sees, in lux.
  case illuminance(lux: Double)
  /// What the chip receives, in its own units, of which only the order is known: more is brighter.
  ///
  /// The kernel calls such a channel an intensity, "in no particular units" (Documentation/ABI/testing/sysfs-bus-iio).
  case intensity(vendorUnits: Double)

  /// The least difference that is reported, as a fraction of the level: about what an eye notices (Weber's fraction for
  /// brightness is 1 to 2 %), and more than the flicker of lamps on a slow sensor.
  static let leastDifference = 0.02

  /// The number, without its unit.
  package var value: Double {
    switch self {
    case .illuminance(let lux): lux
    case .intensity(let vendorUnits): vendorUnits
    }
  }

  /// Whether the difference from the level reported before is large enough to be reported.
  ///
  /// Sensors deliver whole counts, so near darkness each count is.
  func differs(from other: LightLevel) -> Bool {
    switch (self, other) {
    case (.illuminance, .illuminance), (.intensity, .intensity):
      value != other.value && abs(value - other.value) >= Self.leastDifference * other.value
    case (.illuminance, .intensity), (.intensity, .illuminance): true
    }
  }
}

/// Whether something is close to the screen.
package enum Proximity: Equatable, Sendable, BitwiseCopyable {
  /// Something is near, so the screen is covered.
  case near
  /// Nothing is near.
  case far
}

/// The reading from which on something is near, in the counts of the chip: more is nearer.
package struct NearLevel: Equatable, Sendable, BitwiseCopyable {
  /// How far below the near level a reading must fall to be far, as a fraction of that level.
  ///
  /// A hand that is held still, and the chip's own noise, change the reading by some percent. An infrared echo falls with
  /// the fourth power of the distance, so a tenth means 3 % of the distance.
  static let hysteresis = 0.1

  /// The lowest count that is near.
  package let counts: Double

  /// Creates a near level; nil if it is not above zero, because no reading could be below it.
  package init?(counts: Double) {
    guard counts > 0, counts.isFinite else { return nil }
    self.counts = counts
  }

  /// What a reading means after another one: near at the near level and above; far at least ``hysteresis`` below.
  func proximity(at counts: Double, afterNear wasNear: Bool) -> Proximity {
    let least = wasNear ? self.counts * (1 - Self.hysteresis) : self.counts
    return counts >= least ? .near : .far
  }
}

/// The compass direction of the device: the angle from north to its top, clockwise.
package struct CompassHeading: Equatable, Sendable, BitwiseCopyable {
  /// The least difference that is reported, in degrees: about the noise of a magnetometer.
  static let leastDifference = 1.0

  /// The angle, in degrees: 0 is north and 90 east; at least 0, and less than 360.
  package let degrees: Double

  /// Creates a heading from an angle in degrees, of any number of turns; nil if it is not a finite number.
  package init?(degrees: Double) {
    guard degrees.isFinite else { return nil }
    let rest = degrees.truncatingRemainder(dividingBy: 360)
    let turned = rest < 0 ? rest + 360 : rest
    // A value slightly below zero is rounded up to a whole turn. The sum removes the sign of a zero.
    self.degrees = turned < 360 ? turned + 0 : 0
  }

  /// Whether the difference, in the shorter direction, is large enough to be reported.
  func differs(from other: CompassHeading) -> Bool {
    let difference = abs(degrees - other.degrees)
    return min(difference, 360 - difference) >= Self.leastDifference
  }
}

/// Selects those values of a sensor that clients are notified of.
package struct AmbientChanges: BitwiseCopyable {
  private let measure: AmbientMeasure
  /// The last reading that was reported; nil before the first one.
  ///
  /// Each value is compared with this one, and not with the value before it, so a slow drift is reported too.
  private var reported: AmbientReading?
  /// The last reading of an earlier session, with which the hysteresis goes on.
  private let earlier: AmbientReading?

  /// Starts without a reported value, after the last reading of an earlier session, if there was one.
  package init(of measure: AmbientMeasure, after earlier: AmbientReading? = nil) {
    self.measure = measure
    self.earlier = earlier
  }

  /// Processes a value, in the unit of the measure; returns the reading if it is to be reported.
  package mutating func take(_ value: Double) -> AmbientReading? {
    guard let reading = measure.reading(of: value, after: reported ?? earlier) else { return nil }
    if let reported, !reading.differs(from: reported) { return nil }
    reported = reading
    return reading
  }
}

extension AmbientReading {
  fileprivate func differs(from other: AmbientReading) -> Bool {
    switch (self, other) {
    case (.light(let level), .light(let before)): level.differs(from: before)
    case (.proximity(let proximity), .proximity(let before)): proximity != before
    case (.compass(let heading), .compass(let before)): heading.differs(from: before)
    case (.hinge(let position), .hinge(let before)): position != before
    case (.light, _), (.proximity, _), (.compass, _), (.hinge, _): true
    }
  }
}
