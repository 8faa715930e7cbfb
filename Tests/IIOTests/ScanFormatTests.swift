// SPDX-License-Identifier: Apache-2.0

import IIO
import Testing

@Suite("A scan format")
struct ScanFormatTests {
  @Test(
    "is read as the kernel spells it",
    arguments: ["le:s12/16>>4", "be:u12/16>>4", "le:s16/32>>0", "be:s20/32>>4", "le:s8/8>>0", "le:s64/64>>0"])
  func roundTrip(_ text: String) throws {
    #expect(try "\(ScanFormat(parsing: text))" == text)
  }

  @Test("takes the shift as zero and the repeat as one where they are left out")
  func defaults() throws {
    let format = try ScanFormat(parsing: "be:u16/32")
    #expect(format.shift == 0)
    #expect(format.repeatCount == 1)
    #expect(try ScanFormat(parsing: "le:s16/32X2>>8").repeatCount == 2)
  }

  @Test(
    "that is nonsense is refused with the reason",
    arguments: [
      ("", "\"le:\" or \"be:\""), ("s12/16>>4", "\"le:\" or \"be:\""), ("le:x12/16>>4", "\"s\" or \"u\""),
      ("le:s/16>>4", "number of bits"), ("le:s12", "\"/\""), ("le:s12/>>4", "number of storage bits"),
      ("le:s12/24>>4", "8, 16, 32 or 64"), ("le:s12/128>>4", "8, 16, 32 or 64"),
      ("le:s12/16>>5", "do not fit"),
      ("le:s0/16>>0", "do not fit"), ("le:s12/16>>", "number of bits to shift"), ("le:s12/16X0>>4", "repeat"),
      ("le:s12/16>>4 ", "nothing was expected"), ("le:s-1/16>>4", "number of bits"),
      ("le:s99999999999999999999/16", "number of bits"),
    ])
  func nonsense(_ text: String, _ reason: String) {
    do {
      let format = try ScanFormat(parsing: text)
      Issue.record("\(text) was taken for \(format)")
    } catch {
      #expect(error.reason.contains(reason))
    }
  }

  /// Register values of the chips' data sheets: +1 g, -1 g and the ends of the range, with padding set and clear.
  @Test(
    "decodes what drivers deliver",
    arguments: [
      ("le:s12/16>>4", [0x00, 0x40], 1024), ("le:s12/16>>4", [0x0f, 0x40], 1024),  // KXCJ-1013, +-2 g
      ("le:s12/16>>4", [0x00, 0xc0], -1024), ("le:s12/16>>4", [0x0f, 0x80], -2048),
      ("be:s12/16>>4", [0x40, 0x0f], 1024), ("be:s12/16>>4", [0xc0, 0x00], -1024),  // MXC4005
      ("le:s16/16>>0", [0x09, 0x3d], 15625), ("le:s16/16>>0", [0x00, 0x80], -32768),  // LIS2DH12-like
      ("le:s16/32>>0", [0x18, 0xfc, 0xad, 0xde], -1000),  // a HID hub, next field's bytes in the padding
      ("le:s10/16>>6", [0x3f, 0x80], -512), ("be:s14/16>>2", [0x10, 0x03], 1024),  // MMA8452's kin
      ("be:s20/32>>4", [0xff, 0x80, 0x00, 0x0f], -524_288), ("le:s8/8>>0", [0xc0], -64),
      ("le:s6/8>>2", [0x57], 21), ("le:s8/16>>8", [0xff, 0xc0], -64),
      ("be:u12/16>>4", [0xff, 0xff], 4095), ("le:u8/8>>0", [0xff], 255),
    ] as [(String, [UInt8], Int64)])
  func drivers(_ text: String, _ bytes: [UInt8], _ expected: Int64) throws {
    let format = try ScanFormat(parsing: text)
    bytes.withUnsafeBytes { memory in
      guard let address = memory.baseAddress else { return }
      #expect(format.value(at: address) == Double(expected))
    }
  }

  @Test("decodes the widest unsigned value as what it is")
  func widest() throws {
    let format = try ScanFormat(parsing: "le:u64/64>>0")
    [UInt8](repeating: 0xff, count: 8).withUnsafeBytes { memory in
      guard let address = memory.baseAddress else { return }
      #expect(format.value(at: address) == 18446744073709551615.0)
    }
  }

  @Test("decodes as a slow reference does: random formats and bytes, padding set, clear and mixed")
  func random() throws {
    var random = SeededGenerator(seed: 20)
    for _ in 0..<20_000 {
      let storage = [8, 16, 32, 64].randomElement(using: &random) ?? 8
      let bits = Int.random(in: 1...storage, using: &random)
      let shift = Int.random(in: 0...(storage - bits), using: &random)
      let order = Bool.random(using: &random) ? "le" : "be"
      let sign = Bool.random(using: &random) ? "s" : "u"
      let text = "\(order):\(sign)\(bits)/\(storage)>>\(shift)"
      let format = try ScanFormat(parsing: text)
      let filler: UInt8? = [0x00, 0xff, nil].randomElement(using: &random) ?? nil
      let payload = (0..<storage / 8).map { _ in UInt8.random(in: 0...255, using: &random) }
      let bytes = padded(payload, with: filler, bits: bits, shift: shift, isLittle: order == "le")
      // One byte further, so that the address is never aligned.
      let decoded = ([0] + bytes).withUnsafeBytes { memory in
        memory.baseAddress.map { format.value(at: $0 + 1) }
      }
      let expected = reference(
        bytes, bits: bits, shift: shift, isLittle: order == "le", isSigned: sign == "s")
      #expect(decoded == expected, "\(text) \(bytes)")
    }
  }

  /// Sets every bit outside the declared ones to those of `filler`.
  private func padded(_ bytes: [UInt8], with filler: UInt8?, bits: Int, shift: Int, isLittle: Bool) -> [UInt8]
  {
    guard let filler else { return bytes }
    return bytes.indices.map { place in
      let significance = isLittle ? place : bytes.count - 1 - place
      return (0..<8).reduce(UInt8(0)) { byte, bit in
        let position = significance * 8 + bit
        let source = position >= shift && position < shift + bits ? bytes[place] : filler
        return byte | source & (1 << bit)
      }
    }
  }

  /// Adds up the worth of each bit, the top one's being negative where the value is signed.
  private func reference(_ bytes: [UInt8], bits: Int, shift: Int, isLittle: Bool, isSigned: Bool) -> Double {
    let fromLowest = isLittle ? bytes : bytes.reversed()
    var magnitude: UInt64 = 0
    var negative: UInt64 = 0
    for bit in 0..<bits {
      let position = bit + shift
      guard fromLowest[position / 8] >> (position % 8) & 1 == 1 else { continue }
      if isSigned, bit == bits - 1 { negative = 1 << UInt64(bit) } else { magnitude |= 1 << UInt64(bit) }
    }
    return negative == 0 ? Double(magnitude) : -Double(negative - magnitude)
  }
}

/// Numbers that are random, and the same in every run: SplitMix64 (Steele and others, 2014).
struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) {
    state = seed
  }

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
    return mixed ^ (mixed >> 31)
  }
}
