// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Orientation

/// `orientationctl lock`: the screen stays as it is.
struct LockCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "lock",
    abstract: "Lock rotation in the present orientation.",
    discussion: """
      The interface stays as it is, however the device is turned, until rotation is unlocked; also over a restart. \
      "orientationctl rotate" works all the same.

      \(ScreenControl.authorizationHelp)
      """)

  @OptionGroup var screen: ScreenOptions

  func run() throws {
    let now = try screen.connect().setRotationLock(.locked)
    try screen.show(now, now.lockSentence)
  }
}
