// SPDX-License-Identifier: Apache-2.0

import DaemonClient
import Glibc
import MockDevices
import Systemd
import TestSupport

/// A daemon on a machine with a sensor to calibrate, and who may set its mount matrix.
final class CalibratedDaemon {
  let machine: CalibratedMachine
  let bus: PrivateBus
  let polkit: MockPolkit
  let socket: FakeMotionSocket
  /// Where its configuration and its state are.
  let folder: TemporaryFolder
  private let observer: Bus
  private(set) var process: ChildProcess

  /// Starts it.
  ///
  /// - Parameters:
  ///   - behaviour: what polkit says.
  ///   - configuration: the daemon's.
  ///   - sensor: the daemon's `--sensor`.
  ///   - machine: its sensor.
  /// - Throws: what keeps it from being started.
  init(
    _ behaviour: MockPolkit.Behaviour = .allow, configuration: String = "", sensor: String = "auto",
    machine: CalibratedMachine = CalibratedMachine(hasBuffer: false)
  ) throws {
    self.machine = machine
    folder = try TemporaryFolder()
    bus = try PrivateBus()
    polkit = try MockPolkit(on: bus, behaviour)
    socket = try FakeMotionSocket()
    observer = try Bus.open(.address(bus.address))
    try folder.write(configuration, to: "test.conf")
    process = try Self.start(sensor, machine, bus, socket, folder)
    try waitForService()
  }

  /// The environment of a program on this bus and machine.
  var environment: [String: String] { Self.environment(machine, bus) }

  /// What the daemon says of the mount matrix, and where it is from.
  func matrix() throws -> [String] {
    try ["MountMatrix", "MountMatrixSource"].map { name in
      let call = try observer.methodCall(
        destination: "org.orientationd1", path: "/org/orientationd1",
        interface: "org.freedesktop.DBus.Properties", member: "Get")
      try call.append("org.orientationd1.Sensor")
      try call.append(name)
      return try observer.call(call).readVariant()
    }
  }

  /// Where the daemon's configuration is.
  var configurationPath: String { "\(folder.path)/test.conf" }

  /// Sets the mount matrix, as another program.
  func setMountMatrix(_ matrix: String) throws {
    let call = try observer.methodCall(
      destination: "org.orientationd1", path: "/org/orientationd1", interface: "org.orientationd1.Sensor",
      member: "SetMountMatrix")
    try call.append(matrix)
    _ = try observer.call(call)
  }

  /// Ends the daemon.
  func end() throws {
    process.send(SIGTERM)
    try process.exitCode()
  }

  /// Starts another one, with the same state.
  func startAgain() throws {
    process = try Self.start("auto", machine, bus, socket, folder)
    try waitForService()
  }

  private static func environment(_ machine: CalibratedMachine, _ bus: PrivateBus) -> [String: String] {
    machine.kernel.environment.merging(bus.environment) { $1 }
  }

  private static func start(
    _ sensor: String, _ machine: CalibratedMachine, _ bus: PrivateBus, _ socket: FakeMotionSocket,
    _ folder: TemporaryFolder
  ) throws -> ChildProcess {
    // The process must know its own id, which it has only after its start.
    try ChildProcess(
      "sh",
      [
        "-c", "export LISTEN_PID=$$; exec \"$0\" \"$@\"", "\(BuiltPrograms.folder)/orientationd",
        "--sensor", sensor, "--config", "\(folder.path)/test.conf", "--state", folder.path,
      ],
      environment: environment(machine, bus).merging([
        "LISTEN_FDS": "1", "LISTEN_FDNAMES": "orientationd-motion",
      ]) { $1 }, passed: socket.descriptor)
  }

  private func waitForService() throws {
    try wait(for: "orientationd") { try observer.owner(of: "org.orientationd1") != nil }
  }
}
