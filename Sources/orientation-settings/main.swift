// SPDX-License-Identifier: Apache-2.0

// orientation-settings: a window for people who hold a tablet: how it is held, the rotation lock, calibration, a report.

import Adwaita
import CAdwaita
import OrientationClient

/// The daemon's motion socket; another one is for tests.
var socket = "/run/orientationd/motion"
let arguments = CommandLine.arguments.dropFirst()
if arguments.count == 2, arguments.first == "--socket" {
  socket = arguments[2]
} else if !arguments.isEmpty {
  ui_complain("usage: orientation-settings [--socket PATH]\n")
  exit(2)
}
var window: SettingsWindow?
exit(
  runApplication("org.orientationd1.Settings") { application in
    let shown = window ?? SettingsWindow(device: .current, motion: MotionManager(socket: socket))
    window = shown
    shown.present(in: application)
  })
