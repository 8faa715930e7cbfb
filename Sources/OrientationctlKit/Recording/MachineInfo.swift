// SPDX-License-Identifier: Apache-2.0

import Glibc
import IIO

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
    if let dmi = attribute("/sys/class/dmi/id/modalias"), !dmi.isEmpty { return dmi }
    return firstLine(of: "/proc/device-tree/model")
  }

  private static func text<Field>(_ field: inout Field) -> String {
    withUnsafeBytes(of: &field) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
  }
}
