// SPDX-License-Identifier: Apache-2.0

#if hasFeature(Embedded)
  import CLinux

  /// What `Double(_: String)` is made of: Embedded Swift 6.3 declares it and leaves it to the program.
  ///
  /// strtod(3) follows the locale, which a program that does not call setlocale(3) leaves at "C".
  @_cdecl("_swift_stdlib_strtod_clocale")
  public func swiftStandardLibraryNumber(
    _ text: UnsafePointer<CChar>, _ number: UnsafeMutablePointer<Double>
  ) -> UnsafePointer<CChar>? {
    var end: UnsafeMutablePointer<CChar>?
    number.pointee = strtod(text, &end)
    return end.map { UnsafePointer($0) }
  }
#endif
