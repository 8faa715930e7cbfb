// SPDX-License-Identifier: Apache-2.0

import TestSupport

/// The slow reference for scan formats: each bit by itself, by what the kernel's ABI document says of it.
struct BitByBit {
  var isLittleEndian: Bool
  var isSigned: Bool
  var bits: Int
  var storageBits: Int
  var shift: Int
  var repeats = 1

  /// The format as the kernel spells it.
  var text: String {
    let repeatText = repeats > 1 ? "X\(repeats)" : ""
    return
      "\(isLittleEndian ? "le" : "be"):\(isSigned ? "s" : "u")\(bits)/\(storageBits)\(repeatText)>>\(shift)"
  }

  /// Every bit of a stored value, the lowest first.
  private func significances(of bytes: [UInt8]) -> [Bool] {
    let fromLowest = isLittleEndian ? bytes : bytes.reversed()
    return fromLowest.flatMap { byte in (0..<8).map { byte >> $0 & 1 == 1 } }
  }

  /// Adds up the worth of each bit, the top one's being negative where the value is signed.
  func value(of bytes: [UInt8]) -> Double {
    let stored = significances(of: Array(bytes.prefix(storageBits / 8)))
    var magnitude: UInt64 = 0
    var negative: UInt64 = 0
    for bit in 0..<bits where stored[bit + shift] {
      if isSigned, bit == bits - 1 { negative = 1 << UInt64(bit) } else { magnitude |= 1 << UInt64(bit) }
    }
    return negative == 0 ? Double(magnitude) : -Double(negative - magnitude)
  }

  /// How a driver stores a value, with every bit outside the declared ones as `padding` says.
  func bytes(of value: Int64, padding: Bool) -> [UInt8] {
    let pattern = UInt64(bitPattern: value)
    let stored = (0..<storageBits).map { position in
      position >= shift && position < shift + bits ? pattern >> UInt64(position - shift) & 1 == 1 : padding
    }
    let fromLowest = stride(from: 0, to: storageBits, by: 8).map { start in
      (0..<8).reduce(UInt8(0)) { $0 | (stored[start + $1] ? 1 << $1 : 0) }
    }
    return isLittleEndian ? fromLowest : fromLowest.reversed()
  }
}

extension BitByBit {
  /// Any format that a driver could declare.
  static func random(using random: inout SeededGenerator) -> BitByBit {
    let storage = [8, 16, 32, 64].randomElement(using: &random) ?? 8
    let bits = Int.random(in: 1...storage, using: &random)
    return BitByBit(
      isLittleEndian: .random(using: &random), isSigned: .random(using: &random), bits: bits,
      storageBits: storage, shift: .random(in: 0...(storage - bits), using: &random))
  }
}

extension BitByBit {
  /// Takes a format apart, as the kernel spells it: "le:s12/16>>4".
  init?(parsing text: String) {
    let parts = text.split { ":/>".contains($0) }
    guard parts.count == 4, let bits = Int(parts[1].dropFirst()), let storage = Int(parts[2]),
      let shift = Int(parts[3])
    else { return nil }
    self.init(
      isLittleEndian: parts[0] == "le", isSigned: parts[1].hasPrefix("s"), bits: bits, storageBits: storage,
      shift: shift)
  }
}
