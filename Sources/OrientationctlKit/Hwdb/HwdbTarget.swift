// SPDX-License-Identifier: Apache-2.0

// This folder: a sensor's entry in udev's hardware database, which contains its mount matrix: the match by which udev finds
// it (HwdbMatch), the file that `calibrate` writes (HwdbTarget, HwdbText), and how it takes effect (UdevUpdate).

import Glibc
import IIO
import Orientation
import Systemd

/// Where a sensor's mount matrix is written: the file, the match, and the commands by which it takes effect.
struct HwdbTarget {
  /// The file that systemd's 60-sensor.hwdb names for local mount matrices.
  static let standardPath = "/etc/udev/hwdb.d/61-sensor-local.hwdb"

  /// The path of the file, an hwdb file for this machine's own entries, which need not exist.
  let path: String
  /// The match; nil if no entry is made for such a sensor.
  let match: HwdbMatch?
  /// The commands.
  let update: UdevUpdate
  private let sensor: SensorDescription

  init(sensor: SensorDescription, path: String) {
    self.sensor = sensor
    self.path = path
    match = HwdbMatch(of: sensor)
    update = UdevUpdate(of: sensor)
  }

  /// When each program uses a new matrix.
  static let whenItTakesEffect = """
    orientationd uses it at once; iio-sensor-proxy, if it runs, must be restarted.
    """

  /// Whether this process may write the file.
  var isWritable: Bool {
    // The file is replaced, so the folder must be writable, or its parent if the folder does not exist.
    let folder = Self.folder(of: path)
    let existing = access(folder, F_OK) == 0 ? folder : Self.folder(of: folder)
    return access(existing, W_OK | X_OK) == 0
  }

  private static func folder(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  /// Checks, before the user is asked for the poses, that the lines can be written after them.
  ///
  /// - Throws: ``CommandError``
  func checkWritable(runsCommands: Bool) throws(CommandError) {
    guard match != nil else {
      throw CommandError(
        """
        no entry of udev's database is made for \(sensor.displayName.printable), which is no IIO device on the bus usb, i2c or platform; \
        without --write the matrix is shown, for MountMatrix= in the configuration of orientationd
        """)
    }
    guard isWritable, !runsCommands || geteuid() == 0 else {
      throw CommandError("\(path) can only be written by root; try: sudo orientationctl calibrate")
    }
  }

  /// The lines and their file, for people.
  func proposal(matrix: MountMatrix, notes: [String]) -> String {
    let (place, lines) =
      if let match {
        (path, HwdbText.record(matrix: matrix.description, of: sensor.displayName, match: match))
      } else {
        (
          "orientationd's configuration, such as /etc/orientationd.conf.d/mount-matrix.conf\n"
            + "(no entry of udev's database is made for such a sensor)",
          ["[Orientation]", "MountMatrix=\(matrix)"]
        )
      }
    let paragraphs = ["The lines for \(place):", lines.map { "    \($0)" }.joined(separator: "\n")] + notes
    return paragraphs.map { "\($0)\n\n" }.joined()
  }

  /// Sets the matrix of the sensor in the file, and changes nothing else.
  ///
  /// - Throws: ``CommandError``
  func write(_ matrix: MountMatrix) throws(CommandError) {
    guard let match else { return }
    var text = HwdbText(try readFile(path) ?? "")
    text.set(matrix: matrix.description, of: sensor.displayName, match: match)
    mkdir(Self.folder(of: path), 0o755)
    try replaceFile(path, with: text.description)
  }
}
