// SPDX-License-Identifier: Apache-2.0

import CLinux

/// A set of event codes of one type, as the kernel has it: a bit for each, in words of a C long, the lowest codes first.
struct EventMask {
  /// Room for KEY_CNT, 768 codes: no type has more.
  private var words = InlineArray<24, UInt>(repeating: 0)

  /// Creates an empty set.
  init() {}

  /// Reads the codes that a device can send, as sysfs tells them in `capabilities/sw` and `capabilities/key`; nil if the text is malformed.
  ///
  /// The text is the words in hexadecimal digits, the word with the highest codes first and without leading zeros
  /// (`input_print_bitmap` of the kernel's drivers/input/input.c), such as "2" or "10000 7 ff9f207ac14057ff".
  init?(parsing text: String) {
    let texts = text.split(separator: " ")
    guard words.indices ~= texts.count - 1 else { return nil }
    for (index, text) in texts.reversed().enumerated() {
      guard let word = UInt(text, radix: 16) else { return nil }
      words[index] = word
    }
  }

  /// Whether the device can send this code.
  func contains(_ code: UInt16) -> Bool {
    let (word, bit) = Self.place(of: code)
    return word < words.count && words[word] >> bit & 1 == 1
  }

  mutating func insert(_ code: UInt16) {
    let (word, bit) = Self.place(of: code)
    words[word] |= 1 << bit
  }

  private static func place(of code: UInt16) -> (quotient: Int, remainder: Int) {
    Int(code).quotientAndRemainder(dividingBy: UInt.bitWidth)
  }

  /// Makes this the mask of one type of events; negative if the kernel refuses it.
  ///
  /// The kernel reads as much of it as the type has codes.
  func apply(to descriptor: CInt, type: UInt32) -> CInt {
    words.span.withUnsafeBytes { bytes in
      linux_input_set_mask(
        descriptor, type, bytes.baseAddress?.assumingMemoryBound(to: UInt.self), UInt32(bytes.count))
    }
  }
}
