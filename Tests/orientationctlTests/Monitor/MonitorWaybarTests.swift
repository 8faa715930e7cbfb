// SPDX-License-Identifier: Apache-2.0

import Glibc
import Orientation
import TestSupport
import Testing

@Suite("orientationctl monitor --waybar")
struct MonitorWaybarTests {
  private let folder: TemporaryFolder
  private let bus: PrivateBus

  init() throws {
    folder = try TemporaryFolder()
    bus = try PrivateBus()
  }

  private func startDaemon() throws -> ChildProcess {
    let sensor = try folder.write(recording([.landscapeLeft], seconds: 1), to: "replay.csv")
    return try bus.startDaemon(sensor: "replay:\(sensor)")
  }

  private func run(_ arguments: String...) throws {
    let program = try bus.start("orientationctl", arguments)
    #expect(try program.exitCode() == 0, "\(arguments): \(program.errors)")
  }

  private func isGenerating() throws -> Bool? {
    try object(bus.orientationctl("status", "--json").output)["generating"] as? Bool
  }

  /// The classes of each line, which are "alt" and the orientation.
  private func classes(_ monitor: ChildProcess) throws -> [String] {
    try monitor.lines.map { line in
      let line = try object(line)
      let classes = try #require(line["class"] as? [String])
      #expect(line["alt"] as? String == classes[0])
      #expect(line["text"] as? String == "rotation \(classes[0])")
      return classes.joined(separator: " ")
    }
  }

  @Test("prints the present state at once, and a line for each change of the lock and the interface")
  func changes() throws {
    let daemon = try startDaemon()
    try run("lock")
    let monitor = try bus.start("orientationctl", ["monitor", "--waybar"])
    try wait(for: "the present state") { monitor.lines.count == 1 }
    try run("unlock")
    try run("rotate", "landscapeLeft")
    try run("toggle")
    try wait(for: "the changes") { monitor.lines.count == 4 }
    #expect(
      try classes(monitor) == [
        "locked portrait", "unlocked portrait", "unlocked landscapeLeft", "locked landscapeLeft",
      ])
    #expect(monitor.errors.isEmpty)
    withExtendedLifetime(daemon) {}
  }

  @Test("does not repeat a line for a change that it does not show")
  func repetition() throws {
    let daemon = try startDaemon()
    let monitor = try bus.start("orientationctl", ["monitor", "--waybar", "--count", "2"])
    try wait(for: "the present state") { monitor.lines.count == 1 }
    try run("supported", "portrait", "landscapeLeft")
    try run("unlock")
    try run("lock")
    #expect(try monitor.exitCode() == 0)
    #expect(try classes(monitor) == ["unlocked portrait", "locked portrait"])
    withExtendedLifetime(daemon) {}
  }

  @Test("does not keep the sensor running, and shows how the interface follows while another program does")
  func sensor() throws {
    let daemon = try startDaemon()
    let monitor = try bus.start("orientationctl", ["monitor", "--waybar"])
    try wait(for: "the present state") { monitor.lines.count == 1 }
    #expect(try isGenerating() == false)
    let desktop = try bus.start("orientationctl", ["monitor"])
    try wait(for: "the turn") { monitor.lines.count == 2 }
    desktop.send(SIGTERM)
    try desktop.exitCode()
    #expect(try isGenerating() == false)
    #expect(try classes(monitor) == ["unlocked portrait", "unlocked landscapeRight"])
    monitor.send(SIGTERM)
    #expect(try monitor.exitCode() == 0)
    withExtendedLifetime(daemon) {}
  }

  @Test("shows the holds of apps in the tooltip, which is markup")
  func holds() throws {
    let daemon = try startDaemon()
    let monitor = try bus.start("orientationctl", ["monitor", "--waybar"])
    try wait(for: "the present state") { monitor.lines.count == 1 }
    try run("hold", "portrait", "--application", "<b>A&B", "--reason", "plays a film", "--", "true")
    try wait(for: "the hold and its end") { monitor.lines.count == 3 }
    let tooltips = try monitor.lines.map { try #require(object($0)["tooltip"] as? String) }
    #expect(
      tooltips == [
        "rotation is unlocked; the interface is in portrait",
        "rotation is unlocked; the interface is in portrait\n"
          + #"held by &lt;b&gt;A&amp;B: portrait (plays a film)"#,
        "rotation is unlocked; the interface is in portrait",
      ])
    withExtendedLifetime(daemon) {}
  }

  @Test("shows that no daemon runs, at the start and when it ends, and follows the next one")
  func restart() throws {
    let monitor = try bus.start("orientationctl", ["monitor", "--waybar"])
    try wait(for: "that no daemon runs") { monitor.lines.count == 1 }
    let first = try startDaemon()
    try wait(for: "the state") { monitor.lines.count == 2 }
    first.send(SIGKILL)
    try first.exitCode()
    try wait(for: "the end of the daemon") { monitor.lines.count == 3 }
    let second = try startDaemon()
    try wait(for: "the state") { monitor.lines.count == 4 }
    #expect(
      try classes(monitor) == ["unavailable", "unlocked portrait", "unavailable", "unlocked portrait"])
    withExtendedLifetime(second) {}
  }

  @Test("fails when the bus ends, after a line that says so")
  func noBus() throws {
    let daemon = try startDaemon()
    let monitor = try bus.start("orientationctl", ["monitor", "--waybar"])
    try wait(for: "the present state") { monitor.lines.count == 1 }
    try bus.end()
    #expect(try monitor.exitCode() == 1)
    #expect(try classes(monitor).last == "unavailable")
    withExtendedLifetime(daemon) {}
  }

  @Test("ends when its reader is gone")
  func readerEnds() throws {
    let daemon = try startDaemon()
    let reader = try OutputReader(.pipe)
    let monitor = try reader.start("orientationctl", ["monitor", "--waybar"], on: bus)
    #expect(reader.readLine().contains(#""alt":"unlocked""#))
    reader.close()
    #expect(try monitor.exitCode() == 0)
    withExtendedLifetime(daemon) {}
  }

  @Test("starts the daemon, and fails with --seconds if none ran")
  func noDaemon() throws {
    let program = try bus.orientationctl("monitor", "--waybar", "--seconds", "0.3")
    #expect(try program.exitCode() == 1)
    #expect(try classes(program) == ["unavailable"])
    let sensor = try folder.write(recording([.portrait]), to: "replay.csv")
    let command = "\(BuiltPrograms.folder)/orientationd --config /dev/null --sensor replay:\(sensor)"
    let activating = try PrivateBus(activating: ["org.orientationd1": command])
    let started = try activating.orientationctl("monitor", "--waybar", "--count", "2")
    #expect(try started.exitCode() == 0)
    #expect(try classes(started).first == "unavailable")
    #expect(try classes(started).last?.hasPrefix("unlocked ") == true)
  }
}
