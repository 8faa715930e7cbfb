// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import DaemonClient
import Orientation

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
    try screen.changeLock(by: .screen("SetRotationLock", .bool(true), authorization: .ofTerminal))
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
    try screen.changeLock(by: .screen("SetRotationLock", .bool(false), authorization: .ofTerminal))
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
    try screen.changeLock(by: .screen("ToggleRotationLock", authorization: .ofTerminal))
  }
}

extension ScreenOptions {
  /// Changes the rotation lock, and prints its state then; who has locked it expects to see that.
  fileprivate func changeLock(by call: DaemonCall) throws {
    let now = try ScreenClient(options: bus).state(after: call)
    try show(now, now.lockSentence, isToBeSeen: now.lock == .locked)
  }
}

/// `orientationctl rotate`: rotates the screen by hand.
struct RotateCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "rotate",
    abstract: "Rotate the interface by hand, whether or not rotation is locked.",
    discussion: """
      The interface keeps this orientation until the device is turned to another upright orientation, or rotation is \
      unlocked. While rotation is locked, turns of the device do not change it.

      \(InterfaceOrientation.help) The names of the landscapes are swapped: landscapeRight is upright on a device in landscapeLeft.

      "device" runs the sensor for a moment, and gives the interface the orientation in which the device is held. This \
      fails while rotation is locked, also if the interface has that orientation already. It also fails if the device \
      lies flat, or if that orientation is not supported.

      \(DaemonCall.Authorization.help)
      """)

  /// The orientation to rotate to.
  enum Goal: String, CaseIterable, ExpressibleByArgument {
    case portrait
    case portraitUpsideDown
    case landscapeLeft
    case landscapeRight
    /// The one in which the device is held.
    case device

    /// The orientation with this name; nil for that of the device.
    var orientation: InterfaceOrientation? { InterfaceOrientation(name: rawValue) }
  }

  @OptionGroup var screen: ScreenOptions

  @Argument(
    help: ArgumentHelp(
      "The orientation, or \"device\" for the one in which the device is held.", valueName: "name"))
  var goal: Goal

  func run() throws {
    let client = try ScreenClient(options: screen.bus)
    let now =
      if let orientation = goal.orientation {
        try client.rotate(to: orientation)
      } else {
        try client.rotateToDevice()
      }
    try screen.show(now, now.orientationSentence, isToBeSeen: true)
  }
}

/// `orientationctl supported`: the orientations that the screen may have.
struct SupportedCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "supported",
    abstract: "Print the orientations that the interface may have, or set them.",
    discussion: """
      Without names, prints the orientations that the interface may have, one per line. With names, sets these \
      orientations; the setting survives a restart. If the interface has another orientation at that moment, it changes \
      to a supported one, whether or not rotation is locked.

      \(InterfaceOrientation.help) "landscape" means both landscapes, "all" means all four \
      orientations, and "allButUpsideDown" means all but portraitUpsideDown.

      \(DaemonCall.Authorization.help)
      """)

  @OptionGroup var screen: ScreenOptions

  @Argument(help: ArgumentHelp("The orientations to support.", valueName: "name"))
  var names: [OrientationSetName] = []

  func run() throws {
    let client = try ScreenClient(options: screen.bus)
    if names.isEmpty {
      let now = try client.state()
      try screen.show(now, now.supported.names.joined(separator: "\n"))
    } else {
      let now = try client.state(
        after: .screen(
          "SetSupportedInterfaceOrientations", .strings(InterfaceOrientationMask(names).names),
          authorization: .ofTerminal))
      try screen.show(now, now.supportedSentence, isToBeSeen: true)
    }
  }
}
