// SPDX-License-Identifier: Apache-2.0

import Orientation

/// The three axes of a sensor of this machine, each read from its own file in sysfs; those of a gyroscope are in rad/s.
@usableFromInline  // for its deinit, as AttributeFile
struct PolledAxes: ~Copyable {
  private let x: PolledAxis
  private let y: PolledAxis
  private let z: PolledAxis

  /// Opens the attributes.
  ///
  /// - Parameters:
  ///   - device: a device of this machine.
  ///   - quantity: what the axes measure.
  /// - Throws: ``SourceError``: `missingAttribute`, `malformed`, `permissionDenied`.
  init(of device: IIODevice, measuring quantity: AxisQuantity = .acceleration) throws(SourceError) {
    let x = try PolledAxis(Axis.x.channel(of: quantity), of: device)
    let y = try PolledAxis(Axis.y.channel(of: quantity), of: device)
    let z = try PolledAxis(Axis.z.channel(of: quantity), of: device)
    self.x = x
    self.y = y
    self.z = z
  }

  /// Reads one axis, m/s^2.
  borrowing func acceleration(on axis: Rest.Axis) throws(SourceError) -> Double {
    switch axis {
    case .x: try x.acceleration()
    case .y: try y.acceleration()
    case .z: try z.acceleration()
    }
  }

  /// Reads all three.
  borrowing func acceleration() throws(SourceError) -> Acceleration<SensorFrame> {
    Acceleration(x: try x.acceleration(), y: try y.acceleration(), z: try z.acceleration())
  }

  /// Reads the two axes with the least gravity, and the third only if those have left the rest.
  ///
  /// - Returns: the reading off the rest; nil at rest.
  borrowing func acceleration(leaving rest: Rest) throws(SourceError) -> Acceleration<SensorFrame>? {
    var reading = rest.acceleration
    let heaviest = rest.heaviestAxis
    if heaviest != .x { reading.x = try x.acceleration() }
    if heaviest != .y { reading.y = try y.acceleration() }
    if heaviest != .z { reading.z = try z.acceleration() }
    guard !rest.holds(reading) else { return nil }
    switch heaviest {
    case .x: reading.x = try x.acceleration()
    case .y: reading.y = try y.acceleration()
    case .z: reading.z = try z.acceleration()
    }
    return reading
  }
}

/// One axis: its attribute, and how to convert its value to m/s^2.
private struct PolledAxis: ~Copyable {
  private let file: AttributeFile
  private let scale: ChannelScale

  init(_ id: String, of device: IIODevice) throws(SourceError) {
    guard let channel = device.inputChannel(id) else {
      throw .missingAttribute(path: "\(device.directory)/in_\(id)_raw")
    }
    let isProcessed = !channel.has("raw") && channel.has("input")
    let scale = isProcessed ? ChannelScale.processed : try channel.scale()
    let file = try AttributeFile(path: channel.path(of: isProcessed ? "input" : "raw"))
    self.scale = scale
    self.file = file
  }

  borrowing func acceleration() throws(SourceError) -> Double {
    scale.acceleration(raw: try file.number())
  }
}
