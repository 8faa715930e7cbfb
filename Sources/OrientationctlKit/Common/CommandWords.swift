// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

/// The words of the command line before ArgumentParser parses them.
struct CommandWords {
  /// The options that may also stand before the command: those without a value that most commands have.
  private static let common = ["--user", "--json"]

  /// The words without the name of the program; options of the command stand behind it.
  let arguments: [String]

  private let commands: [String]

  /// Moves the options that stand before the command behind it: ArgumentParser accepts them only there.
  ///
  /// If no command follows them, they are left out: they have no effect on an option of the program itself, such as `--help`, and the
  /// error is about what follows.
  ///
  /// - Parameters:
  ///   - words: the words of the command line without the name of the program.
  ///   - commands: the names of the commands.
  init(_ words: [String], commands: [String]) {
    self.commands = commands
    let options = words.prefix { Self.common.contains($0) }
    let rest = words.dropFirst(options.count)
    if let command = rest.first, commands.contains(command) {
      arguments = [command] + options + rest.dropFirst()
    } else {
      arguments = Array(rest)
    }
  }

  /// Refuses a command that is probably a misspelling of another one, and each word behind `help` that is no command.
  ///
  /// - Throws: a `ValidationError` that suggests the right one.
  func refuseMisspelling() throws(ValidationError) {
    // The command that ArgumentParser adds to those of the program.
    let help = "help"
    let isHelp = arguments.first == help
    guard let word = isHelp ? arguments.dropFirst().first : arguments.first, !word.hasPrefix("-"),
      word != help, !commands.contains(word)
    else { return }
    let names = Self.suggestions(for: word, among: commands).map { "'\($0)'" }.joined(separator: " or ")
    let refusal = "There is no command '\(word)'."
    if !names.isEmpty { throw ValidationError("\(refusal) Did you mean \(names)?") }
    // ArgumentParser refuses other commands itself, but it shows the general help for `help` with such a word.
    if isHelp { throw ValidationError(refusal) }
  }

  /// The commands that a word is probably meant to be: those with the fewest mistakes; none if it is a command.
  static func suggestions(for word: String, among commands: [String]) -> [String] {
    guard !commands.contains(word) else { return [] }
    // A long text is no command, and comparing it takes long.
    guard word.utf8.count <= 20 else { return [] }
    let begun = word.count > 1 ? commands.filter { $0.hasPrefix(word) } : []
    guard begun.isEmpty else { return begun }
    let candidates = commands.map { (name: $0, mistakes: mistakes(in: word, for: $0)) }
    // One mistake in a short word, two in a longer one: "now" is not meant to be "lock".
    let likely = candidates.filter { $0.mistakes <= ($0.name.count < 6 ? 1 : 2) }
    guard let fewest = likely.map(\.mistakes).min() else { return [] }
    return likely.filter { $0.mistakes == fewest }.map(\.name)
  }

  /// The edit distance: how many characters are missing, too many, wrong, or swapped with their neighbour.
  private static func mistakes(in word: String, for command: String) -> Int {
    let (word, command) = (Array(word), Array(command))
    var beforeLast: [Int] = []
    var last = Array(0...command.count)
    for row in word.indices {
      var present = [row + 1]
      for column in command.indices {
        let isWrong = word[row] != command[column]
        var fewest = min(last[column] + (isWrong ? 1 : 0), last[column + 1] + 1, present[column] + 1)
        if isWrong, row > 0, column > 0, word[row] == command[column - 1], word[row - 1] == command[column] {
          fewest = min(fewest, beforeLast[column - 1] + 1)
        }
        present.append(fewest)
      }
      (beforeLast, last) = (last, present)
    }
    return last[command.count]
  }
}
