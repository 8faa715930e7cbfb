// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import OrientationClient

/// The options of the commands that change the screen or ask for it, and how those answer.
struct ScreenOptions: ParsableArguments {
  @OptionGroup var bus: BusOptions
  @OptionGroup var output: OutputOptions

  /// Connects to the daemon's screen half.
  func connect() throws(CommandError) -> ScreenClient { try ScreenClient(options: bus) }

  /// Prints what holds now: the sentence for people, the whole state for programs.
  func show(_ screen: ScreenSnapshot, _ sentence: String) throws(OutputError) {
    try StandardOutput.write((output.isJSON ? screen.json.text : sentence) + "\n")
  }
}
