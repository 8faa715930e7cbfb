// SPDX-License-Identifier: Apache-2.0

import Glibc
import Orientation
import TestSupport
import Testing

@testable import OrientationctlKit

@Suite("orientationctl monitor --picture")
struct MonitorPictureProgramTests {
  private let bus: PrivateBus

  init() throws { bus = try PrivateBus() }

  private func startDaemon(_ orientation: DeviceOrientation = .portrait) throws -> ChildProcess {
    let sensor = try bus.folder.write(recording([orientation]), to: "still.csv")
    return try bus.startDaemon(sensor: "replay:\(sensor)")
  }

  private func startPicture(
    _ options: String..., environment: [String: String] = [:], columns: UInt16 = 80, rows: UInt16 = 24
  ) throws -> PictureRun {
    try PictureRun(
      ["orientationctl", "monitor", "--picture"] + options,
      environment: bus.environment.merging(environment) { $1 }, columns: columns, rows: rows)
  }

  private func status(_ name: String) throws -> Bool? {
    let status = try object(bus.orientationctl("status", "--json").output)
    return (status[name] ?? (status["screen"] as? [String: Any])?[name]) as? Bool
  }

  /// Expects that the terminal is as it was before.
  private func expectRestored(_ run: PictureRun) {
    #expect(run.screen.isRestored)
    #expect(run.terminal.editsLines)
    #expect(run.screen.faults == [])
  }

  @Test(
    "shows the device, the interface, the lock, the border and the sensor; q ends it, and its subscription")
  func shows() throws {
    let daemon = try startDaemon(.landscapeLeft)
    let run = try startPicture()
    try run.wait(for: "landscapeRight")
    try run.wait(for: "52°")
    for text in ["landscapeLeft", "right edge up", "transform 270", "unlocked", "to ", "active"] {
      #expect(run.screen.text.contains(text), "\(text)")
    }
    #expect(run.screen.isAlternate && !run.screen.hasCursor)
    #expect(!run.terminal.editsLines)
    #expect(try status("generating") == true)
    run.terminal.type("q")
    #expect(try run.exitCode() == 0)
    expectRestored(run)
    #expect(try status("generating") == false)
    #expect(run.program.errors == "")
    withExtendedLifetime(daemon) {}
  }

  @Test("locks and unlocks with l, and rotates with the arrows, past what is not supported")
  func keys() throws {
    let daemon = try startDaemon()
    let run = try startPicture()
    try run.wait(for: "unlocked")
    run.terminal.type("l")
    try run.wait(for: "  locked")
    #expect(try status("rotation_locked") == true)
    run.terminal.type("\u{1b}[D")
    try run.wait(for: "transform 90")
    run.terminal.type("\u{1b}OC")
    try run.wait(for: "transform normal")
    run.terminal.type("\u{1b}[B")
    try run.wait(for: "transform 180")
    #expect(try bus.orientationctl("supported", "landscape").exitCode() == 0)
    // From landscapeLeft a quarter turn to the right would be portrait.
    try run.wait(for: "transform 90")
    run.terminal.type("\u{1b}[C")
    try run.wait(for: "transform 270")
    run.terminal.type("L")
    try run.wait(for: "  unlocked")
    #expect(try status("rotation_locked") == false)
    run.terminal.type("Q")
    #expect(try run.exitCode() == 0)
    withExtendedLifetime(daemon) {}
  }

  @Test("fits itself into each new size of the terminal")
  func resize() throws {
    let daemon = try startDaemon(.landscapeRight)
    let run = try startPicture()
    try run.wait(for: "transform 90")
    for (columns, rows) in [(40, 12), (120, 40), (20, 5), (3, 1), (80, 24)] as [(UInt16, UInt16)] {
      let clears = run.screen.clears
      try run.resize(columns: columns, rows: rows)
      try run.wait(for: "\(columns) x \(rows)") { screen in
        guard screen.clears > clears else { return false }
        return columns < 20 ? !screen.text.contains("\n\n\n") : screen.text.contains("landscapeRight")
      }
    }
    try run.wait(for: "transform 90")
    run.terminal.type("q")
    #expect(try run.exitCode() == 0)
    expectRestored(run)
    withExtendedLifetime(daemon) {}
  }

  @Test("restores the terminal when a signal ends it", arguments: [SIGINT, SIGTERM, SIGHUP])
  func signals(_ signal: CInt) throws {
    let daemon = try startDaemon()
    let run = try startPicture()
    try run.wait(for: "unlocked")
    run.program.send(signal)
    #expect(try run.exitCode() == 0)
    expectRestored(run)
    #expect(try status("generating") == false)
    withExtendedLifetime(daemon) {}
  }

