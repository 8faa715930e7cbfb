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
    let devices = ready(machine.sensors(from: source, udev: udevProperties), known: known)
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
    let sensors = try IIOMachine.local().ambientSensors { path in
      UdevProperties(
        location: udevProperty("ACCEL_LOCATION", ofSysfsPath: path),
        proximityNearLevel: udevProperty("PROXIMITY_NEAR_LEVEL", ofSysfsPath: path))
    }
    return AmbientCatalog(choosingAmong: sensors.filter { $0.device.isSetUp || !UdevDevice.isUdevBusy })
  }
}

extension SensorDescription {
  /// Whether udev has applied its rules to the device; true if that is unknown.
  fileprivate var isSetUp: Bool {
    guard let sysfsPath else { return true }
    return (try? UdevDevice.isSetUp(sysfsPath: sysfsPath)) ?? true
  }
}

/// The devices of this machine that are ready: before its rules are applied, a device has neither its permissions nor the
/// mount matrix for the right orientation.
private func ready(_ sensors: [SensorDescription], known: SensorDescription?) -> [SensorDescription] {
  sensors.compactMap { sensor in
    guard !sensor.isSetUp else { return sensor }
    if let known, known.instance == sensor.instance {
      // On request, udev forgets a device that is still present (udevadm trigger --action=remove).
      var sensor = sensor
      sensor.udev = known.udev
      return sensor
    }
    return UdevDevice.isUdevBusy ? nil : sensor
  }
}

/// udev's properties of the device; empty if there is no udev.
private func udevProperties(_ sysfsPath: String) -> UdevProperties {
  UdevProperties(
    mountMatrix: udevProperty("ACCEL_MOUNT_MATRIX", ofSysfsPath: sysfsPath),
    location: udevProperty("ACCEL_LOCATION", ofSysfsPath: sysfsPath))
}

/// A property of a device in udev; an empty one revokes the value of another file of the hardware database.
func udevProperty(_ name: String, ofSysfsPath path: String) -> String? {
  guard let value = try? UdevDevice.property(name, ofSysfsPath: path), !value.isEmpty else { return nil }
  return value
}
