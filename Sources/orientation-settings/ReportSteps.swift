// SPDX-License-Identifier: Apache-2.0

import Adwaita
import OrientationClient

/// The steps of a report: it is recorded, shown, and saved where the person says.
@MainActor
struct ReportSteps {
  /// How long is recorded, in seconds: enough for some turns.
  private static let seconds = 20
  /// The name that is proposed for the file.
  private static let fileName = "orientation-report.csv"
  /// A recording, before which comments have what is known of the service and the sensors.
  private static let script = """
    for command in status sensors; do
      echo "# orientationctl $command"
      orientationctl $command 2>&1 | sed 's/^/#   /'
    done
    exec orientationctl record --seconds \(seconds) -
    """

  let page: TaskPage
  let window: Widget

  /// Takes the steps.
  ///
  /// - Returns: what came of it, a sentence; nil if the person has ended it.
  func run() async -> String? {
    var step = TaskPage.Step(title: "Save a report")
    step.text = """
      It has what orientationctl tells of the service and the sensors, and their readings for \(Self.seconds) seconds. \
      It has no serial numbers, and is sent nowhere. Turn the tablet as when the screen turns wrongly.
      """
    step.primary = "Record"
    guard await page.ask(step) == .primary else { return nil }
    step.primary = ""
    let clock = start {
      await page.show(seconds: Self.seconds) { [step] passed in
        var step = step
        step.progress = (Double(passed) / Double(Self.seconds), "\(passed) of \(Self.seconds) s")
        return step
      }
    }
    let result = await output(of: Self.script)
    clock.cancel()
    if Task.isCancelled { return nil }
    switch result {
    case .whole(let report): return await save(report)
    case .failed(let complaint): return "Nothing could be recorded: \(complaint.shown)"
    }
  }

  private func save(_ report: String) async -> String? {
    var step = TaskPage.Step(
      title: "This is in the report",
      text: "CONTRIBUTING.md, with the source of orientationd, tells where reports go.",
      report: report, primary: "Save…")
    while await page.ask(step) == .primary {
      guard let path = await pathToSave(above: window, named: Self.fileName) else { continue }
      guard let problem = Adwaita.save(report, to: path) else { return "The report is saved." }
      step.problem = "Not saved: \(problem.shown)"
    }
    return nil
  }
}
