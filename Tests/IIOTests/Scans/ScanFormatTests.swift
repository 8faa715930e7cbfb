// SPDX-License-Identifier: Apache-2.0

import Orientation
import TestSupport
import Testing

@testable import IIO

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

  @Test(
    "of a driver gives each count back, with padding set and clear, and one gravity in m/s^2",
    arguments: driverFormats)
  func driver(_ driver: DriverFormat) throws {
    let format = try ScanFormat(parsing: driver.format)
    let reference = BitByBit(
      isLittleEndian: format.endianness == .little, isSigned: format.signedness == .signed, bits: format.bits,
      storageBits: format.storage.rawValue, shift: format.shift)
    #expect(reference.text == driver.format)
    let lowest: Int64 = reference.isSigned ? -1 << Int64(format.bits - 1) : 0
    let highest = lowest + Int64(1) << Int64(format.bits) - 1
    let gravity = Int64((standardGravity / driver.scale - driver.offset).rounded())
    let counts = [lowest, lowest + 1, -gravity, -1, 0, 1, gravity, highest - 1, highest]
    for count in counts where count >= lowest && count <= highest {
      for padding in [false, true] {
        let bytes = reference.bytes(of: count, padding: padding)
        #expect(decoded(bytes, format) == Double(count), "\(bytes)")
      }
    }
    #expect(gravity <= highest)
    let acceleration = ChannelScale(offset: driver.offset, scale: driver.scale)
      .value(raw: decoded(reference.bytes(of: gravity, padding: true), format))
    #expect(abs(acceleration - standardGravity) <= driver.scale / 2 + 1e-9)
  }

  @Test("decodes as a slow reference does: random formats and bytes, padding set, clear and mixed")
  func random() throws {
    var random = SeededGenerator(seed: 20)
    for _ in 0..<20_000 {
      let reference = BitByBit.random(using: &random)
      let format = try ScanFormat(parsing: reference.text)
      let mixed = (0..<format.byteCount).map { _ in UInt8.random(in: 0...255, using: &random) }
      let value = reference.value(of: mixed)
      let count =
        reference.isSigned ? Int64(exactly: value) : UInt64(exactly: value).map { Int64(bitPattern: $0) }
      // A Double holds 53 bits; wider values are compared as they come.
      let stored = (reference.bits <= 53 ? count : nil).map { count in
        [false, true].map { reference.bytes(of: count, padding: $0) }
      }
      for bytes in [mixed] + (stored ?? []) {
        #expect(decoded(bytes, format) == value, "\(format) \(bytes)")
      }
    }
  }

  /// Decodes bytes that start one byte further, so that their address is never aligned.
  private func decoded(_ bytes: [UInt8], _ format: ScanFormat) -> Double {
    ([0] + bytes).withUnsafeBytes { memory in
      memory.baseAddress.map { format.value(at: $0 + 1) } ?? .nan
    }
  }
}
