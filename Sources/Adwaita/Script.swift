// SPDX-License-Identifier: Apache-2.0

import CAdwaita

/// What came of a script of the shell.
package enum ScriptOutput: Sendable {
  /// All that it has printed.
  case whole(String)
  /// Why it could not be started, or its complaint.
  case failed(String)
}

/// Runs a script of the shell; if the task is cancelled, it is killed.
@MainActor
package func output(of script: String) async -> ScriptOutput {
  var error: UnsafeMutablePointer<GError>?
  guard let process = ui_start(script, &error) else { return .failed(takeMessage(of: &error)) }
  let child = Child(process: process)
  defer { g_object_unref(UnsafeMutableRawPointer(process)) }
  return await withTaskCancellationHandler {
    await answer { (data) -> Void in
      ui_read_all(
        process,
        { text, isWhole, data in
          let text = text.map { String(cString: $0) } ?? ""
          Answer<ScriptOutput>.give(isWhole == 0 ? .failed(text) : .whole(text), to: data)
        }, data)
    }
  } onCancel: {
    g_subprocess_force_exit(child.process)
  }
}

/// GLib locks what it does with a process.
private struct Child: @unchecked Sendable { let process: OpaquePointer }

/// The message of an error of GLib, which is freed.
func takeMessage(of error: inout UnsafeMutablePointer<GError>?) -> String {
  defer { g_clear_error(&error) }
  return error.map { String(cString: $0.pointee.message) } ?? "unknown"
}
