// SPDX-License-Identifier: Apache-2.0

/// A command line of the user that runs when something has changed.
///
/// It is divided into words without a shell: at blanks, except between two `'` or two `"`, which are dropped. Nothing else has a
/// special meaning, so that no value can be taken for a part of a script.
package struct HookCommand: Equatable, Sendable {
  /// Why a text is no command line.
  package enum Problem: Error, Equatable, CustomStringConvertible {
    /// There is no word, or the first one is empty.
    case empty
    /// The second one of two quotation marks is missing.
    case openQuotation(Character)

    /// What is wrong, for people.
    package var description: String {
      switch self {
      case .empty: "there is no command"
      case .openQuotation(let mark): "the closing \(mark) is missing"
      }
    }
  }

  /// The text, as it was written.
  package let text: String
  /// The program and its arguments; there is at least one.
  let words: [String]

  /// Divides a text into words.
  ///
  /// - Parameter text: what the user has written.
  /// - Throws: ``Problem``
  package init(_ text: String) throws(Problem) {
    self.text = text
    var words: [String] = []
    // Nil between two words; a pair of quotation marks with nothing in between is a word, too.
    var word: String?
    var open: Character?
    for character in text {
      switch (open, character) {
      case (character, _): open = nil
      case (nil, "'"), (nil, "\""):
        open = character
        word = word ?? ""
      case (nil, " "), (nil, "\t"), (nil, "\n"):
        if let word { words.append(word) }
        word = nil
      default: word = (word ?? "") + String(character)
      }
    }
    if let open { throw .openQuotation(open) }
    if let word { words.append(word) }
    guard words.first?.isEmpty == false else { throw .empty }
    self.words = words
  }
}
