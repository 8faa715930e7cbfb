// SPDX-License-Identifier: Apache-2.0

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
