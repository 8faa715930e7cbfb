// SPDX-License-Identifier: Apache-2.0

import CLinux
import Evdev

// A device is a folder, an attribute is a file in it, and the name of the file contains the channel (Documentation/ABI/testing/
// sysfs-bus-iio).

extension IIODevice {
  /// Describes a device as sysfs shows it, by the name of its folder in that of all devices.
  init(sysfs id: String, in devicesDirectory: String) {
    let directory = "\(devicesDirectory)/\(id)"
    // As libiio has it, which takes an empty name for none.
    func word(_ file: String) -> String? {
      firstLine(of: "\(directory)/\(file)").flatMap { $0.isEmpty ? nil : $0 }
    }
    self.init(
      id: id, name: word("name"), label: word("label"),
      files: namesOfFiles(in: directory),
      scanIDs: namesOfFiles(in: "\(directory)/scan_elements").compactMap { name in
        guard name.utf8.starts(with: "in_".utf8), name.utf8.suffix(3).elementsEqual("_en".utf8) else {
          return nil
        }
        return String(Substring(name.utf8.dropFirst(3).dropLast(3)))
      }, in: devicesDirectory)
  }
}

/// The whole number that a file holds; nil if it holds none, or does not exist.
func wholeNumber(inFile path: String) -> Int? {
  ((try? textOfFile(path)) ?? nil).flatMap { finiteNumber($0[...]) }.flatMap { Int(exactly: $0) }
}

/// The content of a file in sysfs, without blanks around it; nil if it does not exist.
func textOfFile(_ path: String) throws(SourceError) -> String? {
  try readText(path: path) { readFile(path, into: $0, $1) }
}

/// Reads an attribute by a call that returns its length or a negative errno; nil if it does not exist.
func readText(
  path: String, by read: (UnsafeMutablePointer<CChar>, Int) -> Int
) throws(SourceError) -> String? {
  // An attribute in sysfs has one page at most.
  let capacity = 4096
  var text = ""
  let result = withUnsafeTemporaryAllocation(of: CChar.self, capacity: capacity) { bytes -> Int in
    guard let start = bytes.baseAddress else { return -Int(ENOMEM) }
    start[0] = 0
    let result = read(start, capacity - 1)
    guard result > 0 else { return result }
    start[min(result, capacity - 1)] = 0
    text = String(cString: start)
    return result
  }
  if result == -Int(ENOENT) { return nil }
  guard result >= 0 else {
    throw SourceError(code: CInt(clamping: -result), subject: path, operation: "reading")
  }
  return String(trimmed(text[...]))
}
