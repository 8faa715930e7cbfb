// SPDX-License-Identifier: Apache-2.0

#if hasFeature(Embedded)
  import CLinux

  /// The function that `Double(_: String)` calls: Embedded Swift 6.3 declares it, and the program must define it.
  ///
  /// strtod(3) uses the locale, which is "C" in a program that does not call setlocale(3).
  @_cdecl("_swift_stdlib_strtod_clocale")
  public func swiftStandardLibraryNumber(
    _ text: UnsafePointer<CChar>, _ number: UnsafeMutablePointer<Double>
  ) -> UnsafePointer<CChar>? {
    var end: UnsafeMutablePointer<CChar>?
    number.pointee = strtod(text, &end)
    return end.map { UnsafePointer($0) }
  }
#endif
