// SPDX-License-Identifier: Apache-2.0

// This folder: the devices of a machine, each described once as a value. libiio describes them (LibiioReader), or sysfs does, the kernel's
// own interface (SysfsReader); what comes after that takes the value, and reads and writes the files that it names. The devices of another
// machine have no files here: RemoteContext reads what is needed of them into the value. OwnSettings restores what was set on a device, and
// SettingsMark records what a process had set that was killed.

/// A device of the kernel's IIO, as it was when it was described.
package struct IIODevice: Equatable, Sendable {
  /// The kernel's id, such as `iio:device0`.
  package internal(set) var id: String
  /// The driver's name for the device, such as `accel_3d`.
  package var name: String?
  /// The firmware's label, such as `accel-display`.
  package var label: String?
  /// The directory of the device's files.
  let directory: String
  /// The names of the files with the attributes of its input channels, such as `in_accel_x_raw`, in order.
  let files: [String]
  /// The ids of the input channels that can be part of a scan, such as `accel_x`, in order.
  let scanIDs: [String]
  /// What the files hold that are needed, if they are those of another machine; nil for a device of this one.
  var remoteTexts: [RemoteText]?

  /// The text of a file of another machine.
  struct RemoteText: Equatable, Sendable {
    let file: String
    let text: String
  }

  /// Creates a description; files and channels may have any order, and files that are no attributes of input channels are left out.
  init(
    id: String, name: String?, label: String? = nil, files: [String] = [], scanIDs: [String] = [],
    in devicesDirectory: String = IIOMachine.devicesDirectory
  ) {
    // Drivers' names are short words; another machine may send any text.
    func short(_ text: String?) -> String? { text.map { String($0.prefix(128)) } }
    (self.id, self.name, self.label) = (id, short(name), short(label))
    directory = "\(devicesDirectory)/\(id)"
    self.files = sortedWithoutDuplicates(
      files.filter { $0.utf8.starts(with: "in_".utf8) || Self.sharedAttributes.contains($0) })
    self.scanIDs = sortedWithoutDuplicates(scanIDs)
  }

  /// The attributes that drivers give for a whole device, of those that are used.
  private static let sharedAttributes = [
    "integration_time", "location", "mount_matrix", "offset", "sampling_frequency",
    "sampling_frequency_available", "scale",
  ]

  /// Whether it is a device of this machine, whose files can be opened.
  var isLocal: Bool { remoteTexts == nil }

  /// Whether it may be one of the sensors that are used: one of motion, of a hinge, of light, proximity or a heading.
  var mayBeSensor: Bool {
    func isUsed(_ channel: Substring.UTF8View) -> Bool {
      Self.usedTypes.contains { channel.starts(with: $0.utf8) }
    }
    return scanIDs.contains { isUsed($0.utf8[...]) }
      || files.contains { $0.utf8.starts(with: "in_".utf8) && isUsed($0.utf8.dropFirst(3)) }
  }

  /// The beginnings of the types of channels that are used; "angl" is also that of "anglvel", a gyroscope's.
  private static let usedTypes = ["accel", "angl", "gravity", "illuminance", "intensity", "proximity", "rot"]

  /// The name and the id, as they appear in errors: `accel_3d (iio:device0)`.
  var displayName: String { name.map { "\($0) (\(id))" } ?? id }

  /// The input channel with this id; nil if there is none.
  func inputChannel(_ id: String) -> IIOChannel? {
    let start = "in_\(id)_"
    guard scanIDs.contains(id) || files.contains(where: { $0.utf8.starts(with: start.utf8) }) else {
      return nil
    }
    return IIOChannel(device: self, id: id)
  }

  /// The input channels that can be part of a scan.
  var scanElements: [IIOChannel] { scanIDs.map { IIOChannel(device: self, id: $0) } }

  /// The text of an attribute of the device itself; nil if there is none.
  func attribute(_ name: String) throws(SourceError) -> String? {
    guard files.contains(name) else { return nil }
    return try text(ofFile: name)
  }

  /// The text of one of its files; nil if it is gone.
  fileprivate func text(ofFile name: String) throws(SourceError) -> String? {
    guard let remoteTexts else { return try textOfFile("\(directory)/\(name)") }
    return remoteTexts.first { $0.file == name }?.text
  }

  /// The name of the trigger that clocks its buffer at present; nil if there is none, or the device is another machine's.
  var triggerName: String? {
    guard isLocal, let name = shortText(ofFile: "\(directory)/trigger/current_trigger"), !name.isEmpty else {
      return nil
    }
    return name
  }
}

/// An input channel of an ``IIODevice``.
struct IIOChannel {
  let device: IIODevice
  /// Such as `accel_x`.
  let id: String

  /// The attribute with one property of the channel in a scan, such as "en".
  func scanFile(_ suffix: String) -> String { "scan_elements/in_\(id)_\(suffix)" }

  /// The path of the file that holds it.
  func scanPath(_ suffix: String) -> String { "\(device.directory)/\(scanFile(suffix))" }

  /// Whether it can be part of a scan.
  var isScanElement: Bool { device.scanIDs.contains(id) }

  /// The place of the channel in a scan.
  var scanIndex: Int { wholeNumber(inFile: scanPath("index")) ?? -1 }

  /// The name of the file that holds an attribute; nil if there is none.
  ///
  /// This is the kernel's rule (iio_device_add_info_mask_type in industrialio-core.c): an attribute is the channel's own, or that of all
  /// channels of its type, with a number or without one, or of all input channels, or of the device.
  func file(of attribute: String) -> String? {
    let type = Substring(id.utf8.prefix { $0 != UInt8(ascii: "_") })
    let typeWithoutNumber = Substring(type.utf8.prefix { $0 < UInt8(ascii: "0") || $0 > UInt8(ascii: "9") })
    let names = [
      "in_\(id)_\(attribute)", "in_\(type)_\(attribute)", "in_\(typeWithoutNumber)_\(attribute)",
      "in_\(attribute)", attribute,
    ]
    return names.first { device.files.contains($0) }
  }

  /// Whether it has an attribute, its own or a shared one.
  func has(_ attribute: String) -> Bool { file(of: attribute) != nil }

  /// The path of the file that holds an attribute; for errors, that of the channel's own if there is none.
  func path(of attribute: String) -> String {
    "\(device.directory)/\(file(of: attribute) ?? "in_\(id)_\(attribute)")"
  }

  /// The text of an attribute; nil if there is none.
  func attribute(_ name: String) throws(SourceError) -> String? {
    guard let file = file(of: name) else { return nil }
    return try device.text(ofFile: file)
  }

  /// The number that an attribute holds; nil if there is no such attribute.
  func number(_ name: String) throws(SourceError) -> Double? {
    guard let text = try attribute(name) else { return nil }
    guard let number = finiteNumber(text[...]) else {
      throw .malformed(path: path(of: name), text: text, reason: "a number was expected")
    }
    return number
  }
}

/// How many names of a device are used: drivers have some dozens; another machine may send any number.
private let mostNames = 1024

private func sortedWithoutDuplicates(_ names: [String]) -> [String] {
  var result: [String] = []
  for name in names.sorted(by: { $0.utf8.lexicographicallyPrecedes($1.utf8) }) where name != result.last {
    guard result.count < mostNames else { break }
    result.append(name)
  }
  return result
}
