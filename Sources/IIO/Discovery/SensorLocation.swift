// SPDX-License-Identifier: Apache-2.0

// Where an accelerometer is in the machine. Only one that turns with the screen can be used. Others are in the base of a
// 2-in-1, in a swivelling camera, and in gamepads and other Bluetooth devices (the drivers for common gamepads create input
// devices, but any HID device may have an accelerometer of the sensor page, for which hid-sensor-accel-3d creates an IIO
// device).

/// Where an accelerometer is, in words.
public enum SensorLocation: String, Sendable {
  /// In the display, with which it turns.
  case display = "the display"
  /// In the base, or beside the keyboard.
  case base = "the base"
  /// In a camera.
  case camera = "a camera"
  /// In a gamepad or another peripheral.
  case peripheral = "a peripheral device"

  /// The location in a property, label or attribute; nil for a word that is not a location.
  ///
  /// The labels are those of the kernel's ABI (sysfs-bus-iio: accel-base, accel-display, accel-camera); `lid` is the Chrome
  /// embedded controller's word for the display.
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
  /// The source of a sensor's location: the first one that has a location is used.
  public enum PlaceEvidence: Equatable, Sendable {
    /// udev's property ACCEL_LOCATION.
    case udevLocation(String)
    /// The firmware's label.
    case label(String)
    /// The driver's `location` attribute.
    case locationAttribute(String)
    /// It is part of this HID device, whose bus is Bluetooth.
    case bluetooth(device: String)
    /// It is an input device of the same hardware as a gamepad.
    case gamepad
    /// It is an input device on USB: any of them can say that it is what the machine has inside.
    case usb
    /// It is an input device that a program has made.
    case program
  }
}

extension SensorCatalog.PlaceEvidence: CustomStringConvertible {
  /// The evidence as it is in udev's database or in sysfs.
  public var description: String {
    switch self {
    case .udevLocation(let word): "ACCEL_LOCATION=\(word)"
    case .label(let word): "label \(word)"
    case .locationAttribute(let word): "location \(word)"
    case .bluetooth(let device): "HID device \(device)"
    case .gamepad: "part of a gamepad"
    case .usb: "an input device on USB"
    case .program: "an input device of a program"
    }
  }
}

extension SensorDescription {
  /// Where the sensor is, and the evidence; nil if that is unknown.
  var place: (place: SensorLocation, evidence: SensorCatalog.PlaceEvidence)? {
    if let word = udev.location, let place = SensorLocation(word) { return (place, .udevLocation(word)) }
    if let word = label, let place = SensorLocation(word) { return (place, .label(word)) }
    if let word = location, let place = SensorLocation(word) { return (place, .locationAttribute(word)) }
    if let device = bluetoothDevice { return (.peripheral, .bluetooth(device: device)) }
    return inputPeripheral.map { (.peripheral, $0) }
  }

  /// Why an input device is no part of the machine; nil if it may be one.
  ///
  /// This goes by the path, which the kernel makes: an input device itself can have any name, bus and number. With a mount matrix, a rule
  /// of this machine has said how it is mounted: systemd's database has none for input devices on USB and those of programs.
  private var inputPeripheral: SensorCatalog.PlaceEvidence? {
    guard case .input(let isOfGamepad) = interface, let path = sysfsPath else { return nil }
    if isOfGamepad { return .gamepad }
    guard udev.mountMatrix == nil else { return nil }
    if path.hasPrefix("/sys/devices/virtual/") { return .program }
    // The folder of a root hub: "usb1".
    return path.utf8.split(separator: UInt8(ascii: "/")).contains { $0.isRootHub } ? .usb : nil
  }

  /// The name of the HID device that contains the sensor, if it is connected over Bluetooth.
  ///
  /// The names of HID devices are BUS:VENDOR:PRODUCT.NUMBER, in hexadecimal; Bluetooth is bus 5 (BUS_BLUETOOTH in
  /// linux/input.h).
  private var bluetoothDevice: String? {
    let components = (sysfsPath ?? "").utf8.split(separator: UInt8(ascii: "/"))
    return components.first { $0.starts(with: "0005:".utf8) }.map { String(Substring($0)) }
  }

  /// Whether there are reasons against the sensor, although its location is unknown.
  ///
  /// It can be unplugged: hubs and firmware describe their USB ports, but machines with an internal sensor hub on USB do
  /// not always describe them correctly. Or its chip is one that laptops use to park the disk in a fall.
  var isDoubtful: Bool {
    isRemovable || DriverTrait(ofDevice: name) == .parksDisk
  }
}

extension Substring.UTF8View {
  /// Whether this is the kernel's name of a USB root hub.
  fileprivate var isRootHub: Bool {
    let digits = dropFirst(3)
    return starts(with: "usb".utf8) && !digits.isEmpty
      && digits.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
  }
}
