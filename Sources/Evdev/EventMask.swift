// SPDX-License-Identifier: Apache-2.0

import CLinux

/// A set of event codes as the kernel expects it: a bit for each, in words of a C long, the lowest codes first.
struct EventMask {
  /// Room for KEY_CNT, 768 codes: no type has more.
  private var words = InlineArray<24, UInt>(repeating: 0)

  mutating func insert(_ code: UInt16) {
    let (word, bit) = Int(code).quotientAndRemainder(dividingBy: UInt.bitWidth)
    words[word] |= 1 << UInt(bit)
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
