// SPDX-License-Identifier: Apache-2.0

import Foundation
import MockDevices
import Orientation
import TestSupport

/// A bus with a running daemon and one client, and the kernel whose sensors the daemon sees.
final class Rig {
  let folder: TemporaryFolder
  let kernel: MockKernel
  let bus: PrivateBus
  let daemon: ChildProcess
  let client: Client
  private let arguments: [String]
  private let daemonEnvironment: [String: String]

  /// Starts all of it, and waits until the daemon has its name.
  ///
  /// - Parameters:
  ///   - sensor: the daemon's `--sensor`.
  ///   - configuration: the daemon's configuration file.
  ///   - options: added to the daemon's command line.
  ///   - environment: added to the daemon's environment.
  ///   - bus: the bus to serve on; nil makes one.
  ///   - motionSocket: passed to the daemon as the service manager does; nil is none.
  ///   - devices: adds the devices that there are from the start.
  /// - Throws: ``GaveUp`` if the daemon does not come up.
  init(
    sensor: String = "auto", configuration: String = "", options: [String] = [],
    environment: [String: String] = [:], bus: PrivateBus? = nil, motionSocket: CInt? = nil,
    devices: (borrowing MockKernel) -> Void = { _ in }
  ) throws {
    folder = try TemporaryFolder()
    kernel = MockKernel()
    devices(kernel)
    self.bus = try bus ?? PrivateBus()
    client = try Client(on: self.bus)
    let file = try folder.write(configuration, to: "test.conf")
    arguments = ["--sensor", sensor, "--config", file] + options
    daemonEnvironment = kernel.environment.merging(environment) { _, given in given }
    daemon = try Daemon.start(
      arguments, bus: self.bus, environment: daemonEnvironment, motionSocket: motionSocket)
    try client.waitForService()
  }

  /// Starts all of it with a daemon that plays a recording.
  convenience init(replaying recording: String, configuration: String = "") throws {
    let folder = try TemporaryFolder()
    let file = try folder.write(recording, to: "recording.csv")
    try self.init(sensor: "replay:\(file)", configuration: configuration)
    self.recordingFolder = folder
  }

  /// Keeps the recording.
  private var recordingFolder: TemporaryFolder?

  /// What the daemon has logged so far, line by line.
  var log: [String] { daemon.errors.split(separator: "\n").map(String.init) }

  /// Waits until the daemon has logged a line that contains a text.
  func waitForLog(_ text: String) throws {
    try client.wait(for: "\"\(text)\" in the log") { log.contains { $0.contains(text) } }
  }

  /// Starts a daemon like the one that was ended, and waits until it has its name.
  ///
  /// What it announces at once is not forgotten: on a busy machine, it has decided before the client sees the name.
  func startAnotherDaemon() throws -> ChildProcess {
    let another = try Daemon.start(arguments, bus: bus, environment: daemonEnvironment)
    try client.waitForName()
    return another
  }

  /// Ends the daemon as the service manager does; returns its exit code.
  func end() throws -> Int32 {
    daemon.send(SIGTERM)
    return try daemon.exitCode()
  }
}

/// A recording of a tablet that is held still in one orientation after the other, each for a while.
func recording(of orientations: [DeviceOrientation], secondsEach seconds: Double = 1) -> String {
  let count = Int(seconds * 25)
  let samples = orientations.enumerated().flatMap { place, orientation in
    (0..<count).map { "\(Double(place * count + $0) / 25),\(readings[orientation] ?? "")" }
  }
  return (["t_s,ax,ay,az"] + samples).joined(separator: "\n") + "\n"
}

/// The readings of a tablet in each orientation, in the screen's axes, m/s^2.
///
/// A reading is the force that supports the tablet: +g on the axis that points up.
private let readings: [DeviceOrientation: String] = [
  .portrait: "0,9.8,0", .portraitUpsideDown: "0,-9.8,0", .landscapeLeft: "9.8,0,0",
  .landscapeRight: "-9.8,0,0", .faceUp: "0,0,9.8", .faceDown: "0,0,-9.8",
]
