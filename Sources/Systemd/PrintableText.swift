// SPDX-License-Identifier: Apache-2.0

// Names and texts come from drivers, firmware, recordings and other programs. When such a text is written to a terminal, to the
// journal, or to a file that another program reads by lines, it must have no other effect than to be read: it must not contain
// escape sequences, begin new lines, change the direction in which the text around it is shown, or be drawn over that text.
// Characters that could do so are written as escapes, as in Swift source. Nothing else changes, and the length is not limited.

extension Unicode.Scalar {
  /// Whether it affects the terminal, the line or the text around it, or is invisible.
  ///
  /// These are control characters (C0, DEL, C1), separators of lines and paragraphs, direction marks, what is invisible by
  /// Unicode's property Default_Ignorable_Code_Point, and noncharacters, which D-Bus does not take. Not among them is what
  /// ordinary text needs: the variation selectors of emoji, U+FE00 to U+FE0F, and the joiners of emoji and of Persian and Indian
  /// scripts, U+200C and U+200D.
  package var isUnprintable: Bool {
    switch value {
    case 0...0x1F, 0x7F...0x9F: true
    case 0x20...0x7E: false
    case 0xAD, 0x34F, 0x61C, 0x115F...0x1160, 0x17B4...0x17B5, 0x180B...0x180F: true
    case 0x200B, 0x200E...0x200F, 0x2028...0x202E, 0x2060...0x206F: true
    case 0x3164, 0xFDD0...0xFDEF, 0xFEFF, 0xFFA0, 0xFFF0...0xFFFB: true
    case 0x1BCA0...0x1BCA3, 0x1D173...0x1D17A, 0xE0000...0xE0FFF: true
    default: value & 0xFFFE == 0xFFFE
    }
  }

  /// Whether it takes no place of its own: a mark on the character before it, a variation selector, a joiner, or a vowel or final
  /// consonant of a Hangul syllable.
  package var isCombining: Bool {
    switch value {
    case ..<0x300: return false
    case 0x200D, 0x1160...0x11FF, 0xD7B0...0xD7FF: return true
    // Half-width voice marks and skin tones, which Unicode treats as marks, have a place where nothing combines with them.
    case 0xFF9E...0xFF9F, 0x1F3FB...0x1F3FF: return false
    default:
      // Unicode's categories are a table of 33 KB, which the daemon does not have. What it has is how Swift divides text into
      // Characters: two emoji with a joiner are one Character, also with marks behind the first one, but not with anything else.
      var emoji = "\u{263A}"
      emoji.unicodeScalars.append(self)
      emoji += "\u{200D}\u{263A}"
      return emoji.count == 1
    }
  }
}

/// Decides for each scalar of a text, from the first to the last, whether it is to be written as an escape.
///
/// This is so if it is unprintable, or if it combines with something that is not there, or to which five others belong already: more
/// would reach the lines around it. The most that words have is five in Burmese and in pointed Hebrew, three in Vietnamese and Thai.
package struct PrintableRule {
  private static let limit = 5
  /// How many combining scalars there are in a row; at the start none may follow.
  private var count = Self.limit

  /// Creates the rule for the start of a text, or of a line in it.
  package init() {}

  /// Whether the next scalar is to be written as an escape.
  package mutating func escapes(_ scalar: Unicode.Scalar) -> Bool {
    let isUnprintable = scalar.isUnprintable
    guard !isUnprintable, scalar.isCombining else {
      count = 0
      return isUnprintable
    }
    count = min(count + 1, Self.limit + 1)
    return count > Self.limit
  }
}

extension String {
  /// The text on one line, with unprintable characters, and combining ones that are too many, written as escapes such as `\u{1b}`.
  package var printable: String { escaped(keepingLineFeeds: false) }

  /// The same for a text of several lines, which keeps its line feeds.
  ///
  /// Only for a text that this program has divided into lines: names in it must be made ``printable`` before.
  package var printableLines: String { escaped(keepingLineFeeds: true) }

  private func escaped(keepingLineFeeds isKeepingLineFeeds: Bool) -> String {
    // Nearly every text is printable already.
    guard utf8.contains(where: { $0 < 0x20 || $0 >= 0x7F }) else { return self }
    var text = String.UnicodeScalarView()
    var rule = PrintableRule()
    for scalar in unicodeScalars {
      if isKeepingLineFeeds, scalar == "\n" {
        rule = PrintableRule()
      } else if rule.escapes(scalar) {
        text.append(contentsOf: "\\u{\(String(scalar.value, radix: 16))}".unicodeScalars)
        continue
      }
      text.append(scalar)
    }
    return String(text)
  }
}
