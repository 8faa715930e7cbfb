// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Orientation
import OrientationClient

/// `orientationctl supported`: the orientations that the screen may have.
struct SupportedCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "supported",
    abstract: "Print the orientations that the interface may have, or set them.",
    discussion: """
      Without names, prints the orientations that the interface may have, one per line. With names, sets these \
      orientations; the setting survives a restart. If the interface has another orientation at that moment, it changes \
      to a supported one, whether or not rotation is locked. "landscape" means both landscapes, "all" means all four \
      orientations, and "allButUpsideDown" means all but portraitUpsideDown.

      \(DaemonCall.Authorization.help)
      """)

  @OptionGroup var screen: ScreenOptions

  @Argument(help: ArgumentHelp("The orientations to support.", valueName: "name"))
  var names: [OrientationSetName] = []

  func run() throws {
    let client = try screen.connect()
    if names.isEmpty {
      let now = try client.state()
      try screen.show(now, now.supported.names.joined(separator: "\n"))
    } else {
      let now = try client.state(
        after: .screen(
          "SetSupportedInterfaceOrientations", .uint32(InterfaceOrientationMask(names).rawValue),
          authorization: .ofTerminal))
      try screen.show(now, now.supportedSentence)
    }
  }
}
