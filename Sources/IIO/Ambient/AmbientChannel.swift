// SPDX-License-Identifier: Apache-2.0

// Which of a device's channels measures light, proximity or a heading. Drivers spell them in several ways: with and
// without a number, with raw counts or with the processed value, for the visible light or for all of it. Of each kind the
// first in the lists below counts that a device has.

/// A channel that measures something else than acceleration, and the attribute that holds its value.
public struct AmbientChannel: Equatable, Sendable {
  /// What it measures.
  public let measure: AmbientMeasure
  /// libiio's id of it, such as "illuminance0".
  let id: String
  /// The attribute that holds the value.
  let attribute: Attribute
  /// Whether the device's buffer can deliver it.
  let isScanElement: Bool

  /// Where a channel has its value.
  enum Attribute: String, Sendable {
    /// The value in the channel's unit.
    case input
    /// Counts, to be scaled.
    case raw
    /// Counts, to be scaled, of a heading that takes into account how the device is tilted.
    ///
    /// libiio 0.24 takes in_rot_from_north_magnetic_tilt_comp_raw for the attribute "tilt_comp_raw" of the channel
    /// "rot_from_north_magnetic", and where it is a scan element for the attribute "raw" of the channel of this id whose
    /// name is "tilt_comp".
    case tiltCompensatedRaw = "tilt_comp_raw"
  }
}

extension AmbientMeasure {
  /// The channels of an illuminance, in lux by the kernel's ABI; the peer takes them in this order too.
  fileprivate static let illuminanceChannels = ["illuminance", "illuminance0", "illuminance_clear"]
  /// The channels of an intensity that stands for brightness, other than one of infrared, ultraviolet or a colour.
  fileprivate static let intensityChannels = [
    "intensity_clear", "intensity0_clear", "intensity_both", "intensity0_both", "intensity", "intensity0",
  ]
  fileprivate static let proximityChannels = ["proximity", "proximity0"]
  /// North is magnetic where both are to be had: the true one is the magnetic one and what a hub that has no idea where it
  /// is takes for the declination.
  fileprivate static let headingChannels = ["rot_from_north_magnetic", "rot_from_north_true"]
}

extension IIODevice {
  /// The drivers of the kernel's HID sensor hubs name their devices so, and no others do.
  ///
  /// Their buffers need no more than the trigger that they come with, and their attributes can be read at the same time.
  static func isHub(name: String?) -> Bool { name == "als" || name == "prox" || name == "magn_3d" }

  /// The channels that measure something else than acceleration, one of each kind at most.
  ///
  /// - Parameter udevNearLevel: udev's PROXIMITY_NEAR_LEVEL, which goes before the driver's own.
  /// - Returns: none for a device of another kind.
  func ambientChannels(udevNearLevel: String?) -> [AmbientChannel] {
    [lightChannel, proximityChannel(udevNearLevel: udevNearLevel), headingChannel].compactMap { $0 }
  }

  private var lightChannel: AmbientChannel? {
    if let channel = firstChannel(of: AmbientMeasure.illuminanceChannels, as: .illuminance) { return channel }
    // A hub has one value for both channels, which HID defines in lux (HID Usage Tables, "Sensors": Light: Illuminance).
    let measure: AmbientMeasure = Self.isHub(name: name) ? .illuminance : .intensity
    return firstChannel(of: AmbientMeasure.intensityChannels, as: measure)
  }

  /// Without a near level there is no telling what near is; nor is a person in front of a laptop, whom some hubs tell of.
  private func proximityChannel(udevNearLevel: String?) -> AmbientChannel? {
    for id in AmbientMeasure.proximityChannels {
      guard let channel = inputChannel(id), channel.has("raw") else { continue }
      let label = ((try? channel.attribute("label")) ?? nil) ?? self.label
      guard !servesAntenna(label) else { continue }
      let udev = udevNearLevel.flatMap { finiteNumber($0[...]) }.flatMap { NearLevel(counts: $0) }
      let own = ((try? channel.number("nearlevel")) ?? nil).flatMap { NearLevel(counts: $0) }
      guard let level = udev ?? own else { continue }
      return AmbientChannel(
        measure: .proximity(level), id: id, attribute: .raw, isScanElement: channel.isScanElement)
    }
    return nil
  }

  /// Whether a proximity sensor is there to lower the power of a transmitter near a body, as its label says
  /// (sysfs-bus-iio: proximity-wifi, proximity-lte, proximity-palmrest and others).
  private func servesAntenna(_ label: String?) -> Bool { label?.hasPrefix("proximity-") ?? false }

  private var headingChannel: AmbientChannel? {
    let channels = AmbientMeasure.headingChannels.compactMap { inputChannel($0) }
    if let channel = channels.first(where: { $0.tiltCompensated != nil })
      ?? channels.first(where: { $0.has("raw") })
    {
      return AmbientChannel(
        measure: .heading, id: channel.id, attribute: channel.tiltCompensated ?? .raw,
        isScanElement: channel.isScanElement && channel.has("raw"))
    }
    return nil
  }

  private func firstChannel(of ids: [String], as measure: AmbientMeasure) -> AmbientChannel? {
    for id in ids {
      guard let channel = inputChannel(id) else { continue }
      guard let attribute = [AmbientChannel.Attribute.input, .raw].first(where: { channel.has($0.rawValue) })
      else { continue }
      return AmbientChannel(
        measure: measure, id: id, attribute: attribute, isScanElement: channel.isScanElement)
    }
    return nil
  }
}

extension IIOChannel {
  /// Where a heading that takes the tilt into account has its counts; nil where the channel has none.
  fileprivate var tiltCompensated: AmbientChannel.Attribute? {
    if name == "tilt_comp", has("raw") { return .raw }
    return has(AmbientChannel.Attribute.tiltCompensatedRaw.rawValue) ? .tiltCompensatedRaw : nil
  }
}
