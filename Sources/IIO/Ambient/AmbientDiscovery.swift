// SPDX-License-Identifier: Apache-2.0

// How the devices of a libiio context become ambient sensors.

extension IIOContext {
  /// Describes every sensor of this machine that measures light, proximity or a heading.
  ///
  /// - Parameter udev: called for each device.
  /// - Returns: the sensors; at most one of a kind for each device.
  /// - Throws: ``SourceError`` if sysfs cannot be read.
  public static func localAmbientSensors(udev: UdevLookup) throws(SourceError) -> [AmbientSensor] {
    guard let context = try local() else { return [] }
    return context.ambientSensors(udev: udev)
  }

  /// Describes every sensor of the context that measures light, proximity or a heading.
  func ambientSensors(udev: UdevLookup) -> [AmbientSensor] {
    devices.filter { !$0.isTrigger }.flatMap { device in
      let description = describe(device, from: .kernel, udev: udev)
      let channels = device.ambientChannels(udevNearLevel: description.udev.proximityNearLevel)
      return description.isGone ? [] : channels.map { AmbientSensor(device: description, channel: $0) }
    }
  }
}
