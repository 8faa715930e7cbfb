// SPDX-License-Identifier: Apache-2.0

import Glibc

/// An hwdb file for this machine's own entries.
struct HwdbFile {
  /// The file that systemd's 60-sensor.hwdb names for local mount matrices.
  static let standardPath = "/etc/udev/hwdb.d/61-sensor-local.hwdb"

  /// The path of the file, which need not exist.
  let path: String

  /// Whether this process may write it.
  var isWritable: Bool {
    // The file is replaced, so the folder must be writable, or its parent if the folder does not exist.
    let folder = folder
    let existing = access(folder, F_OK) == 0 ? folder : Self.folder(of: folder)
    return access(existing, W_OK | X_OK) == 0
  }

  /// Sets the matrix of a sensor, and changes nothing else.
  ///
  /// - Throws: ``CommandError``
  func set(matrix: String, of sensor: String, match: HwdbMatch) throws(CommandError) {
    var text = HwdbText(try readFile(path) ?? "")
    text.set(matrix: matrix, of: sensor, match: match)
    mkdir(folder, 0o755)
    try replaceFile(path, with: text.description)
  }

  private var folder: String { Self.folder(of: path) }

  private static func folder(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }
}
