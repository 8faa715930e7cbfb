// SPDX-License-Identifier: Apache-2.0

import Glibc

/// An hwdb file for this machine's own entries.
struct HwdbFile {
  /// The one that systemd's 60-sensor.hwdb names for local mount matrices.
  static let standardPath = "/etc/udev/hwdb.d/61-sensor-local.hwdb"

  /// Where it is, or will be.
  let path: String

  /// Whether this process may write it.
  var isWritable: Bool {
    // A new file takes the old one's place, so the folder counts; its parent, where it has to be made.
    let folder = folder
    let existing = access(folder, F_OK) == 0 ? folder : Self.folder(of: folder)
    return access(existing, W_OK | X_OK) == 0
  }

  /// Gives a sensor its matrix, and leaves all else as it is.
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
