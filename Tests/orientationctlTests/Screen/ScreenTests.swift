// SPDX-License-Identifier: Apache-2.0

import Foundation
import Orientation
import Systemd
import TestSupport
import Testing

@Suite("orientationctl lock, unlock, toggle, rotate and supported")
struct ScreenTests {
  private let folder: TemporaryFolder
  private let bus: PrivateBus

  init() throws {
    folder = try TemporaryFolder()
    bus = try PrivateBus()
  }

  /// Starts the daemon with a tablet that lies or stands still.
  private func startDaemon(_ orientation: DeviceOrientation) throws -> ChildProcess {
    try bus.startDaemon(sensor: "replay:\(folder.write(recording([orientation]), to: "replay.csv"))")
  }

  /// Runs a command that succeeds; returns what it prints.
  private func run(_ arguments: String...) throws -> String {
    let program = try bus.start("orientationctl", arguments)
    #expect(try program.exitCode() == 0, "\(arguments): \(program.errors)")
    #expect(program.complaints.isEmpty)
    return program.output
  }

  /// Runs a command that fails; returns why.
  private func fail(_ arguments: String...) throws -> String {
    let program = try bus.start("orientationctl", arguments)
    #expect(try program.exitCode() == 1)
    #expect(program.output.isEmpty)
    return program.errors
  }

  // MARK: The lock

