// SPDX-License-Identifier: Apache-2.0

import Foundation
import MockDevices
import Orientation
import TestSupport
import Testing

@testable import OrientationctlKit

@Suite("orientationctl calibrate by the daemon")
struct DaemonCalibrateTests {
  /// For the hub as the tests have it mounted.
  private let matrix = "0, 0, 1; -1, 0, 0; 0, 1, 0"
  /// What is used of a hub without a matrix.
  private let none = ["1, 0, 0; 0, 1, 0; 0, 0, -1", ""]
  private let question = "Does the screen turn rightly now? [y/N] "

  @Test("tries the matrix, keeps it after a yes, and forgets it with --reset")
  func kept() throws {
    let daemon = try CalibratedDaemon()
    #expect(try daemon.matrix() == none)
    let calibrating = try Calibrating(by: daemon)
    try calibrating.holdAll()
    try calibrating.wait(forQuestion: question)
    #expect(try daemon.matrix() == [matrix, "preview"])
    calibrating.answer("y\n")
    #expect(try calibrating.program.exitCode() == 0)
    let output = calibrating.program.output
    #expect(output.hasPrefix("Calibrating accel_3d (iio:device0).\nIts mount matrix: none.\n"))
    #expect(output.contains("  Mount matrix  \(matrix)\n  In use        none\n"))
    #expect(output.contains("Kept: "))
    #expect(output.contains("\n    orientationctl calibrate --reset\n"))
    #expect(tooWide(output).isEmpty, "\(output)")
    #expect(try daemon.matrix() == [matrix, "calibration"])
    let sensors = try ended(daemon, "sensors")
    #expect(
      sensors.output.contains("  Mount matrix  \(matrix) from the calibration\n"), "\(sensors.output)")
    try daemon.end()
    try daemon.startAgain()
    #expect(try daemon.matrix() == [matrix, "calibration"])
    let reset = try ended(daemon, "calibrate", "--reset")
    #expect(try reset.exitCode() == 0)
    #expect(
      reset.output == """
        The mount matrix that was set with this command is forgotten.
        The one of accel_3d (iio:device0) is now: none.

        """)
    #expect(try daemon.matrix() == none)
  }

  @Test("says so where the matrix is used but cannot be saved")
  func unsaved() throws {
    let daemon = try CalibratedDaemon()
    try FileManager.default.createDirectory(
      atPath: "\(daemon.folder.path)/state.new/full", withIntermediateDirectories: true)
    let calibrating = try Calibrating(by: daemon)
    try calibrating.holdAll()
    try calibrating.wait(forQuestion: question)
    calibrating.answer("y\n")
    #expect(try calibrating.program.exitCode() == 0)
    #expect(
      calibrating.program.errors.contains("it lasts until the service restarts"),
      "\(calibrating.program.errors)")
    #expect(!calibrating.program.output.contains("Kept: "))
    #expect(try daemon.matrix() == [matrix, "calibration"])
  }

  @Test("turns back after a no", arguments: ["n\n", "\n", "q\n", "maybe\n"])
  func refusedByPerson(answer: String) throws {
    let daemon = try CalibratedDaemon()
    let calibrating = try Calibrating(by: daemon)
    try calibrating.holdAll()
    try calibrating.wait(forQuestion: question)
    calibrating.answer(answer)
    #expect(try calibrating.program.exitCode() == 1)
    #expect(calibrating.program.errors.contains("the screen turns as before, and nothing was kept"))
    try wait(for: "the matrix before") { try daemon.matrix() == none }
  }

  @Test("turns back when it is interrupted, and when nobody answers in time")
  func interrupted() throws {
    let daemon = try CalibratedDaemon()
    let calibrating = try Calibrating(by: daemon)
    try calibrating.holdAll()
    try calibrating.wait(forQuestion: question)
    calibrating.program.send(SIGINT)
    #expect(try calibrating.program.exitCode() == -SIGINT)
    try wait(for: "the matrix before") { try daemon.matrix() == none }
    // The error is on the terminal, too.
    let run = try PictureRun(
      ["sh", "-c", "exec \"$@\" 2>&1", "sh", "calibrate-test-helper"] + Calibrating.arguments(by: daemon)
        + ["--lines"],
      environment: daemon.environment, columns: 200, rows: 80)
    for (number, pose) in CalibrationPose.allCases.enumerated() {
      try run.wait(for: "pose \(number)") { screen in
        screen.text.components(separatedBy: "press Enter").count > number + 1
      }
      daemon.machine.hold(pose.heldUpBy)
      run.terminal.type("\n")
    }
    #expect(try run.exitCode() == 1)
    #expect(run.screen.text.contains("\nError: there was no answer in time"), "\(run.screen.text)")
    try wait(for: "the matrix before") { try daemon.matrix() == none }
  }

  @Test(
    "corrects a matrix of udev that is wrong, on a panel that is upright in landscape, and says which it was")
  func composed() throws {
    let wrong = "0, 0, -1; 1, 0, 0; 0, 1, 0"
    let daemon = try CalibratedDaemon(
      configuration: "NaturalOrientation=landscapeLeft\n",
      machine: CalibratedMachine(matrix: wrong, hasBuffer: false))
    let calibrating = try Calibrating(by: daemon)
    try calibrating.holdAll()
    try calibrating.wait(forQuestion: question)
    calibrating.answer("yes\n")
    #expect(try calibrating.program.exitCode() == 0)
    #expect(calibrating.program.output.contains(" from udev (ACCEL_MOUNT_MATRIX).\n"))
    #expect(try daemon.matrix() == [matrix, "calibration"])
    let sensors = try ended(daemon, "sensors")
    #expect(
      sensors.output.contains("  Unused matrix  \(wrong) from udev (ACCEL_MOUNT_MATRIX)\n"),
      "\(sensors.output)")
    // Once more: it is right.
    let again = try Calibrating(by: daemon)
    try again.holdAll()
    #expect(try again.program.exitCode() == 0)
    #expect(again.program.output.contains("The matrix in use is already right"))
    #expect(try daemon.polkit.questions.count { $0.action == "org.orientationd1.set-mount-matrix" } == 2)
  }

  @Test("says with --hwdb that a matrix that was set counts before udev's, whether that is right or not")
  func overridesUdev() throws {
    let wrong = "-1, 0, 0; 0, -1, 0; 0, 0, -1"
    for ofUdev in [matrix, nil] {
      let daemon = try CalibratedDaemon(machine: CalibratedMachine(matrix: ofUdev, hasBuffer: false))
      try daemon.setMountMatrix(wrong)
      let calibrating = try Calibrating(by: daemon, hwdbOptions: ["--write"])
      try calibrating.holdAll()
      #expect(try calibrating.program.exitCode() == 0)
      let text = calibrating.program.output
      #expect(
        text.contains("  Mount matrix  \(matrix)\n  In use        \(wrong) from the calibration\n"),
        "\(text)")
      #expect(tooWide(text).isEmpty)
      #expect(text.contains("\n    orientationctl calibrate --reset\n"))
      #expect(text.contains("udev's matrix is already right") == (ofUdev != nil))
      #expect(text.contains("orientationd goes on with the matrix that was set;\n") == (ofUdev == nil))
      #expect(!text.contains("uses it at once") && !text.contains("The matrix in use is already right"))
      #expect(calibrating.file.isEmpty == (ofUdev != nil))
    }
  }

  @Test("has screen up right of a sensor whose sign is not that of its kind")
  func unusualSign() throws {
    let daemon = try CalibratedDaemon(machine: CalibratedMachine(sign: .specificForce, hasBuffer: false))
    let calibrating = try Calibrating(by: daemon)
    try calibrating.holdAll()
    try calibrating.holdAll()
    try calibrating.wait(forQuestion: question)
    calibrating.answer("y\n")
    #expect(try calibrating.program.exitCode() == 0)
    let again = try Calibrating(by: daemon)
    try again.holdAll()
    #expect(try again.program.exitCode() == 0)
    #expect(again.program.output.contains("The matrix in use is already right"))
  }

  @Test("says at once what cannot be calibrated")
  func impossible() throws {
    let configured = try CalibratedDaemon(configuration: "MountMatrix=1, 0, 0; 0, 1, 0; 0, 0, 1\n")
    let simulated = try CalibratedDaemon(sensor: "simulated")
    let denied = try CalibratedDaemon(.deny)
    for (daemon, reason) in [
      (configured, "the configuration of orientationd has a MountMatrix="),
      (simulated, "cannot be calibrated: it is no sensor of this machine"),
    ] {
      let program = try ended(daemon, "calibrate", "--socket", daemon.socket.path)
      #expect(try program.exitCode() == 1)
      #expect(program.errors.contains(reason), "\(program.errors)")
      #expect(program.output.isEmpty)
    }
    let calibrating = try Calibrating(by: denied)
    try calibrating.hold(CalibrationPose.upright.heldUpBy)
    #expect(try calibrating.program.exitCode() == 1)
    #expect(calibrating.program.errors.contains("reading motion is not allowed"))
    #expect(try ended(denied, "calibrate", "--reset").exitCode() == 0)
  }

  @Test("says so where reading motion is allowed, and setting the matrix is not")
  func denied() throws {
    let daemon = try CalibratedDaemon()
    let calibrating = try Calibrating(by: daemon)
    try calibrating.hold(held(elevation: 65, roll: 10))
    try calibrating.hold(held(elevation: 5, roll: 200))
    try calibrating.wait(forQuestion: "right hand is up.")
    try daemon.polkit.behave(.deny)
    try calibrating.hold(held(elevation: 110, roll: 95))
    #expect(try calibrating.program.exitCode() == 1)
    #expect(calibrating.program.errors.contains("not authorized: "), "\(calibrating.program.errors)")
    #expect(try daemon.matrix() == none)
  }

  @Test("goes on after a restart of the daemon, and gives up without one, or without the sensor")
  func restarted() throws {
    let daemon = try CalibratedDaemon()
    let calibrating = try Calibrating(by: daemon)
    try calibrating.hold(CalibrationPose.upright.heldUpBy)
    try calibrating.wait(forQuestion: "Lay it flat")
    try daemon.end()
    try daemon.startAgain()
    try calibrating.hold(CalibrationPose.flat.heldUpBy)
    try calibrating.hold(CalibrationPose.rightEdgeUp.heldUpBy)
    try calibrating.wait(forQuestion: question)
    calibrating.answer("n\n")
    #expect(try calibrating.program.exitCode() == 1)

    let vanished = try Calibrating(by: daemon)
    try vanished.hold(CalibrationPose.upright.heldUpBy)
    try vanished.wait(forQuestion: "Lay it flat")
    // The daemon looks whether it is gone when a reading fails.
    daemon.machine.kernel.set("in_accel_x_raw", of: CalibratedMachine.path, to: "gone")
    daemon.machine.kernel.remove(CalibratedMachine.path)
    try wait(for: "the end of the sensor") { try daemon.matrix() == ["", ""] }
    try vanished.hold(CalibrationPose.flat.heldUpBy)
    #expect(try vanished.program.exitCode() == 1)
    #expect(
      vanished.program.errors.contains("there is no reading: "),
      "\(vanished.program.errors)")
  }

  @Test("says in the picture that the daemon has ended, and goes on when it is back")
  func restartedInPicture() throws {
    let daemon = try CalibratedDaemon()
    let run = try PictureRun(
      ["calibrate-test-helper"] + Calibrating.arguments(by: daemon), environment: daemon.environment)
    try run.wait(for: "Press Enter to begin.")
    daemon.machine.hold(held(elevation: 85, roll: 0))
    run.terminal.type("\n")
    try run.wait(for: "5°")
    try daemon.end()
    try run.wait(for: "there is no reading: orientationd has ended")
    #expect(run.screen.text.contains("unknown"))
    try daemon.startAgain()
    try run.wait(for: "5°")
    #expect(!run.screen.text.contains("there is no reading"))
    try daemon.end()
    try run.wait(for: "there is no reading: orientationd has ended")
    // Who presses Enter now wants it to be measured, which waits for a moment only.
    run.terminal.type("\r")
    #expect(try run.exitCode() == 1)
    #expect(
      run.program.errors.contains("orientationd has ended; nothing was changed"), "\(run.program.errors)")
    #expect(run.screen.isRestored)
  }

  @Test("says before the poses that only the motion socket is missing, not the daemon")
  func missingSocket() throws {
    let daemon = try CalibratedDaemon()
    let path = "\(daemon.folder.path)/missing"
    let program = try ended(daemon, "calibrate", "--socket", path)
    #expect(try program.exitCode() == 1)
    #expect(
      program.errors.contains("nobody listens at \(path): No such file or directory"), "\(program.errors)")
    #expect(!program.errors.contains("does not run"))
    #expect(!program.output.contains("press Enter"))
  }

  @Test("gives up where the matrix was changed meanwhile: the poses would have other axes")
  func changed() throws {
    let daemon = try CalibratedDaemon()
    let calibrating = try Calibrating(by: daemon)
    try calibrating.hold(CalibrationPose.upright.heldUpBy)
    try calibrating.hold(CalibrationPose.flat.heldUpBy)
    try calibrating.wait(forQuestion: "right hand is up.")
    try daemon.setMountMatrix("-1, 0, 0; 0, -1, 0; 0, 0, -1")
    try calibrating.hold(CalibrationPose.upright.heldUpBy)
    #expect(try calibrating.program.exitCode() == 1)
    #expect(calibrating.program.errors.contains("has changed during the calibration"))
  }

  @Test(
    "names --hwdb for the options that need it",
    arguments: [
      ["--apply"], ["--write"], ["--sensor", "x"], ["--hwdb-file", "x"],
    ])
  func hwdbOptions(options: [String]) throws {
    let program = try ChildProcess("orientationctl", ["calibrate"] + options)
    #expect(try program.exitCode() == 64)
    #expect(program.errors.contains("\(options[0]) is for udev's hardware database, so it needs --hwdb."))
  }

  @Test("asks for no poses while rotation is locked, and says what to do")
  func locked() throws {
    let daemon = try CalibratedDaemon()
    #expect(try ended(daemon, "lock").exitCode() == 0)
    let program = try ended(daemon, "calibrate")
    #expect(try program.exitCode() == 1)
    #expect(program.errors.hasSuffix(":\n\n    orientationctl unlock\n"))
    #expect(program.output.isEmpty)
    #expect(try daemon.matrix() == none)
  }

  private func ended(_ daemon: CalibratedDaemon, _ arguments: String...) throws -> ChildProcess {
    let program = try ChildProcess("orientationctl", arguments, environment: daemon.environment)
    try program.exitCode()
    return program
  }
}
