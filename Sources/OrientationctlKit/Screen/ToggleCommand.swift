// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Orientation
import OrientationClient

/// `orientationctl toggle`: what a key for the rotation lock does.
struct ToggleCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "toggle",
    abstract: "Lock rotation if it is unlocked, and unlock it if it is locked.",
    discussion: ScreenControl.authorizationHelp)

  @OptionGroup var screen: ScreenOptions

  func run() throws {
    let control = try screen.connect()
    let now = try control.setRotationLock(try control.state().lock.toggled)
    try screen.show(now, now.lockSentence)
  }
}
