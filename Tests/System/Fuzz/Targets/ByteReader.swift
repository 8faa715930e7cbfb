// SPDX-License-Identifier: Apache-2.0

/// Takes choices, numbers and texts off an input; behind its end all of them are zero or empty.
struct ByteReader {
  private var rest: ArraySlice<UInt8>

  init(_ input: [UInt8]) { rest = input[...] }

  var isAtEnd: Bool { rest.isEmpty }

  mutating func byte() -> UInt8 { rest.popFirst() ?? 0 }

  mutating func choice<Element>(of elements: [Element]) -> Element { elements[Int(byte()) % elements.count] }

  /// A number of any size: small ones, where limits are, are as likely as huge ones.
  mutating func number() -> UInt64 {
    let first = byte()
    guard first >= 0x80 else { return UInt64(first) }
    return (0..<7).reduce(UInt64(first)) { number, _ in number << 8 | UInt64(byte()) }
  }

  mutating func text() -> String {
    let bytes = (0..<byte() % 32).map { _ in byte() }
    return String(decoding: bytes.filter { $0 != 0 }, as: UTF8.self)
  }
}
