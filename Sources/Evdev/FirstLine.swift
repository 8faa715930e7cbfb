// SPDX-License-Identifier: Apache-2.0

import CLinux

/// The first line of a file of the kernel, without its end; nil if it cannot be read.
///
/// It takes one read of 512 bytes: the lines that are read like this are names, numbers, modes, and at most the 768 bits of an input device's
/// `capabilities/key`, 24 words of 8 digits and a space. The rest of a longer line is left out.
@inline(never)
package func firstLine(of path: String) -> String? {
  withUnsafeTemporaryAllocation(byteCount: 512, alignment: 1) { bytes in
    let count = readFile(path, into: bytes.baseAddress, bytes.count)
    guard count >= 0 else { return nil }
    return String(decoding: bytes[..<count].prefix { $0 != UInt8(ascii: "\n") && $0 != 0 }, as: UTF8.self)
  }
}
