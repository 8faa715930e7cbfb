// SPDX-License-Identifier: Apache-2.0

// This folder: a sensor's entry in udev's hardware database, which contains its mount matrix: the match by which udev finds
// it (HwdbMatch), and the file that `calibrate` writes (HwdbTarget, HwdbText).

import Following
import Glibc
import IIO
import Orientation
import SensorSetup
import Systemd

/// Where a sensor's mount matrix is written: the file, the match, and the commands by which it takes effect.
struct HwdbTarget {
  /// The file that systemd's 60-sensor.hwdb names for local mount matrices.
  static let standardPath = "/etc/udev/hwdb.d/61-sensor-local.hwdb"

  /// The path of the file, an hwdb file for this machine's own entries, which need not exist.
  let path: String
  /// The match; nil if no entry is made for such a sensor.
  let match: HwdbMatch?
  /// The commands by which udev reads a new entry of its hardware database.
  private let commands: [[String]]
  private let sensor: SensorDescription

  init(sensor: SensorDescription, path: String) {
    self.sensor = sensor
    self.path = path
    match = HwdbMatch(of: sensor)
    commands = [
      ["systemd-hwdb", "update"],
      // udevd checks for a new database itself, but at most once in three seconds.
      ["udevadm", "control", "--reload"],
      // The path and not a device node, which a sensor without a buffer does not have.
      ["udevadm", "trigger", "--settle", "/sys/bus/iio/devices/\(sensor.id)"],
    ]
  }

  /// When each program uses a new matrix.
  ///
  /// - Parameter isOverridden: whether orientationd uses a matrix that a person has set, which counts before udev's.
  /// - Returns: the sentence, for people.
  static func whenItTakesEffect(isOverridden: Bool) -> String {
    let effect = isOverridden ? "goes on with the matrix that was set;\n" : "uses it at once; "
    return "orientationd \(effect)iio-sensor-proxy, if it runs, must be restarted."
  }

  /// Whether this process may write the file.
  var isWritable: Bool {
    // The file is replaced, so the folder must be writable, or its parent if the folder does not exist.
    let place = folder(of: path)
    let existing = access(place, F_OK) == 0 ? place : folder(of: place)
    return access(existing, W_OK | X_OK) == 0
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
    let isRoot = geteuid() == 0
    guard isWritable || !isRoot else {
      throw CommandError("\(path) cannot be written: \(String(cString: strerror(errno)))")
    }
    guard isWritable, !runsCommands || isRoot else {
      throw CommandError(
        "\(path) can only be written by root; try:\n\n    sudo orientationctl calibrate --hwdb")
    }
    try checkReplaceable()
  }

  private func checkReplaceable() throws(CommandError) {
    // A folder that does not exist yet is made when the file is written.
    if access(folder(of: path), F_OK) == 0 { try OrientationctlKit.checkReplaceable(path) }
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
    let paragraphs =
      ["The lines for \(place):".brokenProse(), lines.map { "    \($0)" }.joined(separator: "\n")] + notes
    return paragraphs.map { "\($0)\n\n" }.joined()
  }

  /// Sets the matrix of the sensor in the file, and changes nothing else.
  ///
  /// - Throws: ``CommandError``
  func write(_ matrix: MountMatrix) throws(CommandError) {
    guard let match else { return }
    try checkReplaceable()
    var text = HwdbText(try readFile(path) ?? "")
    text.set(matrix: matrix.description, of: sensor.displayName, match: match)
    mkdir(folder(of: path), 0o755)
    try replaceFile(path, with: text.description)
  }

  /// The commands for a shell, a line each.
  var commandLines: [String] {
    let prefix = geteuid() == 0 ? "" : "sudo "
    return commands.map { prefix + $0.joined(separator: " ") }
  }

  /// Runs the commands, and checks that udev then has the matrix.
  ///
  /// - Throws: ``CommandError`` if a command fails, or another entry of the database overrides the matrix.
  func apply(_ matrix: MountMatrix) throws(CommandError) {
    for command in commands { try Self.run(command) }
    guard let path = sensor.sysfsPath else { return }
    let found = (try? UdevDevice(sysfsPath: path).property("ACCEL_MOUNT_MATRIX")) ?? nil
    guard found == matrix.description else {
      throw CommandError(
        """
        udev has \(found.map { "the mount matrix \($0.printable)" } ?? "no mount matrix") for the sensor now: a file in \
        /etc/udev/hwdb.d whose name sorts after this one, or a udev rule, overrides the lines
        """)
    }
  }

  private static func run(_ command: [String]) throws(CommandError) {
    var words: [UnsafeMutablePointer<CChar>?] = command.map { strdup($0) } + [nil]
    defer { for word in words { free(word) } }
    var process: pid_t = 0
    let code = posix_spawnp(&process, command[0], nil, nil, &words, environ)
    guard code == 0 else { throw CommandError("\(command[0]): \(String(cString: strerror(code)))") }
    var status: CInt = 0
    while waitpid(process, &status, 0) < 0 && errno == EINTR {}
    guard status == 0 else { throw CommandError("'\(command.joined(separator: " "))' failed") }
  }
}
