// SPDX-License-Identifier: Apache-2.0

import Glibc

/// A message bus of a test's own, which takes the place of the system bus.
final class PrivateBus {
  private let folder = TemporaryFolder()
  private let daemon: Program

  /// Makes programs use this bus.
  let environment: [String: String]

  /// Starts a bus.
  ///
  /// - Parameter command: the command by which the bus starts orientationd; nil where it cannot.
  init(starting command: String? = nil) {
    let address = "unix:path=\(folder.path)/bus"
    environment = ["DBUS_SYSTEM_BUS_ADDRESS": address]
    if let command {
      folder.write(
        "[D-BUS Service]\nName=org.orientationd1\nExec=\(command)\n", to: "org.orientationd1.service")
    }
    let configuration = folder.write(
      """
      <busconfig>
        <listen>\(address)</listen>
        <servicedir>\(folder.path)</servicedir>
        <policy context="default">
          <allow send_destination="*"/>
          <allow eavesdrop="true"/>
          <allow own="*"/>
        </policy>
      </busconfig>
      """, to: "bus.conf")
    daemon = Program(
      ["dbus-daemon", "--config-file=\(configuration)", "--nofork", "--nopidfile"], environment: environment)
    let socket = "\(folder.path)/bus"
    waitUntil("the bus") { access(socket, F_OK) == 0 }
  }

  /// Runs orientationctl on this bus to its end.
  func orientationctl(_ arguments: String...) -> Program {
    let program = start(["orientationctl"] + arguments)
    program.end()
    return program
  }

  /// Starts a program that uses this bus.
  func start(_ arguments: [String]) -> Program {
    Program(arguments, environment: environment)
  }

  /// Starts orientationd and waits until it serves.
  ///
  /// Neither this machine's configuration matters nor its panel.
  func startDaemon(sensor: String, _ options: [String] = []) -> Program {
    let configuration = folder.write("NaturalOrientation=portrait\n", to: "daemon.conf")
    let daemon = start(["orientationd", "--config", configuration, "--sensor", sensor] + options)
    waitUntil("orientationd") { orientationctl("status", "--json").output.contains("\"running\":true") }
    return daemon
  }

  /// Ends the bus.
  func end() {
    daemon.send(SIGTERM)
    daemon.end()
  }
}
