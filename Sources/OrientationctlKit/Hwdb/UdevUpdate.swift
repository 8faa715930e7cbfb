// SPDX-License-Identifier: Apache-2.0

import Glibc
import IIO
import Systemd

/// What makes udev know a new entry of its hardware database: for a person to run, or run here.
struct UdevUpdate {
  private let sensor: SensorDescription
  private let commands: [[String]]

  init(of sensor: SensorDescription) {
    self.sensor = sensor
    commands = [
      ["systemd-hwdb", "update"],
      // udevd looks by itself whether the database is new, but not more often than every three seconds.
      ["udevadm", "control", "--reload"],
      // By its path: a sensor without a buffer has no device node to be named by.
      ["udevadm", "trigger", "--settle", "/sys/bus/iio/devices/\(sensor.id)"],
    ]
  }

  /// The commands on a line of a shell.
  var commandLine: String {
    let prefix = geteuid() == 0 ? "" : "sudo "
    return commands.map { prefix + $0.joined(separator: " ") }.joined(separator: " && ")
  }

  /// Runs the commands, and makes sure that udev has the matrix then.
  ///
  /// - Throws: ``CommandError`` where a command fails, or another entry of the database goes before.
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
