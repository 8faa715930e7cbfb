// SPDX-License-Identifier: Apache-2.0

// Names and texts come from drivers, firmware, recordings, other programs. Where such a text reaches a person's terminal, the
// journal, or a file that another program reads by lines, it must not do more there than be read: no escape sequence for the
// terminal, no line of its own, no change of the direction in which its neighbours are read. What does more is written
// visibly instead, as in Swift's own source. Nothing else changes, and no length is bounded.

extension Unicode.Scalar {
  /// Whether it does something to a terminal, a line or its neighbours, or shows nothing at all.
  ///
  /// Controls (C0, DEL, C1), the separators of lines and paragraphs, what sets the direction, and what is invisible, as
  /// Unicode's property Default_Ignorable_Code_Point has it, but for what ordinary text is written with: the variation
  /// selectors of emoji, U+FE00 to U+FE0F, and the joiners of emoji and of Persian and Indian scripts, U+200C and U+200D.
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
  /// The text on one line, with what is not to be printed written as `\u{1b}`.
  public var printable: String { replacingUnprintable { _ in false } }

  /// The same of a text of several lines, whose line feeds stay.
  ///
  /// Only for a text whose lines are our own: a name in it has to be made ``printable`` before.
  public var printableLines: String { replacingUnprintable { $0 == "\n" } }

  private func replacingUnprintable(but isKept: (Unicode.Scalar) -> Bool) -> String {
    // Nearly every text stays as it is.
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
