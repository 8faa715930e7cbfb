// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import OrientationClient

/// The options and the output of the commands that change or show the screen.
struct ScreenOptions: ParsableArguments {
  @OptionGroup var bus: BusOptions
  @OptionGroup var output: OutputOptions

  /// Connects to the daemon's Screen interface.
  func connect() throws(CommandError) -> ScreenClient { try ScreenClient(options: bus) }

  /// Prints the present state: the sentence for people, or the whole state for programs.
  func show(_ screen: ScreenSnapshot, _ sentence: String) throws(OutputError) {
    try StandardOutput.write((output.isJSON ? screen.json.text : sentence) + "\n")
  }
}
