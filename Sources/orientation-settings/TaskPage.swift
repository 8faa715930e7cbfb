// SPDX-License-Identifier: Apache-2.0

import Adwaita
import CAdwaita

/// The page for what takes several steps: a step is shown, and waits for one of two buttons.
@MainActor
final class TaskPage {
  /// A button.
  enum Choice {
    /// The one that goes on.
    case primary
    /// The one that does not; also if the task of the steps is cancelled.
    case secondary
  }

  /// What is shown; a part that is empty is left out.
  struct Step {
    var title = ""
    var text = ""
    /// Why the last step must be repeated.
    var problem = ""
    /// What the picture shows; nil for the tablet as it is held.
    var pose: PictureView.Pose?
    /// The report, in place of the picture.
    var report = ""
    /// How much of the time has passed, 0 to 1, and what is written there.
    var progress: (share: Double, text: String)?
    var primary = ""
    var secondary = "Cancel"
  }

  /// The picture of a step without a report.
  let picture: PictureView
  /// Shows the tablet as it is held.
  private let living: PictureView
  /// Called when a button is pressed while no step waits for one.
  var abandoned: () -> Void = {}

  private let widgets: Widgets
  private var waiting: CheckedContinuation<Choice, Never>?
  private var shown = Step()

  /// Creates the page of a window, with the picture that shows the tablet as it is held.
  init(_ widgets: Widgets, living: PictureView) {
    self.widgets = widgets
    self.living = living
    picture = PictureView(in: widgets["task-picture"])
    living.hasNewPose = { [unowned self] in showPose() }
    widgets["task-primary"].on("clicked") { [unowned self] in press(.primary) }
    widgets["task-secondary"].on("clicked") { [unowned self] in press(.secondary) }
  }

  /// Shows a step.
  func show(_ step: Step) {
    let texts = [
      ("title", step.title), ("text", step.text), ("problem", step.problem),
      ("time", step.progress?.text ?? ""), ("secondary", step.secondary),
    ]
    for (name, text) in texts {
      widgets["task-\(name)"].set("label", text)
      widgets["task-\(name)"].set("visible", !text.isEmpty)
    }
    // A button that goes keeps its place: the second of two taps must not hit the other one.
    let primary = widgets["task-primary"]
    if !step.primary.isEmpty { primary.set("label", step.primary) }
    primary.set("sensitive", !step.primary.isEmpty)
    primary.set("opacity", step.primary.isEmpty ? 0.0 : 1.0)
    widgets["task-report"].set("visible", !step.report.isEmpty)
    widgets["task-picture"].set("visible", step.report.isEmpty)
    if shown.report != step.report { ui_set_text(widgets["task-report-text"].pointer, step.report) }
    shown = step
    showPose()
    widgets["task-progress"].set("visible", step.progress != nil)
    if let progress = step.progress {
      widgets["task-progress"].set("fraction", min(max(progress.share, 0), 1))
    }
  }

  private func showPose() { picture.pose = shown.pose ?? living.pose }

  /// Shows a step each second, and the first one at once.
  ///
  /// - Parameters:
  ///   - seconds: how many, unless the task is cancelled before.
  ///   - step: the step when so many have passed.
  func show(seconds: Int, _ step: (Int) -> Step) async {
    for passed in 0..<seconds where !Task.isCancelled {
      show(step(passed))
      await second()
    }
  }

  /// Shows a step, and waits for a button.
  func ask(_ step: Step) async -> Choice {
    show(step)
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        guard !Task.isCancelled else { return continuation.resume(returning: .secondary) }
        waiting = continuation
      }
    } onCancel: {
      Task { @MainActor in self.press(.secondary) }
    }
  }

  /// Presses a button in place of the person.
  func press(_ choice: Choice) {
    guard let waiting else {
      if choice == .secondary { abandoned() }
      return
    }
    self.waiting = nil
    waiting.resume(returning: choice)
  }
}
