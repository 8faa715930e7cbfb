// SPDX-License-Identifier: Apache-2.0

// Where an accelerometer is in the machine. Only one that turns with the screen can be used. Others are in the base of a
// 2-in-1, in a swivelling camera, and in gamepads and other Bluetooth devices (the drivers for common gamepads create input
// devices, but any HID device may have an accelerometer of the sensor page, for which hid-sensor-accel-3d creates an IIO
// device).

/// Where an accelerometer is, in words.
package enum SensorLocation: String, Sendable {
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

extension SensorDescription {
  /// Where the sensor is, by the first source that has a location, and the evidence as it is in udev's database or in sysfs, for
  /// display; nil if that is unknown.
  var place: (place: SensorLocation, evidence: String)? {
    for (source, word) in [("ACCEL_LOCATION=", udev.location), ("label ", label), ("location ", location)] {
      if let word, let place = SensorLocation(word) { return (place, source + word) }
    }
    // It is part of this HID device, whose bus is Bluetooth.
    if let device = bluetoothDevice { return (.peripheral, "HID device \(device)") }
    return inputPeripheral.map { (.peripheral, $0) }
  }

  /// Why an input device is no part of the machine; nil if it may be one.
  ///
  /// This goes by the path, which the kernel makes: an input device itself can have any name, bus and number. With a mount matrix, a rule
  /// of this machine has said how it is mounted: systemd's database has none for input devices on USB and those of programs.
  private var inputPeripheral: String? {
    guard case .input(let isOfGamepad) = interface, let path = sysfsPath else { return nil }
    if isOfGamepad { return "part of a gamepad" }
    guard udev.mountMatrix == nil else { return nil }
    if path.hasPrefix("/sys/devices/virtual/") { return "an input device of a program" }
    // Any device on USB can say that it is what the machine has inside. The folder of a root hub: "usb1".
    let isOnUSB = path.utf8.split(separator: UInt8(ascii: "/")).contains { $0.isRootHub }
    return isOnUSB ? "an input device on USB" : nil
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
