// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Orientation
import OrientationClient

/// `orientationctl lock`: keeps the screen as it is.
struct LockCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "lock",
    abstract: "Lock rotation in the present orientation.",
    discussion: """
      While rotation is locked, the interface stays as it is when the device is turned, also over a restart of the \
      daemon or the machine. "orientationctl rotate" still works.

      \(DaemonCall.Authorization.help)
      """)

  @OptionGroup var screen: ScreenOptions

  func run() throws {
    let now = try screen.connect().state(
      after: .screen("SetRotationLock", .bool(true), authorization: .ofTerminal))
    try screen.show(now, now.lockSentence)
  }
}

/// `orientationctl unlock`: lets the screen follow the device again.
struct UnlockCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "unlock",
    abstract: "Unlock rotation: the interface follows the device again.",
    discussion: """
      The interface turns to the orientation of the device if a program (usually the desktop) has subscribed to \
      notifications.

      \(DaemonCall.Authorization.help)
      """)

  @OptionGroup var screen: ScreenOptions

  func run() throws {
    let now = try screen.connect().state(
      after: .screen("SetRotationLock", .bool(false), authorization: .ofTerminal))
    try screen.show(now, now.lockSentence)
  }
}

/// `orientationctl toggle`: locks or unlocks rotation, for a key.
struct ToggleCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "toggle",
    abstract: "Lock rotation if it is unlocked, and unlock it if it is locked.",
    discussion: DaemonCall.Authorization.help)

  @OptionGroup var screen: ScreenOptions

  func run() throws {
    let now = try screen.connect().state(
      after: .screen("ToggleRotationLock", authorization: .ofTerminal))
    try screen.show(now, now.lockSentence)
  }
}
