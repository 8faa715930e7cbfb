// SPDX-License-Identifier: Apache-2.0

/// How one element of a scan is stored, as in `scan_elements/in_*_type`: `le:s12/16>>4`, `be:u24/32X2>>0`.
///
/// The grammar is the kernel's (Documentation/ABI/testing/sysfs-bus-iio):
/// `[be|le]:[s|u]bits/storagebits[Xrepeat][>>shift]`. The bits outside the declared ones are padding with any content: on
/// HID sensor hubs, it contains bytes of the next field.
package struct ScanFormat: Equatable, Sendable, BitwiseCopyable, CustomStringConvertible {
  /// The order of the bytes in the storage.
  package enum Endianness: Sendable, BitwiseCopyable { case little, big }
  /// Whether the value is in two's complement.
  package enum Signedness: Sendable, BitwiseCopyable { case signed, unsigned }
  /// The number of bits of a stored value, with its padding.
  package enum StorageSize: Int, Sendable, BitwiseCopyable {
    case bits8 = 8
    case bits16 = 16
    case bits32 = 32
    case bits64 = 64
  }

  /// The order of the bytes in the storage.
  package let endianness: Endianness
  /// Whether the value is in two's complement.
  package let signedness: Signedness
  /// The number of bits of the value.
  package let bits: Int
  /// The number of stored bits.
  package let storage: StorageSize
  /// By how many bits the value is shifted to the left in the storage.
  package let shift: Int
  /// The number of values in the element; only the first one is used.
  package let repeatCount: Int

  /// Why a format is invalid.
  package struct ParseError: Error, Equatable {
    /// What was expected.
    package let reason: String
  }

  /// Parses the text of a `*_type` attribute.
  ///
  /// - Throws: ``ParseError`` with the problem: the syntax, a storage size that no driver uses, or bits that do not fit.
  package init(parsing text: String) throws(ParseError) {
    var rest = Substring(text).utf8
    func take(_ prefix: StaticString) -> Bool {
      let prefix = "\(prefix)"
      guard rest.starts(with: prefix.utf8) else { return false }
      rest = rest.dropFirst(prefix.utf8.count)
      return true
    }
    func number(_ what: StaticString) throws(ParseError) -> Int {
      let digits = rest.prefix { $0 >= 0x30 && $0 <= 0x39 }
      rest = rest.dropFirst(digits.count)
      guard digits.count <= 4, let number = Int(Substring(digits)) else {
        throw ParseError(reason: "the number of \(what) was expected")
      }
      return number
    }
    let isLittle = take("le:")
    guard isLittle || take("be:") else {
      throw ParseError(reason: "\"le:\" or \"be:\" was expected at the start")
    }
    endianness = isLittle ? .little : .big
    // libiio also accepts capital letters, for values that use their whole range; here they mean the same.
    let isSigned = take("s") || take("S")
    guard isSigned || take("u") || take("U") else {
      throw ParseError(reason: "\"s\" or \"u\" was expected after the byte order")
    }
    signedness = isSigned ? .signed : .unsigned
    bits = try number("bits")
    guard take("/") else { throw ParseError(reason: "\"/\" was expected after the bits") }
    let storageBits = try number("storage bits")
    guard let storage = StorageSize(rawValue: storageBits) else {
      throw ParseError(reason: "8, 16, 32 or 64 storage bits were expected, not \(storageBits)")
    }
    self.storage = storage
    repeatCount = take("X") ? try number("repeats") : 1
    shift = take(">>") ? try number("bits to shift") : 0
    guard rest.isEmpty else { throw ParseError(reason: "nothing was expected after the shift") }
    guard repeatCount >= 1 else { throw ParseError(reason: "at least one repeat was expected") }
    guard bits >= 1, bits + shift <= storageBits else {
      throw ParseError(reason: "\(bits) bits shifted by \(shift) do not fit into \(storageBits)")
    }
  }

  /// The size of the element in a scan, in bytes, which is also its alignment.
  package var byteCount: Int { storage.rawValue / 8 * repeatCount }

  /// Reads the first value of the element at an address, which need not be aligned: masked and, if signed, sign-extended.
  @inlinable
  package func bitPattern(at address: UnsafeRawPointer) -> UInt64 {
    let stored: UInt64 =
      switch storage {
      case .bits8: UInt64(address.loadUnaligned(as: UInt8.self))
      case .bits16: UInt64(ordered(address.loadUnaligned(as: UInt16.self)))
      case .bits32: UInt64(ordered(address.loadUnaligned(as: UInt32.self)))
      case .bits64: ordered(address.loadUnaligned(as: UInt64.self))
      }
    // A shift to the top removes the padding above the declared bits. A shift back removes the padding below them and
    // extends the sign.
    let top = stored &<< UInt64(truncatingIfNeeded: 64 &- bits &- shift)
    let down = UInt64(truncatingIfNeeded: 64 &- bits)
    switch signedness {
    case .signed: return UInt64(bitPattern: Int64(bitPattern: top) &>> Int64(bitPattern: down))
    case .unsigned: return top &>> down
    }
  }

  /// Reads the same value as a number, in the driver's raw units.
  @inlinable
  package func value(at address: UnsafeRawPointer) -> Double {
    let pattern = bitPattern(at: address)
    switch signedness {
    case .signed: return Double(Int64(bitPattern: pattern))
    case .unsigned: return Double(pattern)
    }
  }

  @inlinable
  func ordered<Integer: FixedWidthInteger>(_ stored: Integer) -> Integer {
    switch endianness {
    case .little: Integer(littleEndian: stored)
    case .big: Integer(bigEndian: stored)
    }
  }

  /// The format as the kernel writes it.
  package var description: String {
    let order = endianness == .little ? "le" : "be"
    let sign = signedness == .signed ? "s" : "u"
    let repeats = repeatCount > 1 ? "X\(repeatCount)" : ""
    return "\(order):\(sign)\(bits)/\(storage.rawValue)\(repeats)>>\(shift)"
  }
}
