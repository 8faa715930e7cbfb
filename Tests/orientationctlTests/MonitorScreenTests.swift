// SPDX-License-Identifier: Apache-2.0

import Glibc
import Orientation
import Testing

@Suite("orientationctl monitor, of the screen")
struct MonitorScreenTests {
  private let folder = TemporaryFolder()
  private let bus = PrivateBus()

  private func sensor(_ orientations: DeviceOrientation...) -> String {
    "replay:\(folder.write(recording(orientations, seconds: 1), to: "replay.csv"))"
  }

  /// What the lines say behind the time.
  private func news(_ program: Program) -> [String] { program.lines.map { String($0.dropFirst(14)) } }

  private func run(_ arguments: String...) {
    let program = bus.start(["orientationctl"] + arguments)
    #expect(program.end() == 0, "\(arguments): \(program.errors)")
  }

  @Test("prints how the interface is, and how it follows the device")
  func following() {
    let daemon = bus.startDaemon(sensor: sensor(.portrait, .landscapeLeft))
    let monitor = bus.orientationctl("monitor", "--count", "4")
    #expect(
      news(monitor).sorted() == [
        "device landscapeLeft", "device portrait", "interface landscapeRight, transform 270",
        "interface portrait, transform normal",
      ])
    withExtendedLifetime(daemon) {}
  }

  @Test("prints a line for the lock, for each rotation, and for what is supported")
  func lock() {
    let daemon = bus.startDaemon(sensor: sensor(.portrait))
    let monitor = bus.start(["orientationctl", "monitor", "--screen"])
    waitUntil("the present state") { monitor.lines.count == 1 }
    run("lock")
    run("lock")
    run("rotate", "landscapeLeft")
    run("supported", "landscape")
    run("supported", "portrait")
    run("unlock")
    waitUntil("the changes") { monitor.lines.count == 7 }
    #expect(
      news(monitor) == [
        "interface portrait, transform normal", "rotation locked", "interface landscapeLeft, transform 90",
        "supported landscapeRight, landscapeLeft", "supported portrait",
        "interface portrait, transform normal",
        "rotation unlocked",
      ])
    withExtendedLifetime(daemon) {}
  }

  @Test("unlocked, the lock is told first, and then where the interface and the device are")
  func unlocked() {
    let text = recording([.portrait, .portrait, .portrait, .landscapeLeft], seconds: 1)
    let daemon = bus.startDaemon(sensor: "replay:\(folder.write(text, to: "replay.csv"))")
    let monitor = bus.start(["orientationctl", "monitor"])
    waitUntil("the device") { news(monitor).contains("device portrait") }
    run("lock")
    waitUntil("the turn") { bus.orientationctl("status").output.contains("x 9.81") }
    // Gravity is told first, and the turn decided soon after.
    usleep(500_000)
    run("unlock")
    waitUntil("all") { monitor.lines.count == 6 }
    #expect(
      news(monitor).suffix(4) == [
        "rotation locked", "rotation unlocked", "interface landscapeRight, transform 270",
        "device landscapeLeft",
      ])
    withExtendedLifetime(daemon) {}
  }

  @Test("prints at the start what is not as it is by default: the lock, and what is supported")
  func present() {
    let daemon = bus.startDaemon(sensor: sensor(.portrait))
    run("supported", "landscape")
    run("lock")
    #expect(
      news(bus.orientationctl("monitor", "--screen", "--count", "3")) == [
        "rotation locked", "supported landscapeRight, landscapeLeft", "interface landscapeLeft, transform 90",
      ])
    withExtendedLifetime(daemon) {}
  }

  @Test("prints JSON, an object a line, with the kind of event")
  func json() throws {
    let daemon = bus.startDaemon(sensor: sensor(.portrait))
    run("supported", "landscapeLeft")
    run("lock")
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
  func restart() {
    let state = TemporaryFolder()
    let first = bus.startDaemon(sensor: sensor(.portrait), ["--state", state.path])
    let monitor = bus.start(["orientationctl", "monitor", "--screen"])
    waitUntil("the present state") { monitor.lines.count == 1 }
    run("lock")
    run("rotate", "landscapeLeft")
    waitUntil("the changes") { monitor.lines.count == 3 }
    first.send(SIGTERM)
    #expect(first.end() == 0)
    waitUntil("a note") { monitor.errors.contains("orientationd has gone; waiting for it to come back") }
    let second = bus.startDaemon(sensor: sensor(.portrait), ["--state", state.path])
    waitUntil("a note") { monitor.errors.split(separator: "listening to").count == 3 }
    run("unlock")
    waitUntil("the unlocking") { monitor.lines.count >= 4 }
    #expect(
      news(monitor).prefix(4) == [
        "interface portrait, transform normal", "rotation locked", "interface landscapeLeft, transform 90",
        "rotation unlocked",
      ])
    withExtendedLifetime(second) {}
  }

  @Test("says what is different where the daemon comes back with another state")
  func forgetfulRestart() {
    let first = bus.startDaemon(sensor: sensor(.faceUp))
    let monitor = bus.start(["orientationctl", "monitor", "--screen"])
    waitUntil("the present state") { monitor.lines.count == 1 }
    run("lock")
    waitUntil("the lock") { monitor.lines.count == 2 }
    first.send(SIGTERM)
    #expect(first.end() == 0)
    let second = bus.startDaemon(sensor: sensor(.faceUp))
    waitUntil("the difference") { monitor.lines.count == 3 }
    #expect(
      news(monitor) == ["interface portrait, transform normal", "rotation locked", "rotation unlocked"])
    withExtendedLifetime(second) {}
  }
}
