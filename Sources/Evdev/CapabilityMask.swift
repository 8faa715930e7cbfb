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
    for word in text.split(separator: " ") {
      guard let word = UInt(word, radix: 16) else { return nil }
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
