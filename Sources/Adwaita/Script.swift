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
    await answer { data in
      g_subprocess_communicate_utf8_async(
        process, nil, nil,
        { process, result, data in
          Answer<ScriptOutput>.give(ScriptOutput(of: OpaquePointer(process), result), to: data)
        }, data)
    }
  } onCancel: {
    g_subprocess_force_exit(child.process)
  }
}

extension ScriptOutput {
  /// What a process has printed, or its complaint if it has failed.
  fileprivate init(of process: OpaquePointer?, _ result: OpaquePointer?) {
    var (output, complaint): (UnsafeMutablePointer<CChar>?, UnsafeMutablePointer<CChar>?)
    defer { for text in [output, complaint] { g_free(text) } }
    let isWhole =
      g_subprocess_communicate_utf8_finish(process, result, &output, &complaint, nil) != 0
      && g_subprocess_get_if_exited(process) != 0 && g_subprocess_get_exit_status(process) == 0
    let text = (isWhole ? output : complaint).map { String(cString: $0) } ?? ""
    self = isWhole ? .whole(text) : .failed(text)
  }
}

/// GLib locks what it does with a process.
private struct Child: @unchecked Sendable { let process: OpaquePointer }

/// The message of an error of GLib, which is freed.
func takeMessage(of error: inout UnsafeMutablePointer<GError>?) -> String {
  defer { g_clear_error(&error) }
  return error.map { String(cString: $0.pointee.message) } ?? "unknown"
}
