// SPDX-License-Identifier: Apache-2.0

import Foundation
import Orientation
import TestSupport
import Testing

/// `examples/gtk4/rotating-picture.py` on a screen in memory, used by `Tests/Support/WindowDriver/drive.py`.
private final class RotatingPicture {
  let process: ChildProcess
  private let screen: XServer
  private let folder: TemporaryFolder
  private let commands: CInt

  init(on bus: PrivateBus) throws {
    screen = try XServer()
    folder = try TemporaryFolder()
    let fifo = "\(folder.path)/commands"
    mkfifo(fifo, 0o600)
    // For reading too: else the opening would wait for the program.
    commands = open(fifo, O_RDWR | O_CLOEXEC)
    process = try ChildProcess(
      "/usr/bin/python3",
      [projectFolder.appending(path: "Tests/Support/WindowDriver/drive.py").path, screen.picture],
      environment: [
        "DBUS_SYSTEM_BUS_ADDRESS": bus.address, "DISPLAY": screen.display, "GDK_BACKEND": "x11",
        "GSK_RENDERER": "cairo", "EGL_LOG_LEVEL": "fatal", "GTK_A11Y": "none", "GSETTINGS_BACKEND": "memory",
        "HOME": folder.path,
      ], input: .path(fifo))
  }

  deinit { close(commands) }

  /// Clicks on a button.
  func click(_ button: String) {
    let command = Array("\(button)\n".utf8)
    _ = write(commands, command, command.count)
  }

  /// Waits until the window shows this.
  func wait(for shown: String) throws {
    do {
      try TestSupport.wait(for: shown) { process.lines.last == shown || !process.isRunning }
      guard process.isRunning else { throw GaveUp(description: "it has ended before: \(shown)") }
    } catch {
      throw GaveUp(description: "\(error); showed: \(process.lines); errors: \(process.errors)")
    }
  }
}

@Suite("The example with a rotating picture")
struct RotatingPictureTests {
  @Test("the picture turns with the tablet, and stays upright")
  func turns() throws {
    let tablet = try Tablet()
    let picture = try RotatingPicture(on: tablet.rig.bus)
    try picture.wait(for: "portrait: tablet up, picture up, lock off, no button")
    tablet.hold(.landscapeLeft)
    try picture.wait(for: "landscapeLeft: tablet left, picture up, lock off, no button")
    tablet.hold(.landscapeRight)
    try picture.wait(for: "landscapeRight: tablet right, picture up, lock off, no button")
    tablet.hold(.portraitUpsideDown)
    try picture.wait(for: "portraitUpsideDown: tablet down, picture up, lock off, no button")
  }

  @Test("shows the tablet as it is held also if a person has rotated its interface")
  func rotatedByHand() throws {
    let tablet = try Tablet()
    let picture = try RotatingPicture(on: tablet.rig.bus)
    try picture.wait(for: "portrait: tablet up, picture up, lock off, no button")
    try tablet.client.rotate(to: 3)
    try picture.wait(for: "portrait: tablet up, picture right, lock off, no button")
  }

  @Test("while rotation is locked, a button offers to rotate once")
  func rotates() throws {
    let bus = try PrivateBus()
    let polkit = try MockPolkit(on: bus, .allow)
    let tablet = try Tablet(bus: bus)
    let picture = try RotatingPicture(on: bus)
    try picture.wait(for: "portrait: tablet up, picture up, lock off, no button")
    picture.click("lock")
    try picture.wait(for: "portrait, rotation locked: tablet up, picture up, lock on, no button")
    tablet.hold(.landscapeLeft)
    try picture.wait(for: "portrait, rotation locked: tablet left, picture left, lock on, Rotate?")
    picture.click("rotate")
    try picture.wait(for: "portrait, rotation locked: tablet left, picture up, lock on, no button")
    #expect(try tablet.client.property("InterfaceOrientationName") == "landscapeRight")
    picture.click("lock")
    try picture.wait(for: "landscapeLeft: tablet left, picture up, lock off, no button")
    #expect(try polkit.questions.contains { $0.action == "org.orientationd1.rotate" })
  }

  @Test("the lock button is grey for a user who may not lock rotation, and shows the lock all the same")
  func denied() throws {
    let bus = try PrivateBus()
    let polkit = try MockPolkit(on: bus, .deny)
    let tablet = try Tablet(bus: bus)
    let picture = try RotatingPicture(on: bus)
    try picture.wait(for: "portrait: tablet up, picture up, lock off and grey, no button")
    try polkit.behave(.allow)
    try tablet.client.lock()
    try picture.wait(for: "portrait, rotation locked: tablet up, picture up, lock on and grey, no button")
  }

  @Test("a call that polkit denies leaves the lock as it is, and the button becomes grey")
  func deniedLater() throws {
    let bus = try PrivateBus()
    let polkit = try MockPolkit(on: bus, .allow)
    let tablet = try Tablet(bus: bus)
    let picture = try RotatingPicture(on: bus)
    try picture.wait(for: "portrait: tablet up, picture up, lock off, no button")
    try polkit.behave(.deny)
    picture.click("lock")
    try picture.wait(for: "portrait: tablet up, picture up, lock off and grey, no button")
    #expect(try tablet.client.property("RotationLocked") == .boolean(false))
  }

  @Test("says that there is no daemon if none can be started, and shows the tablet when there is one")
  func withoutDaemon() throws {
    let bus = try PrivateBus(activating: [Daemon.busName: "/bin/false"])
    let picture = try RotatingPicture(on: bus)
    try picture.wait(for: "orientationd does not run: tablet up, picture up, lock off and grey, no button")
    let tablet = try Tablet(bus: bus)
    try picture.wait(for: "portrait: tablet up, picture up, lock off, no button")
    withExtendedLifetime(tablet) {}
  }

  @Test("it goes on after the daemon was restarted, and ends its subscription when a signal ends it")
  func restarts() throws {
    let bus = try PrivateBus()
    let first = try Tablet(bus: bus)
    let picture = try RotatingPicture(on: bus)
    try picture.wait(for: "portrait: tablet up, picture up, lock off, no button")
    #expect(try first.rig.end() == 0)
    try picture.wait(for: "orientationd does not run: tablet up, picture up, lock off and grey, no button")
    let second = try Tablet(options: ["--verbose"], bus: bus)
    second.hold(.landscapeRight)
    try picture.wait(for: "landscapeRight: tablet right, picture up, lock off, no button")
    picture.process.send(SIGTERM)
    #expect(try picture.process.exitCode() == 0)
    try second.client.wait(for: "GeneratesDeviceOrientationNotifications", toBe: .boolean(false))
    #expect(second.rig.log.contains { $0.hasSuffix(" ends") })
    #expect(picture.process.errors.isEmpty)
  }
}
