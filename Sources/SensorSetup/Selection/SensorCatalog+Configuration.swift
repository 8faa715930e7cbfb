// SPDX-License-Identifier: Apache-2.0

// The only place where devices are listed, so the daemon and `orientationctl sensors` always agree.

package import IIO
import Systemd

extension SensorCatalog {
  /// Lists the devices for a configuration, and chooses one.
  ///
  /// They are those of this machine, or for `Sensor=ip:HOST` or `iio:URI` those of the other machine. With `Sensor=simulated` and
  /// `replay:FILE`, none is used.
  ///
  /// - Parameters:
  ///   - configuration: the configuration.
  ///   - known: the sensor that is used already, which stays ready.
  ///   - source: what is read to describe the devices.
  /// - Throws: ``SourceError`` if sysfs cannot be read, or the other machine cannot be reached.
  package init(
    for configuration: Configuration, known: SensorDescription? = nil,
    from source: DescriptionSource = .kernel
  ) throws(SourceError) {
    switch configuration.sensor {
    case .automatic:
      try self.init(choosingAmongLocal: nil, known: known, from: source)
    case .named(let name):
      // A path may contain links, such as those of /sys/bus/i2c/devices.
      let path = name.hasPrefix("/sys/") ? canonicalPath(name) : nil
      try self.init(choosingAmongLocal: path ?? name, known: known, from: source)
    case .remote(let address):
      let context = try RemoteContext.open(
        address, timeoutMilliseconds: RemoteContext.openingTimeoutMilliseconds)
      let sensors = context.machine(from: source).sensors(from: source) { _ in UdevProperties() }
      try context.checkAnswers()
      self.init(choosingAmong: sensors)
    case .replay, .simulated:
      // No device matches these.
      try self.init(choosingAmongLocal: configuration.sensor.description, known: known, from: source)
    }
  }

  @inline(never)
  private init(
    choosingAmongLocal wanted: String?, known: SensorDescription?, from source: DescriptionSource
  ) throws(SourceError) {
    let machine = try IIOMachine.local()
    let devices = machine.sensors(from: source) { udevProperties($0, known: known) }
    self.init(
      choosingAmong: devices + inputAccelerometers { udevProperty($0, ofSysfsPath: $1) }, wanted: wanted,
      gyroscopes: devices.compactMap { $0.gyroscope }, refusal: machine.refusal)
  }
}

extension AmbientCatalog {
  /// Lists the sensors of this machine that are ready, and chooses one of each kind.
  ///
  /// - Throws: ``SourceError`` if sysfs cannot be read.
  package static func local() throws(SourceError) -> AmbientCatalog {
    AmbientCatalog(choosingAmong: try IIOMachine.local().ambientSensors { udevProperties($0) })
  }
}

/// What udev knows of a device of this machine, read once; empty if there is no udev.
///
/// - Parameters:
///   - path: the device's directory in sysfs.
///   - known: the sensor that is used already, which stays ready.
/// - Returns: nil if the device is not ready: before udev has applied its rules, a device has neither its permissions nor the mount
///   matrix for the right orientation.
private func udevProperties(_ path: String, known: SensorDescription? = nil) -> UdevProperties? {
  do throws(SystemdError) {
    let device = try UdevDevice(sysfsPath: path)
    // First: once it is set up, what udev knows no longer changes for this handle.
    let isSetUp = try device.isSetUp()
    let properties = UdevProperties(
      mountMatrix: device.value("ACCEL_MOUNT_MATRIX"), location: device.value("ACCEL_LOCATION"),
      proximityNearLevel: device.value("PROXIMITY_NEAR_LEVEL"))
    if isSetUp { return properties }
    // On request, udev forgets a device that is still present (udevadm trigger --action=remove).
    if let known, known.instance == DeviceInstance(ofSysfsPath: path) { return known.udev }
    return UdevDevice.isUdevBusy ? nil : properties
  } catch {
    return UdevProperties()
  }
}

/// A property of a device in udev; nil if it has none, or is gone.
func udevProperty(_ name: String, ofSysfsPath path: String) -> String? {
  do throws(SystemdError) {
    return try UdevDevice(sysfsPath: path).value(name)
  } catch {
    return nil
  }
}

extension UdevDevice {
  /// A property; an empty one revokes the value of another file of the hardware database.
  fileprivate func value(_ name: String) -> String? {
    guard let value = try? property(name), !value.isEmpty else { return nil }
    return value
  }
}
