// SPDX-License-Identifier: Apache-2.0

import Glibc

/// The command line of this process, divided at the `--` of `orientationctl hold`.
///
/// ArgumentParser allows a command to have only one list of words. So it parses the words before the `--`, which are all words
/// of other commands.
struct HeldWords {
  /// The words for ArgumentParser.
  let own: [String]
  /// The words of the command to run; empty without `--`.
  let command: [String]

  /// Divides the command line.
  init(_ words: [String] = Array(CommandLine.arguments.dropFirst())) {
    let isHold = words.first { !$0.hasPrefix("-") } == HoldCommand.name
    let end = isHold ? words.firstIndex(of: "--") ?? words.endIndex : words.endIndex
    own = Array(words[..<end])
    command = Array(words[end...].dropFirst())
  }

  /// The command as the kernel has passed it to this process: its words need not be valid UTF-8.
  var raw: ChildCommand.Words { CommandLine.unsafeArgv + (Int(CommandLine.argc) - command.count) }
}
