// SPDX-License-Identifier: Apache-2.0

// How a device becomes a SensorDescription. This never fails: if an attribute cannot be read, its field
// stays empty, and an error is thrown only when the sensor is opened.

import Evdev

/// Reads udev's properties of the device with this syspath, nil if udev is about to set it up; the module IIO itself does not use udev.
package typealias UdevLookup = (_ sysfsPath: String) -> UdevProperties?

extension IIOMachine {
  /// Describes every device as a sensor, without those that udev is about to set up.
  ///
  /// - Parameters:
  ///   - source: what is read.
  ///   - udev: called once for each device of this machine that may be a sensor, for ``DescriptionSource/kernelAndSensors`` for each
  ///     device.
  /// - Returns: the devices in their order.
  package func sensors(from source: DescriptionSource = .kernel, udev: UdevLookup) -> [SensorDescription] {
    // A device that goes away while it is described has lost only some of its attributes, and could be mistaken for another
    // one.
    devices.compactMap { SensorDescription($0, from: source, udev: udev) }.filter { !$0.isGone }
  }
}

extension SensorDescription {
  /// Describes a device, which may have gone away meanwhile, and its accelerometer; nil if udev is about to set it up.
  init?(_ device: IIODevice, from source: DescriptionSource, udev: UdevLookup) {
    self.init(device)
    if device.isLocal {
      // If the device no longer has a directory, it gets this one, and counts as gone.
      let path = canonicalPath(device.directory) ?? device.directory
      sysfsPath = path
      instance = DeviceInstance(ofSysfsPath: path)
      // Where another device is matters only to who is shown it. A phone has dozens: of its batteries, its radio, its temperatures.
      guard source == .kernelAndSensors || device.mayBeSensor else { return }
      isRemovable = isPartOfRemovableDevice(path)
      guard let properties = udev(path) else { return nil }
      self.udev = properties
    }
    location = (try? device.attribute("location")) ?? nil
    describe(device.accelerometer ?? .acceleration, from: source)
  }

  /// The gyroscope that is part of the same device; nil if there is none.
  package var gyroscope: SensorDescription? {
    guard device.axes(measuring: .angularVelocity) != nil else { return nil }
    var gyroscope = SensorDescription(device)
    (gyroscope.location, gyroscope.udev, gyroscope.isRemovable) = (location, udev, isRemovable)
    (gyroscope.sysfsPath, gyroscope.instance) = (sysfsPath, instance)
    gyroscope.describe(.angularVelocity, from: .kernel)
    return gyroscope.isGone ? nil : gyroscope
  }

  /// Describes the part of the device that measures a quantity.
  private mutating func describe(_ quantity: AxisQuantity, from source: DescriptionSource) {
    self.quantity = quantity
    guard let axes = device.axes(measuring: quantity), let x = axes.first else { return }
    isAccelerometer = quantity != .angularVelocity
    driverMountMatrix = (try? x.attribute("mount_matrix")) ?? nil
    availableFrequencies = x.availableFrequencies
    if case .kernelAndSensors = source { frequency = x.samplingFrequency }
    guard device.isLocal, axes.allSatisfy({ $0.isScanElement }) else { return }
    scanFormats = axes.compactMap { try? $0.scanFormatText() }
    guard DriverTrait(ofDevice: name) != .wrongByteOrder else { return }
    buffering = .scanElements(trigger: device.triggerName)
  }

  /// The device, if it is still there.
  ///
  /// - Throws: ``SourceError/vanished(device:)``, also if another device has its number now.
  func presentDevice() throws(SourceError) -> IIODevice {
    guard !isGone else { throw .vanished(device: displayName) }
    return device
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
