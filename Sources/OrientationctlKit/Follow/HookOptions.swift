// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Following

/// The commands of the user that run on a change.
struct HookOptions: ParsableArguments {
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
}
