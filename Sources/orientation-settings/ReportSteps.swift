// SPDX-License-Identifier: Apache-2.0

import Adwaita
import CAdwaita
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

  /// What came of the script: all that it has printed, or its last complaint.
  private enum Output {
    case whole(String)
    case failed(String)
  }

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
    let recording = step
    let clock = start {
      await page.show(seconds: Self.seconds) { passed in
        var step = recording
        step.progress = (Double(passed) / Double(Self.seconds), "\(passed) of \(Self.seconds) s")
        return step
      }
    }
    let output = await record()
    clock.cancel()
    if Task.isCancelled { return nil }
    switch output {
    case .whole(let report): return await save(report)
    case .failed(let complaint): return "Nothing could be recorded: \(complaint.shown)"
    }
  }

  private func save(_ report: String) async -> String? {
    var step = TaskPage.Step(title: "This is in the report", report: report, primary: "Save…")
    while await page.ask(step) == .primary {
      guard let path = await chosenPath() else { continue }
      guard let problem = write(report, to: path) else { return "The report is saved." }
      step.problem = "Not saved: \(problem.shown)"
    }
    return nil
  }

  private func record() async -> Output {
    var error: UnsafeMutablePointer<GError>?
    guard let process = ui_start(Self.script, &error) else { return .failed(Self.text(of: &error)) }
    let child = Child(process: process)
    defer { g_object_unref(UnsafeMutableRawPointer(process)) }
    return await withTaskCancellationHandler {
      await answer { (data) -> Void in
        ui_read_all(
          process,
          { text, isWhole, data in
            let text = text.map { String(cString: $0) } ?? ""
            Answer<Output>.give(isWhole == 0 ? .failed(text) : .whole(text), to: data)
          }, data)
      }
    } onCancel: {
      g_subprocess_force_exit(child.process)
    }
  }

  /// GLib locks what it does with a process.
  private struct Child: @unchecked Sendable { let process: OpaquePointer }

  // MARK: The file

  private func chosenPath() async -> String? {
    let dialog = Widget(pointer: ui_save_dialog(window.pointer, Self.fileName))
    defer { g_object_unref(dialog.pointer) }
    let isChosen: Bool = await answer { data in
      ui_connect_response(
        dialog.pointer,
        { _, response, data in Answer<Bool>.give(response == GTK_RESPONSE_ACCEPT.rawValue, to: data) }, data)
      ui_show_dialog(dialog.pointer)
    }
    guard isChosen, let path = ui_chosen_path(dialog.pointer) else { return nil }
    defer { g_free(path) }
    return String(cString: path)
  }

  /// Writes the file as a whole, or not at all.
  ///
  /// - Returns: why it was not written; nil if it was.
  private func write(_ report: String, to path: String) -> String? {
    var error: UnsafeMutablePointer<GError>?
    let flags = GFileSetContentsFlags(
      rawValue: G_FILE_SET_CONTENTS_CONSISTENT.rawValue | G_FILE_SET_CONTENTS_DURABLE.rawValue)
    guard g_file_set_contents_full(path, report, -1, flags, 0o644, &error) == 0 else { return nil }
    return Self.text(of: &error)
  }

  private static func text(of error: inout UnsafeMutablePointer<GError>?) -> String {
    defer { g_clear_error(&error) }
    return error.map { String(cString: $0.pointee.message) } ?? "unknown"
  }
}
