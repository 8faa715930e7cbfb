// SPDX-License-Identifier: Apache-2.0

// orientationctl asks the daemon what it says (status, monitor), and shows by the daemon's own code what it would
// do (sensors, record, classify).

import ArgumentParser
import OrientationService

@main
struct Orientationctl: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "orientationctl",
    abstract: "Ask orientationd which way up the tablet is held.",
    discussion: """
      Orientations are named as in UIKit: portrait (top edge up), portraitUpsideDown, landscapeLeft (right edge \
      up), landscapeRight (left edge up), faceUp, faceDown, and unknown.

      Exit status: 0 when all went well, 1 when something failed, 64 for a wrong command line.
      """,
    version: "orientationctl \(orientationdVersion)",
    subcommands: [
      StatusCommand.self, MonitorCommand.self, SensorsCommand.self, RecordCommand.self, ClassifyCommand.self,
    ])
}
