// SPDX-License-Identifier: Apache-2.0

import Glibc

/// The command line of this process, divided at the `--` of `orientationctl hold`.
///
/// ArgumentParser allows a command to have only one list of words. So it parses the words before the `--`, which are all words
/// of other commands.
struct HeldWords {
  /// The words for ArgumentParser.
  let own: [String]
  /// The words of the command to run; empty if there is none.
  let command: [String]
  /// Whether a `--` precedes the command, as it must.
  let isSeparated: Bool

  /// Divides the command line.
  ///
  /// Without `--`, the first word behind an orientation that is none is taken for the command, for the error about that.
  init(_ words: [String] = Array(CommandLine.arguments.dropFirst())) {
    let name = words.firstIndex { !$0.hasPrefix("-") }
    guard let name, words[name] == HoldCommand.name else {
      (own, command, isSeparated) = (words, [], false)
      return
    }
    let separator = words.firstIndex(of: "--")
    let end = separator ?? Self.likelyCommand(in: words, behind: name) ?? words.endIndex
    own = Array(words[..<end])
    command = Array(words[end...].dropFirst(separator == nil ? 0 : 1))
    isSeparated = separator != nil
  }

  private static func likelyCommand(in words: [String], behind name: Int) -> Int? {
    var hasOrientation = false
    for index in words.indices.dropFirst(name + 1) {
      let isValue = HoldCommand.valueOptions.contains(words[index - 1])
      if isValue || words[index].hasPrefix("-") { continue }
      guard OrientationSetName(rawValue: words[index]) != nil else { return hasOrientation ? index : nil }
      hasOrientation = true
    }
    return nil
  }

  /// The command as the kernel has passed it to this process: its words need not be valid UTF-8.
  var raw: ChildCommand.Words { CommandLine.unsafeArgv + (Int(CommandLine.argc) - command.count) }
}
