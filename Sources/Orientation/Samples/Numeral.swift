// SPDX-License-Identifier: Apache-2.0

#if hasFeature(Embedded)
  private import CLinux
#endif

extension Double {
  /// Reads a number as Swift's own initializer does, which Embedded Swift lacks before 6.3.
  ///
  /// - Parameter text: the whole of a decimal or hexadecimal number, "inf" or "nan", without blanks around it.
  package init?(numeral text: String) {
    #if hasFeature(Embedded)
      // strtod(3) skips blanks before a number. It uses the locale, which is "C" in a program that does not call setlocale(3).
      var number = 0.0
      let length = text.withCString { start in
        guard UInt8(bitPattern: start.pointee) > UInt8(ascii: " ") else { return 0 }
        var end: UnsafeMutablePointer<CChar>?
        number = strtod(start, &end)
        return end.map { $0 - UnsafeMutablePointer(mutating: start) } ?? 0
      }
      guard length > 0, length == text.utf8.count else { return nil }
      self = number
    #else
      self.init(text)
    #endif
  }
}
