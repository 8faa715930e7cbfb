// SPDX-License-Identifier: Apache-2.0

// Which of a device's channels measures light, proximity or a heading. Drivers name them in several ways: with and without
// a number, with raw counts or with the processed value, for visible light or for all light. For each kind, the first
// channel in the lists below that a device has is used.

import Orientation

/// A channel that measures a quantity other than acceleration, and the attribute that holds its value.
package struct AmbientChannel: Equatable, Sendable {
  /// The quantity that it measures, with its unit.
  package let measure: AmbientMeasure
  /// The id of the channel, such as "illuminance0".
  let id: String
  /// The attribute that holds the value.
  let attribute: Attribute
  /// Whether the device's buffer can deliver it.
  let isScanElement: Bool

  /// The attribute with a channel's value.
  enum Attribute: String, Sendable {
    /// The value in the channel's unit.
    case input
    /// Counts, which must be scaled.
    case raw
  }
}

/// The meaning of a channel's number.
package enum AmbientMeasure: Equatable, Sendable, BitwiseCopyable {
  /// Illuminance, in lux.
  case illuminance
  /// Light, in the chip's own units.
  case intensity
  /// An echo, in the chip's own counts, which are meaningful only in comparison with the near level.
  case proximity(NearLevel)
  /// The angle from north, in degrees.
  case heading
  /// The angle of a hinge, in degrees: 0 if it is closed, 360 if it is folded back; not a number if that is unknown.
  case hingeAngle

  /// The kind of sensor that measures this.
  package var kind: AmbientSensorKind {
    switch self {
    case .illuminance, .intensity: .light
    case .proximity: .proximity
    case .heading: .compass
    case .hingeAngle: .hinge
    }
  }

  /// The reading that a value in the unit of this measure means, after another one; nil if it has no meaning.
  func reading(of value: Double, after before: AmbientReading?) -> AmbientReading? {
    switch self {
    // An offset can make the value of darkness negative.
    case .illuminance: .light(.illuminance(lux: max(value, 0)))
    case .intensity: .light(.intensity(vendorUnits: max(value, 0)))
    case .proximity(let nearLevel):
      .proximity(nearLevel.proximity(at: value, afterNear: before == .proximity(.near)))
    case .heading: CompassHeading(degrees: value).map { .compass($0) }
    case .hingeAngle:
      if case .hinge(let position) = before {
        .hinge(position.moved(to: value))
      } else {
        .hinge(HingePosition().moved(to: value))
      }
    }
  }

  /// The channels of an illuminance, in lux by the kernel's ABI; iio-sensor-proxy uses them in this order too.
  fileprivate static let illuminanceChannels = ["illuminance", "illuminance0", "illuminance_clear"]
  /// The channels of an intensity that means brightness, not one of infrared, ultraviolet or a colour.
  fileprivate static let intensityChannels = [
    "intensity_clear", "intensity0_clear", "intensity_both", "intensity0_both", "intensity", "intensity0",
  ]
  fileprivate static let proximityChannels = ["proximity", "proximity0"]
  /// The channels of a heading: first those that are compensated for the device's tilt.
  ///
  /// Magnetic north is used if both are available: a hub calculates true north from the magnetic one and a declination,
  /// which is wrong if the hub does not know its location.
  fileprivate static let headingChannels = [
    "rot_from_north_magnetic_tilt_comp", "rot_from_north_true_tilt_comp", "rot_from_north_magnetic",
    "rot_from_north_true",
  ]
}

extension IIODevice {
  /// The channels that measure a quantity other than acceleration, one of each kind at most.
  ///
  /// - Parameter udevNearLevel: udev's PROXIMITY_NEAR_LEVEL, which takes precedence over the driver's own.
  /// - Returns: the channels; none for a device of another kind.
  func ambientChannels(udevNearLevel: String?) -> [AmbientChannel] {
    [
      lightChannel, proximityChannel(udevNearLevel: udevNearLevel),
      firstChannel(of: AmbientMeasure.headingChannels, as: .heading, by: [.raw]),
    ]
    .compactMap { $0 }
  }

  private var lightChannel: AmbientChannel? {
    if let channel = firstChannel(of: AmbientMeasure.illuminanceChannels, as: .illuminance) { return channel }
    // A hub has one value for both channels, which HID defines in lux (HID Usage Tables, "Sensors": Light: Illuminance).
    let measure: AmbientMeasure = DriverTrait(ofDevice: name) == .hub ? .illuminance : .intensity
    return firstChannel(of: AmbientMeasure.intensityChannels, as: measure)
  }

  /// Without a near level, it is unknown what is near.
  ///
  /// A person in front of a laptop, whom some hubs report, is not near in this sense either.
  private func proximityChannel(udevNearLevel: String?) -> AmbientChannel? {
    for id in AmbientMeasure.proximityChannels {
      guard let channel = inputChannel(id), channel.has("raw") else { continue }
      let label = (try? channel.attribute("label")) ?? self.label
      guard !servesAntenna(label) else { continue }
      let udev = udevNearLevel.flatMap { finiteNumber($0[...]) }.flatMap { NearLevel(counts: $0) }
      let own = ((try? channel.number("nearlevel")) ?? nil).flatMap { NearLevel(counts: $0) }
      guard let level = udev ?? own else { continue }
      return AmbientChannel(
        measure: .proximity(level), id: id, attribute: .raw, isScanElement: channel.isScanElement)
    }
    return nil
  }

  /// Whether a proximity sensor only serves to lower the power of a transmitter near a body, according to its label
  /// (sysfs-bus-iio: proximity-wifi, proximity-lte, proximity-palmrest and others).
  private func servesAntenna(_ label: String?) -> Bool { label?.hasPrefix("proximity-") ?? false }

  private func firstChannel(
    of ids: [String], as measure: AmbientMeasure, by attributes: [AmbientChannel.Attribute] = [.input, .raw]
  ) -> AmbientChannel? {
    for id in ids {
      guard let channel = inputChannel(id),
        let attribute = attributes.first(where: { channel.has($0.rawValue) })
      else { continue }
      return AmbientChannel(
        measure: measure, id: id, attribute: attribute, isScanElement: channel.isScanElement)
    }
    return nil
  }
}
