// SPDX-License-Identifier: Apache-2.0

import Orientation

extension SensorCatalog {
  /// The gyroscope that turns with the screen; nil if there is none.
  ///
  /// One of the chip or hub of the accelerometer that is used is preferred; then the rules for accelerometers decide.
  public var gyroscope: SensorDescription? {
    if let accelerometer = used?.sensor,
      let gyroscope = preferred(among: gyroscopes.filter { $0.isMountedLike(accelerometer) })
    {
      return gyroscope
    }
    return preferred(among: gyroscopes.filter { $0.preference != .never })
  }

  private func preferred(among sensors: [SensorDescription]) -> SensorDescription? {
    sensors.min { $0.isPreferred(to: $1) }
  }
}

extension SensorDescription {
  /// Whether two sensors of this machine are parts of one IIO device, and share its buffer.
  public func isOfSameDevice(as other: SensorDescription) -> Bool {
    id == other.id && sysfsPath != nil && sysfsPath == other.sysfsPath && instance == other.instance
  }

  /// Whether two sensors of this machine are parts of one chip or HID sensor hub, and so have the same axes.
  public func isMountedLike(_ other: SensorDescription) -> Bool {
    guard let path = sysfsPath, let otherPath = other.sysfsPath else { return false }
    let (chip, otherChip) = (parentDirectory(of: path), parentDirectory(of: otherPath))
    if chip == otherChip { return true }
    // Each sensor of a hub has a folder of its own, in that of the hub.
    guard isOfHub, other.isOfHub else { return false }
    return parentDirectory(of: String(chip)) == parentDirectory(of: String(otherChip))
  }
}
