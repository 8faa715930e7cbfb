// SPDX-License-Identifier: Apache-2.0

// Names and texts come from drivers, firmware, recordings and other programs. When such a text is written to a terminal, to the
// journal, or to a file that another program reads by lines, it must have no other effect than to be read: it must not contain
// escape sequences, begin new lines, or change the direction in which the text around it is shown. Characters that could do so are
// written as escapes, as in Swift source. Nothing else changes, and the length is not limited.

extension Unicode.Scalar {
  /// Whether it affects the terminal, the line or the text around it, or is invisible.
  ///
  /// These are control characters (C0, DEL, C1), separators of lines and paragraphs, direction marks, and what is invisible by
  /// Unicode's property Default_Ignorable_Code_Point. Not among them is what ordinary text needs: the variation selectors of
  /// emoji, U+FE00 to U+FE0F, and the joiners of emoji and of Persian and Indian scripts, U+200C and U+200D.
  public var isUnprintable: Bool {
    switch value {
    case 0...0x1F, 0x7F...0x9F: true
    case 0x20...0x7E: false
    case 0xAD, 0x34F, 0x61C, 0x115F...0x1160, 0x17B4...0x17B5, 0x180B...0x180F: true
    case 0x200B, 0x200E...0x200F, 0x2028...0x202E, 0x2060...0x206F: true
    case 0x3164, 0xFEFF, 0xFFA0, 0xFFF0...0xFFFB: true
    case 0x1BCA0...0x1BCA3, 0x1D173...0x1D17A, 0xE0000...0xE0FFF: true
    default: false
    }
  }
}

extension String {
  /// The text on one line, with unprintable characters written as escapes such as `\u{1b}`.
  public var printable: String { replacingUnprintable { _ in false } }

  /// The same for a text of several lines, which keeps its line feeds.
  ///
  /// Only for a text that this program has divided into lines: names in it must be made ``printable`` before.
  public var printableLines: String { replacingUnprintable { $0 == "\n" } }

  private func replacingUnprintable(but isKept: (Unicode.Scalar) -> Bool) -> String {
    // Nearly every text is printable already.
    guard unicodeScalars.contains(where: { $0.isUnprintable && !isKept($0) }) else { return self }
    var text = String.UnicodeScalarView()
    for scalar in unicodeScalars {
      if scalar.isUnprintable, !isKept(scalar) {
        text.append(contentsOf: "\\u{\(String(scalar.value, radix: 16))}".unicodeScalars)
      } else {
        text.append(scalar)
      }
    }
    return String(text)
  }
}
