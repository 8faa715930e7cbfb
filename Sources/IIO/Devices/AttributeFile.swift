// SPDX-License-Identifier: Apache-2.0

import CLinux

/// A sysfs attribute whose file is kept open, to read its number again and again.
///
/// libiio opens and closes the file for each read: 15 system calls and 6 allocations for three axes, 13 us. pread on open
/// descriptors takes 3 calls and 1.5 us (measured with libiio 0.24).
///
/// Embedded Swift destroys it in the modules that use a source, so they must see its deinit.
@usableFromInline
struct AttributeFile: ~Copyable {
  /// How often a read is repeated that a signal has interrupted.
  ///
  /// This is rare, because the thread blocks the signals of the process. But a driver that always reports an interruption
  /// must not cause an endless loop.
  private static let interruptions = 8

  private let path: String
  private let descriptor: CInt

  /// Opens an attribute.
  ///
  /// - Throws: ``SourceError``, which contains the path.
  init(path: String) throws(SourceError) {
    self.path = path
    descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw SourceError(code: errno, subject: path, operation: "opening") }
  }

  deinit { close(descriptor) }

  /// Reads the present number of the attribute.
  ///
  /// - Throws: ``SourceError/malformed(path:text:reason:)`` if the text is not a number, ``SourceError/vanished(device:)``
  ///   if the driver is gone, or the error for the driver's errno.
  borrowing func number() throws(SourceError) -> Double {
    // The longest number that a driver writes has 21 characters; a longer text is not a number.
    var buffer: InlineArray<64, UInt8> = .init(repeating: 0)
    var (count, code): (Int, CInt) = (0, 0)
    var number: Double?
    withUnsafeMutableBytes(of: &buffer) { bytes in
      var reads = 0
      repeat {
        count = pread(descriptor, bytes.baseAddress, bytes.count, 0)
        code = errno
        reads &+= 1
      } while count < 0 && code == EINTR && reads <= Self.interruptions
      number = decimalNumber(UnsafeRawBufferPointer(rebasing: bytes[..<max(count, 0)]))
    }
    if let number { return number }
    guard count >= 0 else { throw SourceError(code: code, subject: path, operation: "reading") }
    let text = withUnsafeBytes(of: &buffer) { String(decoding: $0[..<count], as: UTF8.self) }
    throw .malformed(path: path, text: String(trimmed(text[...])), reason: "a number was expected")
  }
}

/// Writes an attribute; returns 0 or an errno.
///
/// The file is opened for this one write, because the daemon seldom sets an attribute.
func writeAttribute(_ path: String, _ text: String) -> CInt {
  let file = open(path, O_WRONLY | O_CLOEXEC)
  guard file >= 0 else { return errno }
  defer { close(file) }
  let line = text + "\n"
  return write(file, line, line.utf8.count) == line.utf8.count ? 0 : errno
}
