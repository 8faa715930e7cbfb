// SPDX-License-Identifier: Apache-2.0

import Glibc

/// A message bus of the test's own, run by Debian's dbus-daemon.
package final class PrivateBus {
  private let process: ChildProcess

  /// Where its files are.
  package let folder: TemporaryFolder

  /// The D-Bus address.
  package let address: String

  /// Who may own names on the bus.
  package enum Policy {
    /// Everybody owns every name.
    case open
    /// Nobody owns any, as on a system bus where the service's policy is not installed.
    case closed
    /// Everybody owns this name, and nobody another.
    case only(String)
    /// Everybody owns every name but this.
    case allBut(String)

    /// As the bus's configuration has it.
    fileprivate var rules: String {
      switch self {
      case .open: "<allow own='*'/>"
      case .closed: "<deny own='*'/>"
      case .only(let name): "<deny own='*'/><allow own='\(name)'/>"
      case .allBut(let name): "<allow own='*'/><deny own='\(name)'/>"
      }
    }
  }

  /// Starts a bus.
  ///
  /// - Parameters:
  ///   - policy: who may own names.
  ///   - commands: by bus name, what the bus starts when somebody calls it.
  /// - Throws: ``GaveUp`` if it does not come up.
  package init(_ policy: Policy = .open, activating commands: [String: String] = [:]) throws {
    folder = try TemporaryFolder()
    for (name, command) in commands {
      try folder.write("[D-BUS Service]\nName=\(name)\nExec=\(command)\n", to: "\(name).service")
    }
    address = "unix:path=\(folder.path)/bus"
    let configuration = try folder.write(
      """
      <busconfig>
        <listen>\(address)</listen>
        <servicedir>\(folder.path)</servicedir>
        <limit name='max_connections_per_user'>1000</limit>
        <auth>EXTERNAL</auth>
        <policy context='default'>
          <allow user='*'/>
          <allow send_destination='*' eavesdrop='true'/>
          <allow receive_sender='*'/>
          \(policy.rules)
        </policy>
      </busconfig>
      """, to: "bus.conf")
    process = try ChildProcess(
      "dbus-daemon", ["--nofork", "--config-file=\(configuration)", "--print-address=1"],
      environment: Self.environment(address))
    try wait(for: "dbus-daemon") { process.output.contains("\n") }
  }

  /// Makes this the system bus of a program.
  package var environment: [String: String] { Self.environment(address) }

  private static func environment(_ address: String) -> [String: String] {
    ["DBUS_SYSTEM_BUS_ADDRESS": address]
  }

  /// Starts a program whose system bus this is.
  package func start(
    _ program: String, _ arguments: [String] = [], output: CInt? = nil
  ) throws -> ChildProcess {
    try ChildProcess(program, arguments, environment: environment, output: output)
  }

  /// Has it do nothing until it is resumed.
  package func stop() { process.send(SIGSTOP) }

  /// Has it go on.
  package func resume() { process.send(SIGCONT) }

  /// Ends the bus under everybody who uses it.
  package func end() throws {
    process.send(SIGKILL)
    try process.exitCode()
  }
}
