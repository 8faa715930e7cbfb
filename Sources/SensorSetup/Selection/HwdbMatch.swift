// SPDX-License-Identifier: Apache-2.0

// The string by which udev looks up a sensor in its hardware database, from systemd's 60-sensor.rules:
//
//     sensor:<label>:modalias:<modalias of the parent>:<modalias of the machine>
//     sensor:modalias:<modalias of the parent>:<modalias of the machine>
//
// The parent is the nearest one on the bus usb, i2c or platform. A sensor with a label is looked up with its label first;
// the Chrome embedded controller has `location` instead of a label. The modalias of the machine is DMI's, and is empty on
// boards without DMI. It also contains the versions and dates of the firmware, so the pattern has only the vendor and the
// model of machine and board.
//
// udev replaces some characters by "_" before it looks up a string, and some characters have a meaning in a pattern. The
// pattern has "?" in place of all of these.

import CLinux
package import IIO

/// The pattern under which udev's hardware database finds a sensor.
package struct HwdbMatch: Equatable, Sendable {
  /// The pattern: a line of an hwdb file.
  package let pattern: String

  /// Composes the pattern for a device of this machine.
  ///
  /// Nil if it is an input device, or on a bus that udev's rules do not cover.
  package init?(of sensor: SensorDescription) {
    guard sensor.interface == .iio, let path = sensor.sysfsPath, let parent = Self.parent(of: path) else {
      return nil
    }
    let modalias = attribute("\(path)/modalias") ?? attribute("\(parent.path)/modalias") ?? ""
    self.init(
      label: Self.label(of: sensor, bus: parent.bus), modalias: modalias,
      machine: modaliasOfMachine)
  }

  /// Composes the pattern.
  ///
  /// - Parameters:
  ///   - label: the sensor's label, if it has one.
  ///   - modalias: the modalias of the sensor's parent.
  ///   - machine: DMI's modalias of the machine; empty without DMI.
  package init(label: String?, modalias: String, machine: String) {
    let sensor = (["sensor"] + (label.map { [$0] } ?? []) + ["modalias", modalias]).joined(separator: ":")
    pattern = "\(Self.literal(sensor)):\(Self.machinePattern(machine))"
  }

  /// The fields that identify a machine, in DMI's order: vendor and model of the system and of its board.
  private static let fields = ["svn", "pn", "rvn", "rn"]

  private static func machinePattern(_ machine: String) -> String {
    let parts = machine.split(separator: ":").map(String.init)
    guard parts.first == "dmi" else { return "*" }
    var pattern = "dmi"
    var lastTaken = 0
    for (index, part) in parts.enumerated() where index > 0 {
      guard let field = fields.first(where: part.hasPrefix), part.count > field.count else { continue }
      pattern += (index == lastTaken + 1 ? ":" : ":*:") + literal(part)
      lastTaken = index
    }
    return pattern + ":*"
  }

  /// In place of each byte, and not of each character: udev compares bytes.
  private static func literal(_ text: String) -> String {
    let kept = Array("+-.:=@_,/abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789".utf8)
    return String(decoding: text.utf8.map { kept.contains($0) ? $0 : UInt8(ascii: "?") }, as: UTF8.self)
  }

  private static func label(of sensor: SensorDescription, bus: String) -> String? {
    if let label = sensor.label, !label.isEmpty { return label }
    guard bus == "platform", ["cros-ec-accel", "cros-ec-accel-legacy"].contains(sensor.name) else {
      return nil
    }
    switch sensor.location {
    case "base": return "accel-base"
    case "lid": return "accel-display"
    default: return nil
    }
  }

  /// The nearest device at or above a path of sysfs that is on a bus which udev's rules cover.
  private static func parent(of path: String) -> (path: String, bus: String)? {
    var parts = path.split(separator: "/")
    while !parts.isEmpty {
      let directory = "/" + parts.joined(separator: "/")
      if let bus = linkedName("\(directory)/subsystem"), ["usb", "i2c", "platform"].contains(bus) {
        return (directory, bus)
      }
      parts.removeLast()
    }
    return nil
  }
}

/// DMI's modalias of this machine; empty without DMI.
private var modaliasOfMachine: String { attribute("/sys/class/dmi/id/modalias") ?? "" }

/// The last part of the target of a link in sysfs, such as the name of a bus; nil if there is none.
private func linkedName(_ path: String) -> String? {
  canonicalPath(path)?.split(separator: "/").last.map(String.init)
}

/// An attribute in sysfs, whose values have a page at most, without white space at its end; nil if there is none.
package func attribute(_ path: String) -> String? {
  guard var text = try? readBytes(of: path, limit: 4096) else { return nil }
  while let last = text.last, last <= UInt8(ascii: " ") { text.removeLast() }
  return String(decoding: text, as: UTF8.self)
}

extension SensorDescription {
  /// What is the same of this sensor in all machines of a model: udev's match, or one with the driver's name where udev looks no such
  /// sensor up, and its number if others before it have the same; nil for a sensor of another machine.
  package var model: String? {
    guard sysfsPath != nil else { return nil }
    let match =
      HwdbMatch(of: self)
      ?? HwdbMatch(label: label, modalias: "name:\(name ?? "")", machine: modaliasOfMachine)
    let number = number > 1 ? "#\(number)" : ""
    let longest = SensorMatrix.longestModel - number.utf8.count
    return String(decoding: match.pattern.utf8.prefix(longest), as: UTF8.self) + number
  }
}
