// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Orientation
import OrientationClient

/// `orientationctl rotate`: rotates the screen by hand.
struct RotateCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "rotate",
    abstract: "Rotate the interface by hand, whether or not rotation is locked.",
    discussion: """
      The interface keeps this orientation until the device is turned to another upright orientation, or rotation is \
      unlocked. While rotation is locked, turns of the device do not change it.

      The names are those of interface orientations: landscapeRight is upright if the right edge of the screen is up, \
      which is the device orientation landscapeLeft. "device" runs the sensor for a moment, and gives the interface the \
      orientation in which the device is held. This fails while rotation is locked, also if the interface has that \
      orientation already. It also fails if the device lies flat, or if that orientation is not supported.

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
    let client = try screen.connect()
    let now =
      if let orientation = goal.orientation {
        try client.rotate(to: orientation)
      } else {
        try client.rotateToDevice()
      }
    try screen.show(now, now.orientationSentence)
  }
}
