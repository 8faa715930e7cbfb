// SPDX-License-Identifier: Apache-2.0

/// The codes of one type that a device can send, as sysfs tells them in `capabilities/sw` and `capabilities/key`.
///
/// The text is words of a C long in hexadecimal digits, the word with the highest codes first and without leading
/// zeros (`input_print_bitmap` of the kernel's drivers/input/input.c), such as "2" or "10000 7 ff9f207ac14057ff".
struct CapabilityMask: Equatable {
  /// The word with the lowest codes first.
  private var words: [UInt] = []

  /// Reads a mask; nil if the text is malformed.
  init?(parsing text: String) {
    for word in Array(text.utf8).split(separator: UInt8(ascii: " ")) {
      guard let word = hexadecimalNumber(word) else { return nil }
      words.append(word)
    }
    guard !words.isEmpty else { return nil }
    words.reverse()
  }

  /// Whether the device can send this code.
  func contains(_ code: UInt16) -> Bool {
    let (word, bit) = Int(code).quotientAndRemainder(dividingBy: UInt.bitWidth)
    return word < words.count && words[word] >> UInt(bit) & 1 == 1
  }
}

private func hexadecimalNumber(_ digits: ArraySlice<UInt8>) -> UInt? {
  guard digits.count <= UInt.bitWidth / 4 else { return nil }
  var number: UInt = 0
  for digit in digits {
    switch digit {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): number = number << 4 | UInt(digit - UInt8(ascii: "0"))
    case UInt8(ascii: "a")...UInt8(ascii: "f"): number = number << 4 | UInt(digit - UInt8(ascii: "a") + 10)
    default: return nil
    }
  }
  return number
}
