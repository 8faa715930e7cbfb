// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Orientation

/// `orientationctl unlock`: the screen follows the device again.
struct UnlockCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "unlock",
    abstract: "Unlock rotation: the interface follows the device again.",
    discussion: """
      The interface turns to how the device is held now, where some program (mostly the desktop) asks for \
      notifications.

      \(ScreenControl.authorizationHelp)
      """)

  @OptionGroup var screen: ScreenOptions

  func run() throws {
    let now = try screen.connect().setRotationLock(.unlocked)
    try screen.show(now, now.lockSentence)
  }
}