  @Test("lock and unlock say what holds then, also where nothing changes")
  func lock() throws {
    let daemon = try startDaemon(.portrait)
    #expect(
      try run("rotate", "landscapeRight")
        == "the interface is in landscapeRight (right edge up); rotation is unlocked\n")
    for _ in 1...2 { #expect(try run("lock") == "rotation is locked in landscapeRight (right edge up)\n") }
    for _ in 1...2 {
      #expect(
        try run("unlock") == "rotation is unlocked; the interface is in landscapeRight (right edge up)\n")
    }
    withExtendedLifetime(daemon) {}
  }

  @Test("toggle sets what does not hold")
  func toggle() throws {
    let daemon = try startDaemon(.portrait)
    #expect(try run("toggle") == "rotation is locked in portrait (top edge up)\n")
    #expect(try run("toggle") == "rotation is unlocked; the interface is in portrait (top edge up)\n")
    withExtendedLifetime(daemon) {}
  }

  @Test("a change that nothing shows or saves has a warning; a question has none")
  func warnings() throws {
    let file = try folder.write(recording([.portrait]), to: "replay.csv")
    let daemon = try bus.startDaemon(sensor: "replay:\(file)", ["--state", folder.path])
    for command in ["lock", "rotate landscapeLeft", "supported all", "hold portrait -- true"] {
      let arguments = command.split(separator: " ").map(String.init)
      let program = try bus.start("orientationctl", arguments)
      #expect(try program.exitCode() == 0)
      #expect(program.errors.hasPrefix("orientationctl: nothing turns the screen at present"), "\(command)")
    }
    for command in ["unlock", "supported", "status"] {
      let program = try bus.start("orientationctl", [command])
      #expect(try program.exitCode() == 0)
      #expect(program.errors.isEmpty)
    }
    // A folder in the temporary file's place keeps root out as well.
    try FileManager.default.createDirectory(
      atPath: "\(folder.path)/state.new/full", withIntermediateDirectories: true)
    #expect(try bus.orientationctl("lock").errors.contains("orientationd cannot save this"))
    #expect(try bus.orientationctl("status").output.contains("\nState          not saved"))
    #expect(try bus.orientationctl("unlock").errors.isEmpty)
    let proxy = try Bus.open(.address(bus.address))
    try proxy.requestName("net.hadess.SensorProxy")
    try wait(for: "the other daemon to be known") {
      try bus.orientationctl("status").output.contains("install orientationd-sensor-proxy")
    }
    let program = try bus.orientationctl("toggle")
    #expect(program.errors.hasPrefix("orientationctl: a desktop that turns the screen by iio-sensor-proxy"))
    withExtendedLifetime((daemon, proxy)) {}
  }

  @Test("with --json, each prints the whole state as it is then")
  func json() throws {
    let daemon = try startDaemon(.portrait)
    func screen(_ arguments: String...) throws -> [String: Any] {
      let program = try bus.start("orientationctl", arguments + ["--json"])
      #expect(try program.exitCode() == 0)
      return try object(program.output)
    }
    #expect(try screen("lock")["rotation_locked"] as? Bool == true)
    #expect(try screen("unlock")["rotation_locked"] as? Bool == false)
    #expect(try screen("toggle")["rotation_locked"] as? Bool == true)
    let rotated = try screen("rotate", "landscapeLeft")
    #expect(rotated["interface_orientation"] as? Int == 4)
    #expect(rotated["interface_orientation_name"] as? String == "landscapeLeft")
    #expect(rotated["transform"] as? String == "90")
    let landscapes = ["landscapeRight", "landscapeLeft"]
    #expect(
      try screen("supported", "landscape")["supported_interface_orientations"] as? [String] == landscapes)
    #expect(try screen("supported")["supported_interface_orientations"] as? [String] == landscapes)
    withExtendedLifetime(daemon) {}
  }

  @Test("the bus starts the daemon for them")
  func activation() throws {
    let command = "\(BuiltPrograms.folder)/orientationd --config /dev/null --sensor simulated"
    let program = try PrivateBus(activating: ["org.orientationd1": command]).orientationctl("lock")
    #expect(try program.exitCode() == 0)
    #expect(program.output.hasPrefix("rotation is locked in "))
  }

  @Test(
    "without a bus, or a daemon, they say so",
    arguments: [
      ["lock"], ["unlock"], ["toggle"], ["rotate", "portrait"], ["rotate", "device"], ["supported"],
    ])
  func noDaemon(command: [String]) throws {
    let absent = try bus.start("orientationctl", command)
    #expect(try absent.exitCode() == 1)
    #expect(absent.output.isEmpty)
    #expect(absent.errors.contains("orientationd does not run on the system bus"))
    #expect(absent.errors.contains("systemctl start orientationd"))
    let nowhere = try ChildProcess(
      "orientationctl", command, environment: ["DBUS_SYSTEM_BUS_ADDRESS": "unix:path=/nonexistent"])
    #expect(try nowhere.exitCode() == 1)
    #expect(nowhere.errors.contains("cannot connect to the system bus"))
  }

  // MARK: Rotation

  @Test("rotate works while rotation is locked")
  func rotateLocked() throws {
    let daemon = try startDaemon(.portrait)
    _ = try run("lock")
    #expect(
      try run("rotate", "portraitUpsideDown")
        == "the interface is in portraitUpsideDown (top edge down); rotation is locked\n")
    withExtendedLifetime(daemon) {}
  }

  @Test("rotate device has the sensor run for a moment, and the interface stand upright")
  func rotateToDevice() throws {
    let daemon = try startDaemon(.landscapeLeft)
    #expect(
      try run("rotate", "device")
        == "the interface is in landscapeRight (right edge up); rotation is unlocked\n")
    #expect(try object(run("status", "--json"))["generating"] as? Bool == false)
    #expect(try run("rotate", "portrait").contains("in portrait"))
    #expect(try run("rotate", "device").contains("in landscapeRight"))
    withExtendedLifetime(daemon) {}
  }

  @Test("rotate device says why it cannot: the lock, an orientation that is not supported")
  func rotateToDeviceHindered() throws {
    let daemon = try startDaemon(.landscapeLeft)
    _ = try run("lock")
    let locked = try fail("rotate", "device")
    #expect(locked.contains("the interface stays in portrait (top edge up): rotation is locked"))
    #expect(locked.contains("to unlock it:\n\n    orientationctl unlock\n"))
    _ = try run("unlock")
    _ = try run("supported", "portrait")
    let unsupported = try fail("rotate", "device")
    #expect(
      unsupported.contains("may not be in landscapeRight (right edge up), but only in portrait (top edge up)")
    )
    #expect(unsupported.contains("to change that:\n\n    orientationctl supported portrait landscapeRight\n"))
    withExtendedLifetime(daemon) {}
  }

  @Test("rotate device fails while rotation is locked, also if the interface is as the lock holds it")
  func rotateToDeviceWhileLocked() throws {
    let daemon = try startDaemon(.landscapeLeft)
    #expect(
      try run("rotate", "device")
        == "the interface is in landscapeRight (right edge up); rotation is unlocked\n")
    _ = try run("lock")
    #expect(
      try fail("rotate", "device").contains(
        "the interface stays in landscapeRight (right edge up): rotation is locked"))
    withExtendedLifetime(daemon) {}
  }

  @Test("rotate device says why it cannot: the device lies flat")
  func rotateToFlatDevice() throws {
    let daemon = try startDaemon(.faceUp)
    #expect(try fail("rotate", "device").contains("the device is held in faceUp"))
    withExtendedLifetime(daemon) {}
  }

  @Test("rotate device says why it cannot: there is no sensor")
  func rotateWithoutSensor() throws {
    let daemon = try bus.startDaemon(sensor: "no-such-sensor")
    let reason = try fail("rotate", "device")
    #expect(reason.contains("it is not known how the device is held: There is no accelerometer."))
    withExtendedLifetime(daemon) {}
  }

  @Test("an orientation that is not supported is refused with those that are, and the command that allows it")
  func unsupported() throws {
    let daemon = try startDaemon(.portrait)
    _ = try run("supported", "portrait", "landscapeLeft")
    let reason = try fail("rotate", "portraitUpsideDown")
    #expect(
      reason.contains(
        "may not be in portraitUpsideDown (top edge down), but only in portrait (top edge up), landscapeLeft (left edge up)"
      ))
    let advice = try #require(reason.split(separator: "orientationctl ").last).split { $0.isWhitespace }
    let program = try bus.start("orientationctl", advice.map(String.init))
    #expect(try program.exitCode() == 0)
    #expect(try run("supported") == "portrait\nportraitUpsideDown\nlandscapeLeft\n")
    #expect(try run("rotate", "portraitUpsideDown").contains("is in portraitUpsideDown"))
    withExtendedLifetime(daemon) {}
  }

  @Test(
    "supported takes the names of several, as UIKit has them",
    arguments: [
      (
        "landscape",
        "landscapeRight (right edge up), landscapeLeft (left edge up); it is in landscapeLeft (left edge up)"
      ),
      (
        "allButUpsideDown",
        "portrait (top edge up), landscapeRight (right edge up), landscapeLeft (left edge up); it is in portrait (top edge up)"
      ),
      (
        "all",
        "portrait (top edge up), portraitUpsideDown (top edge down), landscapeRight (right edge up), landscapeLeft (left edge up); it is in portrait (top edge up)"
      ),
    ])
  func groups(name: String, answer: String) throws {
    let daemon = try startDaemon(.portrait)
    #expect(try run("supported", name) == "the interface may be in \(answer)\n")
    withExtendedLifetime(daemon) {}
  }

  // MARK: Permission

  @Test("who is denied hears who may, and where that is told")
  func denied() throws {
    let daemon = try startDaemon(.portrait)
    let polkit = try MockPolkit(on: bus, .deny)
    for command in [["lock"], ["toggle"], ["rotate", "landscapeLeft"], ["supported", "landscape"]] {
      let program = try bus.start("orientationctl", command)
      #expect(try program.exitCode() == 1)
      #expect(program.output.isEmpty)
      #expect(program.errors.contains("not authorized: polkit does not allow org.orientationd1."))
      #expect(program.errors.contains("AUTHORIZATION in orientationd(8)"))
    }
    #expect(try run("supported").hasPrefix("portrait\n"))
    #expect(try run("unlock") == "rotation is unlocked; the interface is in portrait (top edge up)\n")
    withExtendedLifetime((daemon, polkit)) {}
  }

  @Test("whose user would have to authenticate hears that this takes a terminal, on which the user is asked")
  func challenge() throws {
    let daemon = try startDaemon(.portrait)
    let polkit = try MockPolkit(on: bus, .challenge)
    let reason = try fail("lock")
    #expect(reason.contains("authentication is required"))
    #expect(reason.contains("a terminal"))
    func asked(flags: String) throws -> Bool {
      try polkit.questions.contains {
        ($0.action, $0.detailCount, $0.flags) == ("org.orientationd1.set-rotation-lock", "0", flags)
      }
    }
    #expect(try asked(flags: "0"))
    // It gives the program a terminal, and writes what the program prints.
    let interactive = try bus.start(
      "script", ["--quiet", "--return", "--command", "orientationctl lock", "/dev/null"])
    #expect(try interactive.exitCode() == 1)
    #expect(interactive.output.contains("not authorized: "))
    #expect(try asked(flags: "1"))
    withExtendedLifetime(daemon) {}
  }
}
