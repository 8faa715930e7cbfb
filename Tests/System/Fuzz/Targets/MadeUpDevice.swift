// SPDX-License-Identifier: Apache-2.0

import CLinux
import IIO

/// A folder as sysfs has it of an IIO device, and what udev knows of it, as an input makes them up.
///
/// The first byte of the input chooses a device that works, and each line after it changes that: `name=value` gives it an
/// attribute, or udev a property with `udev.` before the name, and `-name` takes one away. So the device of a mutated input
/// works still, but for what was mutated, and whatever comes behind the opening is tried too. A byte 0x1f stands for a line
/// feed within a value.
struct MadeUpDevice: ~Copyable {
  /// Where the folders of all devices are.
  let devicesDirectory: String
  /// What udev knows of the device.
  let udev: UdevProperties

  private let files: [String]

  /// Writes the folder; nil where there is no room for it.
  init?(_ input: [UInt8]) {
    guard let root = newFolder() else { return nil }
    let kinds = MadeUpDevice.kinds
    var attributes = kinds[Int(input.first ?? 0) % kinds.count]
    for line in input.dropFirst().split(separator: UInt8(ascii: "\n")).prefix(64) {
      if line.first == UInt8(ascii: "-") {
        attributes[String(decoding: line.dropFirst(), as: UTF8.self)] = nil
        continue
      }
      let parts = line.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
      let name = String(decoding: parts[0], as: UTF8.self)
      guard parts.count == 2, MadeUpDevice.isName(name) else { continue }
      attributes[name] = parts[1].map { $0 == 0x1f ? UInt8(ascii: "\n") : $0 }
    }
    func property(_ name: String) -> String? {
      attributes["udev.\(name)"].map { String(decoding: $0, as: UTF8.self) }
    }
    udev = UdevProperties(
      mountMatrix: property("ACCEL_MOUNT_MATRIX"), location: property("ACCEL_LOCATION"),
      proximityNearLevel: property("PROXIMITY_NEAR_LEVEL"))
    devicesDirectory = root
    let device = "\(root)/iio:device0"
    var files: [String] = []
    for folder in ["", "/scan_elements", "/buffer", "/trigger"] { mkdir("\(device)\(folder)", 0o700) }
    for (name, value) in attributes where !name.hasPrefix("udev.") {
      let path = "\(device)/\(name)"
      files.append(path)
      write(value, to: path)
    }
    mkdir("\(root)/trigger0", 0o700)
    files.append("\(root)/trigger0/name")
    write(Array("accel_3d-dev0".utf8), to: "\(root)/trigger0/name")
    self.files = files
  }

  deinit {
    for file in files { unlink(file) }
    for folder in ["/iio:device0/scan_elements", "/iio:device0/buffer", "/iio:device0/trigger"] {
      rmdir("\(devicesDirectory)\(folder)")
    }
    for folder in ["/iio:device0", "/trigger0", ""] { rmdir("\(devicesDirectory)\(folder)") }
  }

  /// Whether a device can have an attribute of this name: it stays in its folder.
  private static func isName(_ name: String) -> Bool {
    let parts = name.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    let isPlace =
      parts.count == 1 || ["scan_elements", "buffer", "trigger"].contains { name.hasPrefix("\($0)/") }
    return isPlace && parts.count <= 2 && name.utf8.count < 128
      && parts.allSatisfy { part in
        !part.isEmpty && part.first != UInt8(ascii: ".") && part.allSatisfy { $0 > 0x20 && $0 < 0x7f }
          && !["scan_elements", "buffer", "trigger"].contains { part.elementsEqual($0.utf8) }
      }
  }
}

/// A folder of this process's own in memory, or else in /tmp; nil where neither has room.
private func newFolder() -> String? {
  for place in ["/dev/shm", "/tmp"] {
    var path = Array("\(place)/orientationd-fuzz-XXXXXX".utf8CString)
    if mkdtemp(&path) != nil {
      return String(decoding: path.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
  }
  return nil
}

/// Writes a file, with the line feed that the kernel ends each attribute with.
private func write(_ value: [UInt8], to path: String) {
  guard let file = fopen(path, "we") else { return }
  defer { fclose(file) }
  fwrite(value + [UInt8(ascii: "\n")], 1, value.count + 1, file)
}
