// SPDX-License-Identifier: Apache-2.0

// This folder: a sensor's entry in udev's hardware database, which contains its mount matrix: the match by which udev finds
// it (HwdbMatch), the file that `calibrate` writes (HwdbFile, HwdbText), and how it takes effect (UdevUpdate).

import Glibc
import IIO
import Orientation
import Systemd

/// Where a sensor's mount matrix is written: the file, the match, and the commands by which it takes effect.
struct HwdbTarget {
  /// The file.
  let file: HwdbFile
  /// The match; nil if no entry is made for such a sensor.
  let match: HwdbMatch?
  /// The commands.
  let update: UdevUpdate
  private let sensor: SensorDescription

  init(sensor: SensorDescription, file: HwdbFile) {
    self.sensor = sensor
    self.file = file
    match = HwdbMatch(of: sensor)
    update = UdevUpdate(of: sensor)
  }

  /// When each program uses a new matrix.
  static let whenItTakesEffect = """
    orientationd uses it at once; iio-sensor-proxy, if it runs, must be restarted.
    """

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
    guard file.isWritable, !runsCommands || geteuid() == 0 else {
      throw CommandError(
        "\(file.path) can only be written by root; try: sudo orientationctl calibrate")
    }
  }

  /// The lines and their file, for people.
  func proposal(matrix: MountMatrix, notes: [String]) -> String {
    let (place, lines) =
      if let match {
        (file.path, HwdbText.record(matrix: matrix.description, of: sensor.displayName, match: match))
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

  /// Writes the lines.
  ///
  /// - Throws: ``CommandError``
  func write(_ matrix: MountMatrix) throws(CommandError) {
    guard let match else { return }
    try file.set(matrix: matrix.description, of: sensor.displayName, match: match)
  }
}
