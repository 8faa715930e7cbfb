// SPDX-License-Identifier: Apache-2.0

// orientation-settings: a window for people who hold a tablet: how it is held, the rotation lock, calibration, a report. GLib's loop runs the
// main actor.

import CAdwaita
import OrientationClient

/// What GTK calls when the program starts, or is started once more.
@MainActor
private final class Program {
  private var window: SettingsWindow?
  /// The daemon's motion socket; another one is for tests.
  var socket = "/run/orientationd/motion"

  func activate(_ application: Widget) {
    let window = window ?? SettingsWindow(device: .current, motion: MotionManager(socket: socket))
    self.window = window
    window.present(in: application)
  }
}

private let program = Program()
g_unix_fd_add(
  MainActorLoop.descriptor, G_IO_IN,
  { _, _, _ in
    MainActor.assumeIsolated { MainActorLoop.run() }
    return 1
  }, nil)
let arguments = CommandLine.arguments.dropFirst()
if arguments.count == 2, arguments.first == "--socket" {
  program.socket = arguments[2]
} else if !arguments.isEmpty {
  ui_complain("usage: orientation-settings [--socket PATH]\n")
  exit(2)
}
private let application = Widget(pointer: ui_application("org.orientationd1.Settings"))
application.on("activate") { program.activate(application) }
exit(ui_run(application.pointer))
