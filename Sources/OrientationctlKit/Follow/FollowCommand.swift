// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Following
import Glibc

/// `orientationctl follow`: turns the screen of a compositor that has no shell of its own.
struct FollowCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "follow",
    abstract: "Turn the tablet's screen as the daemon says, in a compositor that does not do so itself.",
    discussion: """
      The command runs as long as the session, and turns the tablet's own output as orientationd says. It subscribes to notifications, so the sensor runs meanwhile. It is for Wayland compositors that let \
      other programs turn their outputs by wlr-output-management: sway, labwc, Wayfire, river, phoc and others; and for \
      X sessions, where it also turns the touchscreens and pens of the output. GNOME, KDE Plasma and Phosh turn the \
      screen themselves; there the command ends with an error.

      The output is the only one whose name begins with eDP, DSI or LVDS, or else with DPI or SPI. Of two, such as \
      eDP-1 and eDP-2, both are turned, and the second is placed as it is in the laptop, below the first. Otherwise \
      --output is needed. Outputs to the right of it and below it move to make room. Their modes, scales and transforms \
      stay as they are.

      If something else resets the transform, such as a compositor that reads its configuration again, it is applied \
      again. If this happens 3 times in 5 seconds, the command gives up: only one program may turn the screen.

      --on-tablet-mode and --on-transform run a command of yours at the start, when the value is known, and at each \
      change: to show a keyboard on the screen, or to switch the real one off. ORIENTATION_TABLET_MODE (tablet, \
      laptop), ORIENTATION_TRANSFORM (normal, 90, 180, 270) and ORIENTATION_INTERFACE (portrait and so on) are in its \
      environment; what is not known is "unknown". There is no shell: the command is divided into words at blanks, except \
      between two ' or two ". For a script: --on-tablet-mode 'sh -c "..."'. A command runs once at a time; after \
      changes meanwhile, it runs again for the newest one only. If it fails, a message says so, and the screen is turned as before.

      The command is in the package orientationctl-follow. The exit status is 0 after Ctrl-C, SIGTERM or SIGHUP; 69 if \
      the screen cannot be turned in this session, or something else turns it; 1 if the compositor, the X server or \
      the bus has ended.
      """)

  @OptionGroup var bus: BusOptions

  @Option(help: ArgumentHelp("Turn this output.", valueName: "output-name"))
  var output: String?

  @Option(
    help: ArgumentHelp("Run this when the device has become a tablet or a laptop.", valueName: "command"),
    transform: Self.command)
  var onTabletMode: HookCommand?

  @Option(
    help: ArgumentHelp("Run this when the screen was turned.", valueName: "command"), transform: Self.command)
  var onTransform: HookCommand?

  private static func command(_ text: String) throws -> HookCommand {
    do throws(HookCommand.Problem) {
      return try HookCommand(text)
    } catch {
      throw ValidationError("\(error).")
    }
  }

  func validate() throws {
    if output == "" { throw ValidationError("--output takes the name of an output, such as DSI-1.") }
  }

  func run() throws {
    var request = FollowRequest()
    (request.isUserBus, request.output) = (bus.isUser, output)
    (request.onTabletMode, request.onTransform) = (onTabletMode, onTransform)
    let name = FollowRequest.program { getenv($0).map { String(cString: $0) } }
    try ResidentProgram(name: name, package: "orientationctl-follow").become(request.words)
  }
}
