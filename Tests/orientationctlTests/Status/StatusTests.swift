// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Following
import Foundation
import Glibc
import Orientation
import SensorSetup
import Systemd
import TestSupport
import Testing

@testable import OrientationctlKit

@Suite("orientationctl status")
struct StatusTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func replay(_ text: String) throws -> String {
    "replay:\(try folder.write(text, to: "replay.csv"))"
  }

  /// The members of JSON that a section of orientationctl(1) describes.
  private func members(_ section: String) throws -> [String] {
    let page = try projectFile("data/man/orientationctl.1")
    let text = try #require(page.components(separatedBy: "\n.Ss orientationctl \(section)\n").last)
    return text.components(separatedBy: "\n.Ss ")[0].matches(of: /(?m)^\.It (.*)$/)
      .flatMap { $0.1.split { $0 == " " || $0 == "," }.map(String.init) }.sorted()
  }

  @Test("without a bus says so")
  func noBus() throws {
    let program = try orientationctl(
      "status", environment: ["DBUS_SYSTEM_BUS_ADDRESS": "unix:path=/nonexistent"])
    #expect(try program.exitCode() == 1)
    #expect(program.output.isEmpty)
    #expect(program.errors.contains("cannot connect to the system bus (No such file or directory)"))
  }

  @Test("without a daemon says so, and how to start it")
  func noDaemon() throws {
    let bus = try PrivateBus()
    let program = try bus.orientationctl("status")
    #expect(try program.exitCode() == 1)
    #expect(program.output.isEmpty)
    #expect(program.errors.contains("orientationd does not run on the system bus"))
    #expect(program.errors.contains("systemctl start orientationd"))
    let status = try object(bus.orientationctl("status", "--json").output)
    #expect(status["running"] as? Bool == false)
  }

  @Test("of a daemon that cannot be started says why")
  func cannotBeStarted() throws {
    let program = try PrivateBus(activating: ["org.orientationd1": "/bin/false"]).orientationctl("status")
    #expect(try program.exitCode() == 1)
    #expect(program.errors.contains("the system bus could not start it"))
  }

  @Test(
    "of a daemon that systemd or the bus cannot start says why",
    arguments: ["org.freedesktop.systemd1.UnitMasked", "org.freedesktop.DBus.Error.Spawn.ExecFailed"])
  func failedStart(name: String) throws {
    let error = CommandError(
      BusError(name: name, message: "It is masked."), options: try BusOptions.parse([]))
    #expect(
      error.description == "orientationd does not run, and the system bus could not start it: It is masked.")
  }

  @Test("has the bus start the daemon, and says that it did")
  func activation() throws {
    let sensor = try replay(recording([.faceUp]))
    let command = "\(BuiltPrograms.folder)/orientationd --config /dev/null --sensor \(sensor)"
    let program = try PrivateBus(activating: ["org.orientationd1": command]).orientationctl("status")
    #expect(try program.exitCode() == 0)
    #expect(program.output.contains("started for this request"))
    #expect(program.output.contains("faceUp, screen up (measured just now)"))
  }

  @Test("has the orientation measured where nobody asks for notifications")
  func idle() throws {
    let bus = try PrivateBus()
    let daemon = try bus.startDaemon(sensor: replay(recording([.landscapeLeft])))
    let status = try object(bus.orientationctl("status", "--json").output)
    #expect(status["running"] as? Bool == true)
    #expect(status["version"] as? String == orientationdVersion)
    #expect(status["generating"] as? Bool == false)
    #expect(status["orientation"] as? Int == 3)
    #expect(status["name"] as? String == "landscapeLeft")
    #expect(status["has_accelerometer"] as? Bool == true)
    #expect((status["sensor_name"] as? String)?.hasPrefix("replay of") == true)
    #expect(try members("status") == status.keys.sorted())
    let screen = try #require(status["screen"] as? [String: Any])
    #expect(try members("lock, orientationctl unlock, orientationctl toggle") == screen.keys.sorted())
    // Both have the same version, so only JSON says it.
    #expect(try bus.orientationctl("status").output.hasPrefix("Daemon         running on the system bus\n"))
    withExtendedLifetime(daemon) {}
  }

  @Test("shows rate and gravity while somebody asks for notifications")
  func generating() throws {
    let bus = try PrivateBus()
    let daemon = try bus.startDaemon(sensor: replay(recording([.landscapeLeft])))
    let monitor = try bus.start("orientationctl", ["monitor", "--device"])
    try wait(for: "a change") { !monitor.lines.isEmpty }
    let status = try object(bus.orientationctl("status", "--json").output)
    #expect(status["generating"] as? Bool == true)
    #expect(status["sensor_status"] as? String == "active")
    #expect(status["sample_rate_hz"] as? Double == 25)
    #expect((status["gravity_m_s2"] as? [Double])?.count == 3)
    let text = try bus.orientationctl("status").output
    #expect(text.contains("landscapeLeft, right edge up\n"))
    #expect(text.contains("25 Hz"))
    #expect(text.contains("x 9.81  y 0.00  z 0.00 m/s^2"))
    withExtendedLifetime(daemon) {}
  }

  @Test("shows how the screen is rotated, and why it stays so")
  func screen() throws {
    let bus = try PrivateBus()
    let daemon = try bus.startDaemon(sensor: replay(recording([.landscapeLeft])))
    let before = try bus.orientationctl("status").output
    let nobody = "Screen         nothing turns it at present\n"
    #expect(
      before.contains(
        "(not decided yet: a desktop leaves its screen as it is)\n\(nobody)Rotation lock  off\nTurns          normal\nSupported      all\n"
      ))
    #expect(before.contains("Tablet mode    unknown: no switch or sensor for it\n"))
    #expect(try bus.orientationctl("supported", "allButUpsideDown").exitCode() == 0)
    #expect(try bus.orientationctl("rotate", "landscapeLeft").exitCode() == 0)
    #expect(try bus.orientationctl("lock").exitCode() == 0)
    let text = try bus.orientationctl("status").output
    #expect(
      text.contains("Interface      landscapeLeft (left edge up), transform 90\n\(nobody)Rotation lock  on\n")
    )
    #expect(
      text.contains(
        "Supported      portrait (top edge up), landscapeRight (right edge up), landscapeLeft (left edge up)\n"
      ))
    let status = try object(bus.orientationctl("status", "--json").output)
    let screen = try #require(status["screen"] as? [String: Any])
    #expect(screen["rotation_locked"] as? Bool == true)
    #expect(screen["interface_orientation"] as? Int == 4)
    #expect(screen["interface_orientation_name"] as? String == "landscapeLeft")
    #expect(screen["transform"] as? String == "90")
    #expect(
      screen["supported_interface_orientations"] as? [String] == [
        "portrait", "landscapeRight", "landscapeLeft",
      ])
    #expect(screen["tablet_mode"] as? String == "unknown")
    withExtendedLifetime(daemon) {}
  }

  @Test("of a device whose rotation was locked before its orientation was known says what is held since")
  func lockedEarly() throws {
    let bus = try PrivateBus()
    let daemon = try bus.startDaemon(sensor: replay(recording([.landscapeLeft])))
    #expect(try bus.orientationctl("lock").exitCode() == 0)
    let monitor = try bus.start("orientationctl", ["monitor"])
    try wait(for: "a line") { !monitor.lines.isEmpty }
    try wait(for: "the held orientation") {
      try bus.orientationctl("status").output.contains("Orientation    landscapeLeft, ")
    }
    withExtendedLifetime(daemon) {}
  }

  @Test("says that the rotation lock holds the orientation, with subscribers and without")
  func held() throws {
    let bus = try PrivateBus()
    let daemon = try bus.startDaemon(sensor: replay(recording([.landscapeLeft])))
    let monitor = try bus.start("orientationctl", ["monitor", "--device"])
    try wait(for: "a line") { !monitor.lines.isEmpty }
    #expect(try bus.orientationctl("lock").exitCode() == 0)
    let line = "\nOrientation    landscapeLeft, right edge up (held by the rotation lock)\n"
    let withSubscriber = try bus.orientationctl("status").output
    #expect(withSubscriber.contains(line), "\(withSubscriber)")
    monitor.send(SIGTERM)
    try monitor.exitCode()
    let alone = try bus.orientationctl("status").output
    #expect(alone.contains(line) && alone.contains("off: no subscribers"), "\(alone)")
    #expect(try bus.orientationctl("unlock").exitCode() == 0)
    #expect(try bus.orientationctl("status").output.contains("right edge up (measured just now)\n"))
    withExtendedLifetime(daemon) {}
  }

  @Test("shows, while rotation is locked, which orientation the interface would take")
  func suggestion() throws {
    let bus = try PrivateBus()
    let daemon = try bus.startDaemon(sensor: "simulated")
    let monitor = try bus.start("orientationctl", ["monitor", "--device"])
    try wait(for: "an orientation") { !monitor.lines.isEmpty }
    #expect(try bus.orientationctl("lock").exitCode() == 0)
    let locked = try object(bus.orientationctl("supported", "--json").output)
    let name = try #require(locked["interface_orientation_name"] as? String)
    try wait(for: "a turn") {
      try bus.orientationctl("status").output.split(separator: "\n").contains {
        $0.hasPrefix("Suggested      ") && !$0.contains(" \(name) (")
          && $0.hasSuffix(", which the interface would take if rotation were unlocked")
      }
    }
    #expect(try bus.orientationctl("unlock").exitCode() == 0)
    #expect(try !bus.orientationctl("status").output.contains("Suggested"))
    withExtendedLifetime(daemon) {}
  }

  @Test("shows what only something else than orientationd would say, in one line each, and goes on")
  func absurdDaemon() throws {
    let bus = try PrivateBus()
    // A string on the bus has no zero byte.
    let name = "acc\u{1b}[2J\nGravity  9.81\u{202e}"
    let daemon = try MockDaemon(on: bus, sensorName: name, sampleRate: 1e300)
    let program = try bus.orientationctl("status")
    #expect(try program.exitCode() == 0, "\(program.errors)")
    #expect(program.output.contains("Sample rate    1e+300 Hz\n"))
    let shown = #"acc\u{1b}[2J\u{a}Gravity  9.81\u{202e}"#
    for field in ["Sensor         ", "Sensor status  ", "Warning        ", "Tablet mode    "] {
      #expect(program.output.contains("\n\(field)\(shown)\n"))
    }
    #expect(
      program.output.hasPrefix(
        "Daemon         running on the system bus, version \(shown) (this orientationctl has \(orientationdVersion))\n"
      ))
    #expect(isHarmless(program.output))
    let json = try bus.orientationctl("status", "--json").output
    #expect(isHarmless(json))
    #expect(try object(json)["sensor_name"] as? String == name)
    #expect(try object(json)["version"] as? String == name)
    withExtendedLifetime(daemon) {}
  }

  @Test(
    "of a daemon without a sensor says that there is none, and still succeeds",
    arguments: ["no-such-sensor", "replay:/nonexistent.csv"])
  func noSensor(name: String) throws {
    let bus = try PrivateBus()
    let daemon = try bus.startDaemon(sensor: name)
    let program = try bus.orientationctl("status")
    #expect(try program.exitCode() == 0)
    #expect(program.output.contains("unknown: There is no accelerometer."))
    let status = try object(bus.orientationctl("status", "--json").output)
    #expect(status["orientation"] as? Int == 0)
    #expect(status["sensor_status"] as? String == "absent")
    #expect(status["has_accelerometer"] as? Bool == false)
    #expect(program.output.contains("\nSensor         none\nSensor status  absent: "))
    withExtendedLifetime(daemon) {}
  }
}
