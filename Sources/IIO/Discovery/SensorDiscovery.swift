// SPDX-License-Identifier: Apache-2.0

// How a device of a libiio context becomes a SensorDescription. Describing never fails: an attribute that cannot
// be read leaves its field empty, and is an error only once the sensor is opened.

/// Asks udev for what it knows of the device with this syspath; IIO itself knows nothing of udev.
public typealias UdevLookup = (_ sysfsPath: String) -> UdevProperties

/// Who is asked for a description.
public enum DescriptionSource: Sendable {
  /// The kernel, of what it knows itself.
  case kernel
  /// The sensors too. A hub may take seconds to answer.
  case kernelAndSensors
}

extension IIOContext {
  /// Describes every device of the context but triggers.
  ///
  /// - Parameters:
  ///   - source: who is asked.
  ///   - udev: asked for each device of this machine.
  /// - Returns: the devices in libiio's order.
  public func sensors(from source: DescriptionSource = .kernel, udev: UdevLookup) -> [SensorDescription] {
    // One that goes while it is described has lost some of its attributes only, and would pass for another one.
    devices.filter { !$0.isTrigger }.map { describe($0, from: source, udev: udev) }.filter { !$0.isGone }
  }

  /// The device that discovery described; nil where it is gone, also if another one has its number now.
  func device(of sensor: SensorDescription) -> IIODevice? {
    guard !sensor.isGone, let device = device(sensor.id) else { return nil }
    // What there is to tell devices of another machine by, which may have been started anew.
    return device.name == sensor.name && device.label == sensor.label ? device : nil
  }

  /// Describes a device, which may have gone meanwhile.
  func describe(
    _ device: IIODevice, from source: DescriptionSource, udev: UdevLookup
  ) -> SensorDescription {
    var sensor = SensorDescription(id: device.id, name: device.name)
    sensor.label = device.label
    sensor.location = (try? device.attribute("location")) ?? nil
    if location == .local {
      // A device that has no directory any more has got this one: it is gone.
      let path = canonicalPath(device.directory) ?? device.directory
      sensor.sysfsPath = path
      sensor.isRemovable = isPartOfRemovableDevice(path)
      sensor.instance = DeviceInstance(ofSysfsPath: path)
      sensor.udev = sensor.sysfsPath.map(udev) ?? UdevProperties()
    }
    let axes = Axis.allCases.compactMap { device.inputChannel($0.channel) }
    guard axes.count == 3, let x = axes.first else { return sensor }
    sensor.isAccelerometer = true
    sensor.driverMountMatrix = mountMatrix(of: device, channel: x)
    let frequencies = samplingFrequency("sampling_frequency_available", of: device)
    sensor.availableFrequencies = frequencies.map(AvailableFrequencies.init(parsing:)) ?? .unknown
    if case .kernelAndSensors = source {
      sensor.frequency = samplingFrequency("sampling_frequency", of: device).flatMap { finiteNumber($0[...]) }
    }
    guard axes.allSatisfy({ $0.isScanElement }) else { return sensor }
    sensor.buffering = .scanElements(trigger: device.trigger?.name)
    if location == .local {
      sensor.scanFormats = axes.compactMap { try? $0.scanFormatText() }
    }
    return sensor
  }

  /// The driver's mount matrix, which has three spellings.
  private func mountMatrix(of device: IIODevice, channel: IIOChannel) -> String? {
    // in_accel_mount_matrix is an attribute that the accel channels share.
    if let text = try? channel.attribute("mount_matrix") { return text }
    // libiio takes in_mount_matrix, which all channels share, for the attribute "matrix" of a channel "mount".
    if let text = try? device.inputChannel("mount")?.attribute("matrix") { return text }
    return (try? device.attribute("mount_matrix")) ?? nil
  }

  /// An attribute that is the accel channels' in some drivers, and the device's in others.
  private func samplingFrequency(_ attribute: String, of device: IIODevice) -> String? {
    let x = device.inputChannel(Axis.x.channel)
    if let text = try? x?.attribute(attribute) { return text }
    return (try? device.attribute(attribute)) ?? nil
  }
}

/// Whether one of the devices above this one can be unplugged, as the kernel's attribute `removable` says.
///
/// Hubs too: what is soldered into a keyboard leaves with it.
private func isPartOfRemovableDevice(_ sysfsPath: String) -> Bool {
  var ancestor = sysfsPath.utf8[...]
  while let slash = ancestor.lastIndex(of: UInt8(ascii: "/")), slash > ancestor.startIndex {
    ancestor = ancestor[..<slash]
    if firstLine(of: "\(Substring(ancestor))/removable") == "removable" { return true }
  }
  return false
}
