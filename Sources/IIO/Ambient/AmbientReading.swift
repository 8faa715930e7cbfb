// SPDX-License-Identifier: Apache-2.0

// The sensors beside the accelerometer: which kinds there are, and what they say.

/// The kinds of sensor beside the accelerometer: each tells one number, and slowly.
public enum AmbientSensorKind: String, CaseIterable, Sendable {
  /// How bright it is around the device.
  case light
  /// Whether something is close to the screen, such as a head at a telephone.
  case proximity
  /// Which way the device points.
  case compass

  /// How often a value is asked for, in hertz, and so how long a change goes unseen at most.
  ///
  /// The screen's brightness is faded over seconds, and half a second of delay does not show. A telephone at the ear is
  /// there within a quarter of a second, and so turns who looks at a compass.
  public var rate: Double {
    switch self {
    case .light: 2
    case .proximity, .compass: 4
    }
  }

  /// Its name for people.
  public var name: String {
    switch self {
    case .light: "light sensor"
    case .proximity: "proximity sensor"
    case .compass: "compass"
    }
  }
}

/// What a sensor of one of the ``AmbientSensorKind``s says.
public enum AmbientReading: Equatable, Sendable, BitwiseCopyable {
  /// A light sensor's.
  case light(LightLevel)
  /// A proximity sensor's.
  case proximity(Proximity)
  /// A compass's.
  case compass(CompassHeading)
}

/// How bright it is, in the unit that the sensor knows.
public enum LightLevel: Equatable, Sendable, BitwiseCopyable {
  /// What the eye sees, in lux.
  case illuminance(lux: Double)
  /// What the chip receives, in units of its own: more is brighter, and that is all.
  ///
  /// The kernel calls such a channel an intensity, "in no particular units" (Documentation/ABI/testing/sysfs-bus-iio).
  case intensity(vendorUnits: Double)

  /// The least difference that counts, as a part of the level: about what an eye notices (Weber's fraction for
  /// brightness is 1 to 2 %), and more than what lamps flicker by on a slow sensor.
  static let leastDifference = 0.02

  /// The number, without its unit.
  public var value: Double {
    switch self {
    case .illuminance(let lux): lux
    case .intensity(let vendorUnits): vendorUnits
    }
  }

  /// Whether it differs by as much as is worth telling, from the level told before.
  ///
  /// Sensors give whole counts, so that near darkness each count does.
  func differs(from other: LightLevel) -> Bool {
    switch (self, other) {
    case (.illuminance, .illuminance), (.intensity, .intensity):
      value != other.value && abs(value - other.value) >= Self.leastDifference * other.value
    case (.illuminance, .intensity), (.intensity, .illuminance): true
    }
  }
}

/// Whether something is close to the screen.
public enum Proximity: Equatable, Sendable, BitwiseCopyable {
  /// Something is, so that the screen is covered.
  case near
  /// Nothing is.
  case far
}

/// From which reading on something is near, in the counts of the chip: more is nearer.
public struct NearLevel: Equatable, Sendable, BitwiseCopyable {
  /// How far below the near level a reading has to fall to be far, as a part of it.
  ///
  /// A hand that holds still, and the chip's own noise, move the reading by some percent; an infrared echo falls with the
  /// fourth power of the distance, so that a tenth is a matter of 3 % of that.
  static let hysteresis = 0.1

  /// The least count that is near.
  public let counts: Double

  /// Takes a near level; nil for one that is not above zero, which nothing could be below.
  public init?(counts: Double) {
    guard counts > 0, counts.isFinite else { return nil }
    self.counts = counts
  }

  /// What a reading says.
  ///
  /// - Parameters:
  ///   - counts: the reading.
  ///   - before: what the one before said; nil for the first one.
  /// - Returns: near at the near level and above, and far from ``hysteresis`` below it on.
  func proximity(at counts: Double, after before: Proximity?) -> Proximity {
    let least = before == .near ? self.counts * (1 - Self.hysteresis) : self.counts
    return counts >= least ? .near : .far
  }
}

/// Which way the device points: the angle from north to its top, clockwise.
public struct CompassHeading: Equatable, Sendable, BitwiseCopyable {
  /// The least difference that counts, in degrees: the needle of a magnetometer trembles by as much.
  static let leastDifference = 1.0

  /// The angle, in degrees: 0 is north and 90 east; at least 0, and less than 360.
  public let degrees: Double

  /// Takes an angle in degrees, any number of turns away; nil for what is no number.
  public init?(degrees: Double) {
    guard degrees.isFinite else { return nil }
    let rest = degrees.truncatingRemainder(dividingBy: 360)
    let turned = rest < 0 ? rest + 360 : rest
    // What is next to nothing below zero is rounded up to a whole turn. The sum takes the sign from a zero.
    self.degrees = turned < 360 ? turned + 0 : 0
  }

  /// Whether it differs by as much as is worth telling, on the shorter way round.
  func differs(from other: CompassHeading) -> Bool {
    let difference = abs(degrees - other.degrees)
    return min(difference, 360 - difference) >= Self.leastDifference
  }
}
