// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A message bus of the test's own, run by Debian's dbus-daemon.
final class PrivateBus {
  private let directory: TemporaryDirectory
  private let process: ChildProcess

  /// The D-Bus address.
  let address: String

  /// Who may own names on the bus.
  enum Policy: String {
    /// Everybody owns every name.
    case open = "<allow own='*'/>"
    /// Nobody owns any, as on a system bus where the service's policy is not installed.
    case closed = "<deny own='*'/>"
    /// Everybody owns the daemon's own name, and nobody another.
    case ownOnly = "<deny own='*'/><allow own='org.orientationd1'/>"
  }

  /// Starts a bus.
  ///
  /// - Parameters:
  ///   - policy: who may own names.
  ///   - commands: by bus name, what the bus starts when somebody calls it.
  /// - Throws: ``GaveUp`` if it does not come up.
  init(_ policy: Policy = .open, activating commands: [String: String] = [:]) throws {
    directory = try TemporaryDirectory()
    for (name, command) in commands {
      try directory.write("[D-BUS Service]\nName=\(name)\nExec=\(command)\n", to: "\(name).service")
    }
    let socket = "\(directory.path)/bus"
    address = "unix:path=\(socket)"
    let configuration = try directory.write(
      """
      <busconfig>
        <listen>\(address)</listen>
        <servicedir>\(directory.path)</servicedir>
        <limit name='max_connections_per_user'>1000</limit>
        <auth>EXTERNAL</auth>
        <policy context='default'>
          <allow user='*'/>
          <allow send_destination='*' eavesdrop='true'/>
          <allow receive_sender='*'/>
          \(policy.rawValue)
        </policy>
      </busconfig>
      """, to: "bus.conf")
    process = try ChildProcess(
      "dbus-daemon", ["--nofork", "--config-file=\(configuration)", "--print-address=1"])
    try wait(for: "dbus-daemon") { process.output.contains("\n") }
  }

  /// Ends the bus under everybody who uses it.
  func end() throws {
    process.send(SIGKILL)
    _ = try process.exitCode()
  }
}
