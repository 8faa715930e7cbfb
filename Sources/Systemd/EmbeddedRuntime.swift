// SPDX-License-Identifier: Apache-2.0

#if hasFeature(Embedded) && !compiler(>=6.3)
  import CLinux

  /// Writes what `Double.description` is, which the library of Embedded Swift 6.2 calls and lacks; returns the length.
  @_silgen_name("swift_float64ToString")
  package func swiftNumberText(
    _ text: UnsafeMutablePointer<UInt8>, _ size: UInt, _ number: Double, _ isForDebugging: Bool
  ) -> UInt64 {
    UInt64(
      writeNumber(
        to: UnsafeMutableRawPointer(text).assumingMemoryBound(to: CChar.self), size: Int(size), number))
  }
#endif
