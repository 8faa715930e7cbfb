// SPDX-License-Identifier: Apache-2.0

// Where in the machine an accelerometer sits, from whoever says anything about it. Only one that turns with the screen
// is of use. The others in use: in the base of a 2-in-1, in a camera that swivels, and in gamepads and other devices
// that come over Bluetooth (drivers for the usual gamepads make input devices of theirs, but any HID device may have an
// accelerometer of the sensor page, which hid-sensor-accel-3d makes an IIO device of).

/// Where an accelerometer sits.
enum SensorLocation: Equatable {
  /// In the display, with which it turns.
  case display
  /// In the base, or beside the keyboard.
  case base
  /// In a camera.
  case camera
  /// In a device of its own.
  case peripheral

  /// What a property, label or attribute says; nil for a word that says nothing about the place.
  ///
  /// Labels are those of the kernel's ABI (sysfs-bus-iio: accel-base, accel-display, accel-camera), `lid` is what the
  /// Chrome embedded controller calls the display.
  init?(_ word: String) {
    switch word {
    case "display", "lid", "accel-display": self = .display
    case "base", "accel-base": self = .base
    case "camera", "accel-camera": self = .camera
    default: return nil
    }
  }
}

extension SensorCatalog {
  /// What says where a sensor sits: the first of them that says anything counts.
  public enum PlaceEvidence: Equatable, Sendable {
    /// udev's property ACCEL_LOCATION.
    case udevLocation(String)
    /// The firmware's label.
    case label(String)
    /// The driver's `location` attribute.
    case locationAttribute(String)
    /// It is part of this HID device, whose bus is Bluetooth.
    case bluetooth(device: String)
  }
}

extension SensorCatalog.PlaceEvidence: CustomStringConvertible {
  /// The evidence as it stands in udev's database or in sysfs.
  public var description: String {
    switch self {
    case .udevLocation(let word): "ACCEL_LOCATION=\(word)"
    case .label(let word): "label \(word)"
    case .locationAttribute(let word): "location \(word)"
    case .bluetooth(let device): "HID device \(device)"
    }
  }
}

extension SensorDescription {
  /// Where the sensor sits and what says so; nil where nothing does.
  var place: (place: SensorLocation, evidence: SensorCatalog.PlaceEvidence)? {
    if let word = udev.location, let place = SensorLocation(word) { return (place, .udevLocation(word)) }
    if let word = label, let place = SensorLocation(word) { return (place, .label(word)) }
    if let word = location, let place = SensorLocation(word) { return (place, .locationAttribute(word)) }
    if let device = bluetoothDevice { return (.peripheral, .bluetooth(device: device)) }
    return nil
  }

  /// The name of the HID device that the sensor is a part of, where that came over Bluetooth.
  ///
  /// HID devices are called BUS:VENDOR:PRODUCT.NUMBER, in hexadecimal; Bluetooth is bus 5 (BUS_BLUETOOTH in linux/input.h).
  private var bluetoothDevice: String? {
    let components = (sysfsPath ?? "").utf8.split(separator: UInt8(ascii: "/"))
    return components.first { $0.starts(with: "0005:".utf8) }.map { String(Substring($0)) }
  }

  /// Whether something speaks against the sensor, although nothing says where it sits.
  ///
  /// It can be unplugged: hubs and firmware know of their USB ports, which machines with a sensor hub on USB inside do
  /// not always get right. Or its chip is one that laptops have to park the disk in a fall; there are phones that have
  /// it for their screen.
  var isDoubtful: Bool {
    isRemovable || (name?.hasPrefix("lis3lv02d") ?? false)
  }
}
