// SPDX-License-Identifier: Apache-2.0

import Adwaita
import CAdwaita
import DaemonClient
import Orientation
import OrientationClient

/// The steps of a calibration: three poses, and what they show on trial until the person keeps it.
@MainActor
struct CalibrationSteps {
  /// How long a pose must be held still, in seconds: long enough for a hand that has just let go of the button.
  private static let secondsStill = 2
  /// After how many readings it is said that the tablet moves too much: half a second of them.
  private static let readingsToJudge = 25
  /// How long to wait for that, in seconds.
  private static let patience = 20.0
  /// How long the new matrix is on trial, in seconds: as long as desktops wait with a new resolution.
  private static let trialSeconds = 15

  let page: TaskPage
  let device: OrientationDevice
  let motion: MotionManager
  /// The mounting that is in use, as the daemon has it.
  let mounting: MountingInUse
  /// Whether that is still so.
  let isUnchanged: () -> Bool

  /// Takes the steps.
  ///
  /// - Returns: what came of it, a sentence; nil if the person has ended it.
  func run() async -> String? {
    // As the panel is while the machine starts, if a program turns the screen by the daemon: by a wrong matrix, it would turn meanwhile.
    async let hold = device.hold(
      InterfaceOrientationMask(mounting.natural.interface), application: "org.orientationd1.Settings",
      reason: "calibrates the sensor")
    let poses = await takePoses()
    await (try? hold)?.release()
    guard let poses else { return nil }
    guard isUnchanged() else {
      return "The sensor, or how it sits, has changed meanwhile: nothing was changed. Calibrate again."
    }
    guard !mounting.isRight(by: poses) else { return "It is right already: nothing was changed." }
    do throws(MountMatrixError) {
      return await tryOut("\(try mounting.corrected(by: poses))")
    } catch {
      return "The poses do not fit together: \(error)"
    }
  }

  /// What the picture shows in a pose: the screen as it is while the machine starts.
  private func picture(of pose: CalibrationPose) -> PictureView.Pose {
    let angle = QuarterTurn(from: .portrait, to: mounting.natural.interface)?.radians
    return PictureView.Pose(up: pose.up(on: mounting.natural), interfaceAngle: angle)
  }

  private func takePoses() async -> Calibration? {
    var first = TaskPage.Step(title: "Three poses", pose: picture(of: .upright), primary: "Begin")
    first.text = """
      Take each pose as the picture shows it. Its arrow points to the top edge: the one that is up while the machine starts, \
      wherever the camera is. The text on this screen may lie on its side meanwhile: go by the picture.
      """
    guard await page.ask(first) == .primary else { return nil }
    var poses = PoseReadings(expectedSign: .specificForce)
    var problem = ""
    while true {
      if let calibration = poses.calibration { return calibration }
      let pose = poses.next
      let number = (CalibrationPose.allCases.firstIndex(of: pose) ?? 0) + 1
      var step = TaskPage.Step(
        title: "Pose \(number) of 3: \(pose.name)", text: pose.request.inOneLine, problem: problem,
        pose: picture(of: pose), primary: "I hold it so")
      guard await page.ask(step) == .primary else { return nil }
      (step.problem, step.primary) = ("", "")
      do {
        try poses.take(try await stillReading(showing: step), as: pose)
        problem = ""
      } catch let refusal as PoseProblem {
        problem = refusal.description.inOneLine
      } catch StillReadingError.unsteady {
        problem = PoseProblem.unsteady(pose, seconds: Self.secondsStill).description.inOneLine
      } catch StillReadingError.noReadings(let state) {
        problem = state.problem ?? ""
      } catch {
        return nil
      }
    }
  }

  /// Waits until the tablet was held still, and counts down meanwhile.
  private func stillReading(showing step: TaskPage.Step) async throws -> Acceleration<SensorFrame> {
    let seconds = Double(Self.secondsStill)
    var readings = 0
    return try await motion.stillReading(
      lasting: seconds, patience: Self.patience, convert: mounting.onPanel
    ) { share in
      readings += 1
      let isMoving = readings > Self.readingsToJudge && share < 0.1
      let left = isMoving ? "it moves too much" : "\(Int((seconds * (1 - share)).rounded(.up))) s"
      var step = step
      step.progress = (share, "Hold it still: \(left)")
      page.show(step)
    }
  }

  /// Sets the new matrix for some seconds, and keeps it if the person says so.
  private func tryOut(_ matrix: String) async -> String? {
    do throws(OrientationError) {
      try await device.previewMountMatrix(matrix, seconds: UInt32(Self.trialSeconds))
    } catch {
      return "Nothing could be changed: \(error.sentence)"
    }
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
        return "The calibration is kept."
      }
      if !isOver { try await device.endMountMatrixPreview() }
    } catch {
      return "It is undone in a moment: \(error.sentence)"
    }
    return "It is as before: nothing was changed."
  }

  private func trial(secondsLeft seconds: Int) -> TaskPage.Step {
    TaskPage.Step(
      title: "Is the screen right now?",
      text: "Turn the tablet, and see whether the picture and the screen follow.",
      progress: (Double(seconds) / Double(Self.trialSeconds), "Undone in \(seconds) s"),
      primary: "Keep", secondary: "Undo")
  }
}

extension String {
  /// The text without the line breaks that a terminal needs.
  fileprivate var inOneLine: String { String(map { $0 == "\n" ? " " : $0 }) }
}
