// SPDX-License-Identifier: Apache-2.0

public import Orientation

/// What is known of an IIO device before it is used: identity, place in the machine, and what it offers.
public struct SensorDescription: Equatable, Sendable {
  /// The IIO id, such as `iio:device0`.
  public var id: String
  /// The driver's name for the device, such as `accel_3d` or `kxcjk1013`.
  public var name: String?
  /// The firmware's label, such as `accel-display`.
  public var label: String?
  /// The `location` attribute, such as `lid`, `base` or `display`.
  public var location: String?
  /// The device's directory in /sys/devices, which is its udev syspath; nil in a network context.
  public var sysfsPath: String?
  /// Whether the device is part of one that can be unplugged, such as of a USB device.
  public var isRemovable: Bool
  /// Which of the devices that have had this directory, one after the other, it is; nil in a network context.
  public var instance: DeviceInstance?
  /// What udev's hardware database adds.
  public var udev: UdevProperties
  /// The mount matrix that the driver shows, as text; see ``mountMatrix`` for the one that counts.
  public var driverMountMatrix: String?
  /// Whether the device has the channels accel_x, accel_y and accel_z.
  public var isAccelerometer: Bool
  /// The sampling frequencies that it offers.
  public var availableFrequencies: AvailableFrequencies
  /// The sampling frequency set at present, in hertz; nil where there is no such attribute, or the sensor was not asked.
  public var frequency: Double?
  /// Whether it can deliver samples through a buffer, and what would clock it.
  public var buffering: Buffering
  /// The sign of what it reads.
  public var sign: SignConvention
  /// The scan formats of x, y and z as the driver spells them, for display; empty without scan elements.
  public var scanFormats: [String]

  /// Creates a description of a device of which only the id is known.
  public init(id: String, name: String? = nil, isAccelerometer: Bool = false) {
    self.id = id
    self.name = name
    self.isAccelerometer = isAccelerometer
    self.isRemovable = false
    self.udev = UdevProperties()
    self.availableFrequencies = .unknown
    self.buffering = .none
    self.sign = SignConvention(deviceName: name)
    self.scanFormats = []
  }

  /// The mount matrix that the machine's makers or udev give, as text, udev's first; nil means identity.
  public var mountMatrix: String? { udev.mountMatrix ?? driverMountMatrix }

  /// The name and the id, for people: `accel_3d (iio:device0)`.
  public var displayName: String { name.map { "\($0) (\(id))" } ?? id }
}

/// What udev knows of a sensor (60-sensor.hwdb).
public struct UdevProperties: Equatable, Sendable {
  /// The property ACCEL_MOUNT_MATRIX.
  public var mountMatrix: String?
  /// The property ACCEL_LOCATION: `display` or `base`.
  public var location: String?
  /// The property PROXIMITY_NEAR_LEVEL, in counts.
  public var proximityNearLevel: String?

  /// Creates the properties; nil stands for a property that is not set.
  public init(mountMatrix: String? = nil, location: String? = nil, proximityNearLevel: String? = nil) {
    self.mountMatrix = mountMatrix
    self.location = location
    self.proximityNearLevel = proximityNearLevel
  }
}

/// Whether a device has a buffer to take samples from.
public enum Buffering: Equatable, Sendable {
  /// It has none: it can only be polled.
  case none
  /// It has scan elements and a buffer; `trigger` is the one set at present.
  case scanElements(trigger: String?)
}

extension SignConvention {
  /// The sign of the driver that gives its devices this name.
  ///
  /// Linux's hid-sensor-accel-3d names its device `accel_3d`; no other driver does.
  public init(deviceName: String?) {
    self = deviceName == "accel_3d" ? .gravity : .specificForce
  }
}