  @Test(
    "restores the terminal when it crashes, and dies of that",
    arguments: [SIGSEGV, SIGABRT, SIGILL, SIGQUIT, SIGUSR1])
  func crash(_ signal: CInt) throws {
    let daemon = try startDaemon()
    let run = try startPicture()
    try run.wait(for: "unlocked")
    run.program.send(signal)
    #expect(try run.exitCode() == -signal)
    expectRestored(run)
    withExtendedLifetime(daemon) {}
  }

  @Test("restores the terminal when it is stopped, and shows everything again when it is continued")
  func stop() throws {
    let daemon = try startDaemon()
    let run = try startPicture()
    try run.wait(for: "unlocked")
    run.program.send(SIGTSTP)
    try run.wait(for: "the terminal as before") { $0.restorations == 1 }
    let clears = run.screen.clears
    // If no shell could continue it, the kernel does not stop it, and it shows itself again at once.
    try run.wait(for: "the picture") { screen in
      run.program.send(SIGCONT)
      return screen.isAlternate && screen.clears > clears && screen.text.contains("unlocked")
    }
    #expect(!run.terminal.editsLines)
    run.terminal.type("q")
    #expect(try run.exitCode() == 0)
    expectRestored(run)
    withExtendedLifetime(daemon) {}
  }

  @Test("ends when its terminal is closed, and so does its subscription")
  func closed() throws {
    let daemon = try startDaemon()
    let run = try startPicture()
    try run.wait(for: "unlocked")
    run.terminal.closeWindow()
    try wait(for: "the end") { !run.program.isRunning }
    #expect(try run.program.exitCode() == 0)
    #expect(try status("generating") == false)
    withExtendedLifetime(daemon) {}
  }

  @Test("ends at once also if the terminal takes nothing")
  func blocked() throws {
    let daemon = try startDaemon()
    let run = try startPicture(columns: 500, rows: 200)
    try wait(for: "the picture") { !run.terminal.editsLines }
    // It has subscribed, so it handles signals.
    try wait(for: "the subscription") { try status("generating") == true }
    // Nobody reads: more than the kernel keeps is written by the first frame and by each new size.
    for number in 0..<20 as Range<UInt16> {
      run.terminal.resize(columns: 500 - number, rows: 200)
      run.program.send(SIGWINCH)
      usleep(20_000)
    }
    run.program.send(SIGTERM)
    try wait(for: "the end") { !run.program.isRunning }
    #expect(try run.program.exitCode() == 0)
    #expect(run.terminal.editsLines)
    withExtendedLifetime(daemon) {}
  }

  @Test("says that the daemon has stopped, and goes on when it is back")
  func restart() throws {
    let first = try startDaemon()
    let run = try startPicture()
    try run.wait(for: "unlocked")
    first.send(SIGTERM)
    try run.wait(for: "orientationd has stopped; waiting for it to start again")
    #expect(try first.exitCode() == 0)
    let second = try startDaemon(.landscapeLeft)
    try run.wait(for: "landscapeRight")
    #expect(!run.screen.text.contains("has stopped"))
    run.terminal.type("q")
    #expect(try run.exitCode() == 0)
    #expect(run.program.errors == "")
    withExtendedLifetime(second) {}
  }

  @Test("restores the terminal before it says why it fails")
  func busEnds() throws {
    let run = try startPicture()
    try run.wait(for: "waiting for it")
    try bus.end()
    #expect(try run.exitCode() == 1)
    expectRestored(run)
    #expect(run.program.errors == "Error: the connection to the system bus has ended\n")
  }

  @Test("has no colours with NO_COLOR, and only ASCII in a locale without more")
  func plain() throws {
    let daemon = try startDaemon()
    let run = try startPicture(environment: ["NO_COLOR": "1", "LC_ALL": "C"])
    try run.wait(for: "unlocked")
    try run.wait(for: "52d")
    #expect(run.screen.text.unicodeScalars.allSatisfy { $0.isASCII })
    #expect(!run.screen.attributes.contains { $0.split(separator: ";").contains { $0.hasPrefix("3") } })
    run.terminal.type("q")
    #expect(try run.exitCode() == 0)
    withExtendedLifetime(daemon) {}
  }

  @Test("is refused where there is no terminal for it, with the reason")
  func noTerminal() throws {
    let piped = try bus.orientationctl("monitor", "--picture")
    #expect(try piped.exitCode() == 1)
    #expect(piped.errors == "Error: a picture needs a terminal, and the standard output is none\n")
    #expect(piped.output.isEmpty)
    let dumb = try startPicture(environment: ["TERM": "dumb"])
    #expect(try dumb.exitCode() == 1)
    #expect(dumb.program.errors.contains("TERM"))
    #expect(dumb.screen.text.allSatisfy { $0 == "\n" })
  }

  @Test("ends after --seconds")
  func seconds() throws {
    let daemon = try startDaemon()
    let run = try startPicture("--seconds", "5")
    #expect(try run.exitCode() == 0)
    #expect(run.screen.restorations == 1)
    expectRestored(run)
    withExtendedLifetime(daemon) {}
  }
}
