// SPDX-License-Identifier: Apache-2.0

import CLinux

// libiio describes all devices of a machine or none: if it cannot distinguish the channels of one device, all the others
// are missing too (see LibiioFailure). Then sysfs describes the devices, and not much of it is needed: a device is a
// folder, an attribute is a file in it, and the name of the file contains the channel
// (Documentation/ABI/testing/sysfs-bus-iio).

/// An IIO device of this machine, or a trigger, as sysfs shows it.
struct SysfsDevice {
  /// The name of its folder, such as `iio:device0`.
  let id: String
  /// The folder that contains the folders of all devices of the machine.
  let devicesDirectory: String

  /// Every device and trigger that has a folder, ordered by name as in libiio; nil if they cannot be listed.
  static func all(in devicesDirectory: String) -> [SysfsDevice]? {
    let names = namesOfFiles(in: devicesDirectory)
    // Every folder contains at least "." and "..".
    guard !names.isEmpty else { return nil }
    return names.filter { $0.utf8.first != UInt8(ascii: ".") }
      .sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
      .map { SysfsDevice(id: $0, devicesDirectory: devicesDirectory) }
  }

  @inline(never)
  var directory: String { "\(devicesDirectory)/\(id)" }
  var name: String? { line("name") }
  var label: String? { line("label") }
  var isTrigger: Bool { id.utf8.starts(with: "trigger".utf8) }

  /// The name and the id, for people.
  var displayName: String { name.map { "\($0) (\(id))" } ?? id }

  /// Whether it has an attribute of an input channel, such as `accel_x`, or delivers that channel through its buffer.
  @inline(never)
  func hasInputChannel(_ channel: String) -> Bool {
    let start = "in_\(channel)_"
    return [directory, "\(directory)/scan_elements"].contains { folder in
      namesOfFiles(in: folder).contains { $0.utf8.starts(with: start.utf8) }
    }
  }

  /// The ids of the input channels that can be part of a scan.
  var scanElements: [String] {
    namesOfFiles(in: "\(directory)/scan_elements").compactMap { name in
      guard name.utf8.starts(with: "in_".utf8), name.utf8.suffix(3).elementsEqual("_en".utf8) else {
        return nil
      }
      return String(Substring(name.utf8.dropFirst(3).dropLast(3)))
    }
  }

  /// The name of the trigger that clocks the buffer at present.
  var triggerName: String? {
    guard let name = line("trigger/current_trigger"), !name.isEmpty else { return nil }
    return name
  }

  /// The content of a file, without the end of the line; nil if it does not exist, cannot be read, or is empty.
  private func line(_ file: String) -> String? {
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: 4096) { bytes in
      guard let start = bytes.baseAddress else { return nil }
      let count = readFile("\(directory)/\(file)", into: start, bytes.count - 1)
      guard count > 0 else { return nil }
      start[start[count - 1] == CChar(UInt8(ascii: "\n")) ? count - 1 : count] = 0
      return String(cString: start)
    }
  }
}

/// The file that holds an attribute of an input channel; nil if there is none.
///
/// It is the channel's own, such as in_accel_x_scale, or one that it shares with the other channels of its type, such as
/// in_accel_scale. Numbered channels share one without the number.
func sysfsPath(of attribute: String, ofChannel id: String, in directory: String) -> String? {
  let type = id.utf8.prefix { $0 != UInt8(ascii: "_") }
  let typeWithoutNumber = type.prefix { $0 < UInt8(ascii: "0") || $0 > UInt8(ascii: "9") }
  for owner in [id, String(Substring(type)), String(Substring(typeWithoutNumber))] {
    let path = attributePath(attribute, of: owner, in: directory)
    if access(path, F_OK) == 0 { return path }
  }
  return nil
}

/// The file in which an input channel, or all channels of a type, would have an attribute.
@inline(never)
func attributePath(_ attribute: String, of owner: String, in directory: String) -> String {
  "\(directory)/in_\(owner)_\(attribute)"
}

/// The whole number that a file holds; nil if it holds none, or does not exist.
func wholeNumber(inFile path: String) -> Int? {
  ((try? textOfFile(path)) ?? nil).flatMap { finiteNumber($0[...]) }.flatMap { Int(exactly: $0) }
}

/// The content of a file in sysfs, without blanks around it; nil if it does not exist.
func textOfFile(_ path: String) throws(SourceError) -> String? {
  try readText(path: path) { readFile(path, into: $0, $1) }
}

/// Reads a file in sysfs; returns its length, or a negative errno.
@inline(never)
func readFile(_ path: String, into bytes: UnsafeMutablePointer<CChar>, _ capacity: Int) -> Int {
  let file = open(path, O_RDONLY | O_CLOEXEC)
  guard file >= 0 else { return -Int(errno) }
  defer { close(file) }
  let count = read(file, bytes, capacity)
  return count < 0 ? -Int(errno) : count
}
