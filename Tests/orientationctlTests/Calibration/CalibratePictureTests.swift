// SPDX-License-Identifier: Apache-2.0

import Glibc
import MockDevices
import TestSupport
import Testing

@testable import OrientationctlKit

@Suite("orientationctl calibrate in a terminal")
struct CalibratePictureTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func start(
    _ machine: CalibratedMachine, _ options: String..., columns: UInt16 = 80, rows: UInt16 = 24
  ) throws -> PictureRun {
    try PictureRun(
      [
        "calibrate-test-helper", "calibrate", "--hwdb", "--config", folder.write("", to: "test.conf"),
        "--hwdb-file", "\(folder.path)/local.hwdb",
      ] + options, environment: machine.kernel.environment, columns: columns, rows: rows)
  }

  @Test("shows each pose with the tilt and the stillness until it is confirmed, and then the matrix in lines")
  func poses() throws {
    let machine = CalibratedMachine()
    let run = try start(machine)
    try run.wait(for: "Press Enter to begin.")
    #expect(run.screen.isRestored)
    machine.hold(held(elevation: 60, roll: 0))
    run.terminal.type("\n")
    try run.wait(for: "Hold it upright")
    try run.wait(for: "30°")
    #expect(run.screen.isAlternate && !run.terminal.editsLines)
    machine.hold(held(elevation: 85, roll: 0))
    try run.wait(for: "5°")
    run.terminal.type("\r")
    try run.wait(for: "Lay it flat")
    try run.wait(for: "Taken.")
    // The same again is refused, with the reason, and the pose is asked for once more.
    try run.wait(for: "85°")
    run.terminal.type("\r")
    try run.wait(for: "Once more, flat.")
    machine.hold(held(elevation: 0, roll: 0))
    try run.wait(for: "0°")
    run.terminal.type("\r")
    try run.wait(for: "right edge up")
    machine.hold(held(elevation: 90, roll: 90))
    try run.wait(for: "  0°")
    run.terminal.type("\r")
    try run.wait(for: "Found:")
    // Then it asks whether to write, on this terminal.
    run.terminal.type("\n")
    #expect(try run.exitCode() == 0)
    #expect(run.screen.isRestored && run.terminal.editsLines)
    #expect(run.screen.faults == [])
  }

  @Test("restores the terminal when it is left", arguments: ["q", "\u{3}"])
  func quits(key: String) throws {
    let machine = CalibratedMachine()
    let run = try start(machine)
    try run.wait(for: "Press Enter to begin.")
    run.terminal.type("\n")
    try run.wait(for: "Hold it upright")
    // The terminal is not the controlling one, which would send the signal of Ctrl-C itself.
    if key == "q" { run.terminal.type(key) } else { run.program.send(SIGINT) }
    #expect(try run.exitCode() == (key == "q" ? 1 : -SIGINT))
    #expect(run.screen.isRestored && run.terminal.editsLines)
    if key == "q" {
      #expect(run.program.errors.contains("ended before all poses were taken; nothing was changed"))
    }
    withExtendedLifetime(machine) {}
  }

  @Test("ends at q also if that was typed before the first pose")
  func quitsEarly() throws {
    let machine = CalibratedMachine()
    let run = try start(machine)
    try run.wait(for: "Press Enter to begin.")
    run.terminal.type("\nq")
    #expect(try run.exitCode() == 1)
    #expect(run.program.errors.contains("ended before all poses were taken; nothing was changed"))
    withExtendedLifetime(machine) {}
  }

  @Test("asks in lines with --lines")
  func lines() throws {
    // With room for all lines.
    let machine = CalibratedMachine()
    let run = try start(machine, "--lines", columns: 200, rows: 60)
    try run.wait(for: "Then press Enter, and keep it still for a second.")
    #expect(run.screen.isRestored && run.screen.restorations == 0)
    run.program.send(SIGINT)
    #expect(try run.exitCode() == -SIGINT)
    withExtendedLifetime(machine) {}
  }
}
