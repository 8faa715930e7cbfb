// SPDX-License-Identifier: Apache-2.0

import Glibc
import Orientation
import TestSupport
import Testing

@Suite("orientationctl monitor, of the screen")
struct MonitorScreenTests {
  private let folder: TemporaryFolder
  private let bus: PrivateBus

  init() throws {
    folder = try TemporaryFolder()
    bus = try PrivateBus()
  }

  private func sensor(_ orientations: DeviceOrientation...) throws -> String {
    "replay:\(try folder.write(recording(orientations, seconds: 1), to: "replay.csv"))"
  }

  /// What the lines say behind the time.
  private func news(_ program: ChildProcess) -> [String] { program.lines.map { String($0.dropFirst(14)) } }

  private func run(_ arguments: String...) throws {
    let program = try bus.start("orientationctl", arguments)
    #expect(try program.exitCode() == 0, "\(arguments): \(program.errors)")
  }

  @Test("prints how the interface is, and how it follows the device")
  func following() throws {
    let daemon = try bus.startDaemon(sensor: sensor(.portrait, .landscapeLeft))
    let monitor = try bus.orientationctl("monitor", "--count", "4")
    #expect(
      news(monitor).sorted() == [
        "device landscapeLeft", "device portrait", "interface landscapeRight (right edge up), transform 270",
        "interface portrait (top edge up), transform normal",
      ])
    withExtendedLifetime(daemon) {}
  }

  @Test("prints a line for the lock, for each rotation, and for what is supported")
  func lock() throws {
    let daemon = try bus.startDaemon(sensor: sensor(.portrait))
    let monitor = try bus.start("orientationctl", ["monitor", "--screen"])
    try wait(for: "the present state") { monitor.lines.count == 1 }
    try run("lock")
    try run("lock")
    try run("rotate", "landscapeLeft")
    try run("supported", "landscape")
    try run("supported", "portrait")
    try run("unlock")
    try wait(for: "the changes") { monitor.lines.count == 7 }
    #expect(
      news(monitor) == [
        "interface portrait (top edge up), transform normal", "rotation locked",
        "interface landscapeLeft (left edge up), transform 90",
        "supported landscapeRight (right edge up), landscapeLeft (left edge up)",
        "supported portrait (top edge up)",
        "interface portrait (top edge up), transform normal",
        "rotation unlocked",
      ])
    withExtendedLifetime(daemon) {}
  }

  @Test("unlocked, the lock is told first, and then where the interface and the device are")
  func unlocked() throws {
    let text = recording([.portrait, .portrait, .portrait, .landscapeLeft], seconds: 1)
    let daemon = try bus.startDaemon(sensor: "replay:\(folder.write(text, to: "replay.csv"))")
    let monitor = try bus.start("orientationctl", ["monitor"])
    try wait(for: "the device") { news(monitor).contains("device portrait") }
    try run("lock")
    try wait(for: "the turn") { try bus.orientationctl("status").output.contains("x 9.81") }
    // Gravity is told first, and the turn decided soon after.
    usleep(500_000)
    try run("unlock")
    try wait(for: "all") { monitor.lines.count == 6 }
    #expect(
      news(monitor).suffix(4) == [
        "rotation locked", "rotation unlocked", "interface landscapeRight (right edge up), transform 270",
        "device landscapeLeft",
      ])
    withExtendedLifetime(daemon) {}
  }

  @Test("prints at the start what is not as it is by default: the lock, and what is supported")
  func present() throws {
    let daemon = try bus.startDaemon(sensor: sensor(.portrait))
    try run("supported", "landscape")
    try run("lock")
    #expect(
      try news(bus.orientationctl("monitor", "--screen", "--count", "3")) == [
        "rotation locked", "supported landscapeRight (right edge up), landscapeLeft (left edge up)",
        "interface landscapeLeft (left edge up), transform 90",
      ])
    withExtendedLifetime(daemon) {}
  }

  @Test("prints JSON, an object a line, with the kind of event")
  func json() throws {
    let daemon = try bus.startDaemon(sensor: sensor(.portrait))
    try run("supported", "landscapeLeft")
    try run("lock")
    let lines = try bus.orientationctl("monitor", "--screen", "--json", "--count", "3").lines.map(object)
    let events = ["rotation_lock", "supported_interface_orientations", "interface_orientation"]
    #expect(lines.map { $0["event"] as? String } == events)
    #expect(lines.allSatisfy { $0["boottime_us"] is Int && ($0["time"] as? String)?.contains("T") == true })
    #expect(lines[0]["rotation_locked"] as? Bool == true)
    #expect(lines[2]["interface_orientation"] as? Int == 4)
    #expect(lines[2]["interface_orientation_name"] as? String == "landscapeLeft")
    #expect(lines[2]["transform"] as? String == "90")
    #expect(lines[1]["supported_interface_orientations"] as? [String] == ["landscapeLeft"])
    withExtendedLifetime(daemon) {}
  }

  @Test(
    "says nothing of a screen that is the same when the daemon comes back, and goes on with what changes then"
  )
  func restart() throws {
    let state = try TemporaryFolder()
    let first = try bus.startDaemon(sensor: sensor(.portrait), ["--state", state.path])
    let monitor = try bus.start("orientationctl", ["monitor", "--screen"])
    try wait(for: "the present state") { monitor.lines.count == 1 }
    try run("lock")
    try run("rotate", "landscapeLeft")
    try wait(for: "the changes") { monitor.lines.count == 3 }
    first.send(SIGTERM)
    #expect(try first.exitCode() == 0)
    try wait(for: "a note") {
      monitor.errors.contains("orientationd has stopped; waiting for it to start again")
    }
    let second = try bus.startDaemon(sensor: sensor(.portrait), ["--state", state.path])
    try wait(for: "a note") { monitor.errors.split(separator: "listening to").count == 3 }
    try run("unlock")
    try wait(for: "the unlocking") { monitor.lines.count >= 4 }
    #expect(
      news(monitor).prefix(4) == [
        "interface portrait (top edge up), transform normal", "rotation locked",
        "interface landscapeLeft (left edge up), transform 90",
        "rotation unlocked",
      ])
    withExtendedLifetime(second) {}
  }

  @Test("says what is different where the daemon comes back with another state")
  func forgetfulRestart() throws {
    let first = try bus.startDaemon(sensor: sensor(.faceUp))
    let monitor = try bus.start("orientationctl", ["monitor", "--screen"])
    try wait(for: "the present state") { monitor.lines.count == 1 }
    try run("lock")
    try wait(for: "the lock") { monitor.lines.count == 2 }
    first.send(SIGTERM)
    #expect(try first.exitCode() == 0)
    let second = try bus.startDaemon(sensor: sensor(.faceUp))
    try wait(for: "the difference") { monitor.lines.count == 3 }
    #expect(
      news(monitor) == [
        "interface portrait (top edge up), transform normal", "rotation locked", "rotation unlocked",
      ])
    withExtendedLifetime(second) {}
  }
}
