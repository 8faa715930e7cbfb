// SPDX-License-Identifier: Apache-2.0

import Orientation

/// The three axes of a sensor of this machine, each read from its own file in sysfs; those of a gyroscope are in rad/s.
@usableFromInline  // for its deinit, as AttributeFile
struct PolledAxes: ~Copyable {
  private let x: PolledAxis
  private let y: PolledAxis
  /// Nil for a sensor without this axis, which reads zero.
  private let z: PolledAxis?

  /// Opens the attributes of a device of this machine.
  ///
  /// - Throws: ``SourceError``: `missingAttribute`, `malformed`, `permissionDenied`.
  init(of device: IIODevice, measuring quantity: AxisQuantity = .acceleration) throws(SourceError) {
    let x = try PolledAxis(.x, of: device, measuring: quantity)
    let y = try PolledAxis(.y, of: device, measuring: quantity)
    let z: PolledAxis? =
      device.lacksZ(measuring: quantity) ? nil : try PolledAxis(.z, of: device, measuring: quantity)
    self.x = x
    self.y = y
    self.z = z
  }

  /// Reads one axis, m/s^2.
  borrowing func acceleration(on axis: Axis) throws(SourceError) -> Double {
    switch axis {
    case .x: try x.acceleration()
    case .y: try y.acceleration()
    case .z: try zAcceleration()
    }
  }

  private borrowing func zAcceleration() throws(SourceError) -> Double {
    switch z {
    case .none: 0
    case .some(let z): try z.acceleration()
    }
  }

  /// Reads all three.
  borrowing func acceleration() throws(SourceError) -> Acceleration<SensorFrame> {
    Acceleration(x: try x.acceleration(), y: try y.acceleration(), z: try zAcceleration())
  }

  /// Reads the two axes with the least gravity, and the third only if those have left the rest; until then, it is the rest's.
  borrowing func acceleration(leaving rest: Rest) throws(SourceError) -> Acceleration<SensorFrame> {
    var reading = rest.acceleration
    let heaviest = rest.heaviestAxis
    if heaviest != .x { reading.x = try x.acceleration() }
    if heaviest != .y { reading.y = try y.acceleration() }
    if heaviest != .z { reading.z = try zAcceleration() }
    guard !rest.holds(reading) else { return reading }
    switch heaviest {
    case .x: reading.x = try x.acceleration()
    case .y: reading.y = try y.acceleration()
    case .z: reading.z = try zAcceleration()
    }
    return reading
  }
}

/// One axis: its attribute, and how to convert its value to m/s^2.
private struct PolledAxis: ~Copyable {
  private let file: AttributeFile
  private let scale: ChannelScale

  init(_ axis: Axis, of device: IIODevice, measuring quantity: AxisQuantity) throws(SourceError) {
    let (channel, attribute, scale) = try device.axis(axis, measuring: quantity)
    let file = try AttributeFile(path: channel.path(of: attribute))
    self.scale = scale
    self.file = file
  }

  borrowing func acceleration() throws(SourceError) -> Double {
    scale.value(raw: try file.number())
  }
}
