// SPDX-License-Identifier: Apache-2.0

/// A key that a picture knows.
enum PictureKey: Equatable {
  case lock
  case left
  case right
  case up
  case down
  case quit
  case redraw
  case enter
}

/// Finds keys in what the terminal sends; the bytes of an arrow can come in pieces.
struct PictureKeys {
  private var rest: [UInt8] = []

  /// Reads bytes; unknown keys are left out.
  mutating func read(_ bytes: [UInt8]) -> [PictureKey] {
    var keys: [PictureKey] = []
    for byte in bytes {
      rest.append(byte)
      switch rest[0] {
      case 0x1B:
        guard rest.count > 1 else { continue }
        // CSI, or SS3 as in application mode; any other key ends a lone escape.
        guard rest[1] == UInt8(ascii: "[") || rest[1] == UInt8(ascii: "O") else {
          rest = byte == 0x1B ? [byte] : []
          if let key = Self.key(byte) { keys.append(key) }
          continue
        }
        // Parameters, up to the letter that ends the sequence.
        guard rest.count > 2, 0x40...0x7E ~= byte else { continue }
        if let key = Self.arrow(byte) { keys.append(key) }
      default:
        if let key = Self.key(byte) { keys.append(key) }
      }
      rest = []
    }
    // No sequence is so long: the terminal sends something else.
    if rest.count > 32 { rest = [] }
    return keys
  }

  private static func key(_ byte: UInt8) -> PictureKey? {
    switch byte {
    case UInt8(ascii: "l"), UInt8(ascii: "L"): .lock
    case UInt8(ascii: "q"), UInt8(ascii: "Q"): .quit
    case 0x0C: .redraw
    case 0x0A, 0x0D: .enter
    default: nil
    }
  }

  private static func arrow(_ byte: UInt8) -> PictureKey? {
    switch byte {
    case UInt8(ascii: "A"): .up
    case UInt8(ascii: "B"): .down
    case UInt8(ascii: "C"): .right
    case UInt8(ascii: "D"): .left
    default: nil
    }
  }
}
