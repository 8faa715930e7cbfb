// SPDX-License-Identifier: Apache-2.0

// How a device of a libiio context becomes a SensorDescription. This never fails: if an attribute cannot be read, its field
// stays empty, and an error is thrown only when the sensor is opened.

/// Reads udev's properties of the device with this syspath; the module IIO itself does not use udev.
public typealias UdevLookup = (_ sysfsPath: String) -> UdevProperties

/// What is read for a description.
public enum DescriptionSource: Sendable {
  /// Only what the kernel knows itself.
  case kernel
  /// The sensors are read too. A hub may take seconds to answer.
  case kernelAndSensors
}

extension IIOContext {
  /// Describes every device of the context except triggers.
  ///
  /// - Parameters:
  ///   - source: what is read.
  ///   - udev: called for each device of this machine.
  /// - Returns: the devices in libiio's order.
  public func sensors(from source: DescriptionSource = .kernel, udev: UdevLookup) -> [SensorDescription] {
    // A device that goes away while it is described has lost only some of its attributes, and could be mistaken for another
    // one.
    devices.filter { !$0.isTrigger }.map { describe($0, from: source, udev: udev) }.filter { !$0.isGone }
  }

  /// Describes every gyroscope of the context.
  ///
  /// - Parameter udev: called for each device of this machine that has one.
  /// - Returns: the gyroscopes in libiio's order.
  public func gyroscopes(udev: UdevLookup) -> [SensorDescription] {
    devices.filter { !$0.isTrigger && $0.axes(measuring: .angularVelocity) != nil }
      .map { describe($0, measuring: .angularVelocity, from: .kernel, udev: udev) }.filter { !$0.isGone }
  }

  /// The device that discovery described; nil if it is gone, also if another one has its number now.
  func device(of sensor: SensorDescription) -> IIODevice? {
    guard !sensor.isGone, let device = device(sensor.id) else { return nil }
    // These properties distinguish devices of another machine, which may have been restarted.
    return device.name == sensor.name && device.label == sensor.label ? device : nil
  }

  /// Describes a device, which may have gone away meanwhile.
  ///
  /// - Parameters:
  ///   - device: the device.
  ///   - quantity: whether its accelerometer or its gyroscope is described.
  ///   - source: what is read.
  ///   - udev: called for a device of this machine.
  /// - Returns: the description, without what could not be read.
  func describe(
    _ device: IIODevice, measuring quantity: AxisQuantity = .acceleration, from source: DescriptionSource,
    udev: UdevLookup
  ) -> SensorDescription {
    var sensor = SensorDescription(id: device.id, name: device.name)
    sensor.quantity = quantity
    sensor.label = device.label
    sensor.location = (try? device.attribute("location")) ?? nil
    if location == .local {
      // If the device no longer has a directory, it gets this one, and counts as gone.
      let path = canonicalPath(device.directory) ?? device.directory
      sensor.sysfsPath = path
      sensor.isRemovable = isPartOfRemovableDevice(path)
      sensor.instance = DeviceInstance(ofSysfsPath: path)
      sensor.udev = sensor.sysfsPath.map(udev) ?? UdevProperties()
    }
    sensor.hingeChannel = device.hingeChannel
    guard let axes = device.axes(measuring: quantity), let x = axes.first else { return sensor }
    sensor.isAccelerometer = quantity == .acceleration
    sensor.driverMountMatrix = mountMatrix(of: device, channel: x)
    sensor.availableFrequencies = device.availableFrequencies(of: x)
    if case .kernelAndSensors = source {
      let text = (try? x.attribute("sampling_frequency")) ?? nil
      sensor.frequency = text.flatMap { finiteNumber($0[...]) }
    }
    guard axes.allSatisfy({ $0.isScanElement }) else { return sensor }
    sensor.buffering = .scanElements(trigger: device.trigger?.name)
    if location == .local {
      sensor.scanFormats = axes.compactMap { try? $0.scanFormatText() }
    }
    return sensor
  }

  /// The driver's mount matrix.
  private func mountMatrix(of device: IIODevice, channel: IIOChannel) -> String? {
    // in_accel_mount_matrix is an attribute that the accel channels share, in_anglvel_mount_matrix one of the others.
    if let text = try? channel.attribute("mount_matrix") { return text }
    // libiio treats in_mount_matrix, which all channels share, as the attribute "matrix" of a channel "mount".
    return (try? device.inputChannel("mount")?.attribute("matrix")) ?? nil
  }
}

extension IIODevice {
  /// The channels of a quantity's three axes; nil if one is missing.
  fileprivate func axes(measuring quantity: AxisQuantity) -> [IIOChannel]? {
    let axes = Axis.allCases.compactMap { inputChannel($0.channel(of: quantity)) }
    return axes.count == 3 ? axes : nil
  }
}

/// Whether one of the devices above this one can be unplugged, according to the kernel's attribute `removable`.
///
/// Hubs count too: a sensor that is soldered into a keyboard is unplugged with it.
func isPartOfRemovableDevice(_ sysfsPath: String) -> Bool {
  var ancestor = sysfsPath.utf8[...]
  while let slash = ancestor.lastIndex(of: UInt8(ascii: "/")), slash > ancestor.startIndex {
    ancestor = ancestor[..<slash]
    if firstLine(of: "\(Substring(ancestor))/removable") == "removable" { return true }
  }
  return false
}
