// SPDX-License-Identifier: Apache-2.0

import CAdwaita

/// Asks the person where a file is to be saved.
///
/// - Parameters:
///   - window: the window above which it is asked.
///   - name: the name that is proposed.
/// - Returns: the path; nil if none was chosen.
@MainActor
package func pathToSave(above window: Widget, named name: String) async -> String? {
  let dialog = Widget(pointer: ui_save_dialog(window.pointer, name))
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

/// Writes a file as a whole, or not at all.
///
/// - Parameters:
///   - text: what it is to have.
///   - path: where.
/// - Returns: why it was not written; nil if it was.
package func save(_ text: String, to path: String) -> String? {
  var error: UnsafeMutablePointer<GError>?
  guard ui_save(path, text, &error) == 0 else { return nil }
  return takeMessage(of: &error)
}
