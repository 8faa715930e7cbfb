// SPDX-License-Identifier: Apache-2.0

import Adwaita
import CAdwaita
import DaemonClient
import Orientation
import OrientationClient

/// The steps of a calibration: three poses, and the new mounting on trial until the person keeps it.
@MainActor
struct CalibrationSteps {
  /// How long a pose must be held still, in seconds: long enough for a hand that has just let go of the button.
  private static let secondsStill = 2.0
  /// How long to wait for that, in seconds.
  private static let patience = 20.0
  /// How long the new mounting is on trial, in seconds: as long as desktops wait with a new resolution.
  private static let trialSeconds = 15

  let page: TaskPage
  let device: OrientationDevice
  let motion: MotionManager
  /// The mounting that is in use, as the daemon has it.
  let mounting: MountingInUse
  /// Whether that is still so.
  let isUnchanged: () -> Bool
  /// Shows the tablet as it is held, on the page.
  let showLiving: (Bool) -> Void

  /// Takes the steps.
  ///
  /// - Returns: what came of it, a sentence; nil if the person has ended it.
  func run() async -> String? {
    guard let calibration = await takePoses() else { return nil }
    guard isUnchanged() else {
      return "The sensor or its mounting has changed meanwhile: nothing was changed. Calibrate again."
    }
    guard !mounting.isRight(by: calibration) else {
      return "The mounting is right already: nothing was changed."
    }
    do throws(MountMatrixError) {
      return await tryOut("\(try mounting.corrected(by: calibration))")
    } catch {
      return "The poses make no mounting: \(error)"
    }
  }

  private func takePoses() async -> Calibration? {
    var poses = PoseReadings(expectedSign: .specificForce)
    var problem = ""
    while true {
      if let calibration = poses.calibration { return calibration }
      let pose = poses.next
      let number = (CalibrationPose.allCases.firstIndex(of: pose) ?? 0) + 1
      var step = TaskPage.Step(title: "Pose \(number) of 3: \(pose.name)")
      step.text = pose.request.inOneLine
      step.problem = problem
      step.primary = "I hold it so"
      page.picture.turn(up: pose.up(on: mounting.natural))
      guard await page.ask(step) == .primary else { return nil }
      step.problem = ""
      step.primary = ""
      do {
        try poses.take(try await stillReading(showing: step), as: pose)
        problem = ""
      } catch let refusal as PoseProblem {
        problem = refusal.description.inOneLine
      } catch StillReadingError.unsteady {
        problem = PoseProblem.unsteady(pose).description.inOneLine
      } catch StillReadingError.noReadings(let state) {
        problem = state.problem ?? ""
      } catch {
        return nil
      }
    }
  }

  /// Waits until the tablet was held still, and counts down meanwhile.
  private func stillReading(showing step: TaskPage.Step) async throws -> Acceleration<SensorFrame> {
    try await motion.stillReading(
      lasting: Self.secondsStill, patience: Self.patience, convert: mounting.onPanel
    ) { share in
      var step = step
      step.progress = (share, "Hold it still: \(Int((Self.secondsStill * (1 - share)).rounded(.up))) s")
      page.show(step)
    }
  }

  /// Sets the new mounting for some seconds, and keeps it if the person says so.
  private func tryOut(_ matrix: String) async -> String? {
    do throws(OrientationError) {
      try await device.previewMountMatrix(matrix, seconds: UInt32(Self.trialSeconds))
    } catch {
      return "The mounting could not be changed: \(error.sentence)"
    }
    showLiving(true)
    defer { showLiving(false) }
    var isOver = false
    let clock = start {
      await page.show(seconds: Self.trialSeconds) { trial(secondsLeft: Self.trialSeconds - $0) }
      guard !Task.isCancelled else { return }
      isOver = true
      page.press(.secondary)
    }
    let choice = await page.ask(trial(secondsLeft: Self.trialSeconds))
    clock.cancel()
    do throws(OrientationError) {
      guard choice == .secondary else {
        try await device.setMountMatrix(matrix)
        return "The new mounting is kept."
      }
      if !isOver { try await device.endMountMatrixPreview() }
    } catch {
      return "It turns back by itself: \(error.sentence)"
    }
    return "The mounting is the one from before."
  }

  private func trial(secondsLeft seconds: Int) -> TaskPage.Step {
    var step = TaskPage.Step(title: "Is the screen right now?")
    step.text = "Turn the tablet, and see whether the picture and the screen follow."
    step.progress = (Double(seconds) / Double(Self.trialSeconds), "Turns back in \(seconds) s")
    step.primary = "Keep"
    step.secondary = "Turn back"
    return step
  }
}

extension String {
  /// The text without the line breaks that a terminal needs.
  fileprivate var inOneLine: String { String(map { $0 == "\n" ? " " : $0 }) }
}
