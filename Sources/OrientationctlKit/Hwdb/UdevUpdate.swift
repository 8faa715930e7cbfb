// SPDX-License-Identifier: Apache-2.0

import Glibc
import IIO
import Systemd

/// The commands by which udev reads a new entry of its hardware database: to show, or to run.
struct UdevUpdate {
  private let sensor: SensorDescription
  private let commands: [[String]]

  init(of sensor: SensorDescription) {
    self.sensor = sensor
    commands = [
      ["systemd-hwdb", "update"],
      // udevd checks for a new database itself, but at most once in three seconds.
      ["udevadm", "control", "--reload"],
      // The path and not a device node, which a sensor without a buffer does not have.
      ["udevadm", "trigger", "--settle", "/sys/bus/iio/devices/\(sensor.id)"],
    ]
  }

  /// The commands as one line for a shell.
  var commandLine: String {
    let prefix = geteuid() == 0 ? "" : "sudo "
    return commands.map { prefix + $0.joined(separator: " ") }.joined(separator: " && ")
  }

  /// Runs the commands, and checks that udev then has the matrix.
  ///
  /// - Throws: ``CommandError`` if a command fails, or another entry of the database overrides the matrix.
  func run(expecting matrix: String) throws(CommandError) {
    for command in commands { try Self.run(command) }
    guard let path = sensor.sysfsPath else { return }
    let found = (try? UdevDevice.property("ACCEL_MOUNT_MATRIX", ofSysfsPath: path)) ?? nil
    guard found == matrix else {
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
