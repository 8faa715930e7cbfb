// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Orientation

/// `orientationctl rotate`: the screen turned by hand.
struct RotateCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "rotate",
    abstract: "Rotate the interface by hand, the lock on or off.",
    discussion: """
      The interface keeps the orientation until the device is turned to another upright one; while rotation is \
      locked, until it is rotated again.

      The names are those of interface orientations: landscapeRight is the one that stands upright where the right \
      edge of the screen is up, which is the device orientation landscapeLeft. "device" has the sensor run for a \
      moment, and the interface take the orientation in which the device is held; that fails while rotation is \
      locked, where the device lies flat, and where that orientation is not supported.

      \(ScreenClient.authorizationHelp)
      """)

  /// Where to rotate to.
  enum Goal: String, CaseIterable, ExpressibleByArgument {
    case portrait
    case portraitUpsideDown
    case landscapeLeft
    case landscapeRight
    /// As the device is held.
    case device

    /// The orientation that was named; nil for the device's.
    var orientation: InterfaceOrientation? { InterfaceOrientation(name: rawValue) }
  }

  @OptionGroup var screen: ScreenOptions

  @Argument(
    help: ArgumentHelp("The orientation, or \"device\" for how the device is held.", valueName: "name"))
  var goal: Goal

  func run() throws {
    let control = try screen.connect()
    let now =
      if let orientation = goal.orientation {
        try control.rotate(to: orientation)
      } else {
        try control.rotateToDevice()
      }
    try screen.show(now, now.orientationSentence)
  }
}
