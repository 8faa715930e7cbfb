// SPDX-License-Identifier: Apache-2.0

// How devices become ambient sensors.

extension IIOMachine {
  /// Describes every sensor that measures light, proximity or a heading.
  ///
  /// - Parameter udev: called for each device of this machine.
  /// - Returns: the sensors; at most one of a kind for each device.
  public func ambientSensors(udev: UdevLookup) -> [AmbientSensor] {
    sensors(udev: udev).flatMap { sensor in
      sensor.device.ambientChannels(udevNearLevel: sensor.udev.proximityNearLevel)
        .map { AmbientSensor(device: sensor, channel: $0) }
    }
  }
}
