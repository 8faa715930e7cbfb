// SPDX-License-Identifier: Apache-2.0

import Glibc
import IIO

/// The chip of an IIO device: the directory above the device's.
struct Chip {
  /// Its driver's name.
  let driver: String?
  /// The string by which udev's hardware database finds it.
  let modalias: String?

  init(ofDevice path: String) {
    let parent = path.split(separator: "/").dropLast().reduce("") { "\($0)/\($1)" }
    driver = linkTarget(of: "\(parent)/driver")?.split(separator: "/").last.map(String.init)
    modalias = line(of: "\(parent)/modalias")
  }
}

/// The machine and its kernel.
enum Machine {
  /// Such as "Linux 6.1.0-40-amd64 x86_64".
  static var kernel: String {
    var names = utsname()
    guard uname(&names) == 0 else { return "unknown" }
    return [text(&names.sysname), text(&names.release), text(&names.machine)].joined(separator: " ")
  }

  /// DMI's modalias, or the model in the device tree; both contain no serial number.
  static var model: String? {
    line(of: "/sys/class/dmi/id/modalias") ?? line(of: "/proc/device-tree/model")
  }

  private static func text<Field>(_ field: inout Field) -> String {
    withUnsafeBytes(of: &field) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
  }
}

/// The target of a symbolic link; nil if there is no link.
private func linkTarget(of path: String) -> String? {
  var bytes = [CChar](repeating: 0, count: 4096)
  let count = readlink(path, &bytes, bytes.count)
  return count > 0 ? String(decoding: bytes.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self) : nil
}

/// The first line of a small file; nil if it is empty or there is no file.
private func line(of path: String) -> String? {
  firstLine(of: path).flatMap { $0.isEmpty ? nil : $0 }
}
