// SPDX-License-Identifier: Apache-2.0

import CLinux

/// A sysfs attribute kept open, for reading its number again and again.
///
/// libiio opens and closes the file for every read: 15 system calls and 6 allocations for three axes, 13 us;
/// pread on kept-open descriptors does it in 3 calls and 1.5 us (measured with libiio 0.24).
// Embedded Swift destroys it in the modules that use a source, which have to see the deinit for that.
@usableFromInline
struct AttributeFile: ~Copyable {
  /// How often a read that a signal interrupted is tried again.
  ///
  /// The thread has the process's signals blocked, so that one is rare; a driver that says so for ever must not get a
  /// loop without end.
  private static let interruptions = 8

  private let path: String
  private let descriptor: CInt

  /// Opens an attribute.
  ///
  /// - Throws: ``SourceError`` naming the path.
  init(path: String) throws(SourceError) {
    self.path = path
    descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw SourceError(code: errno, subject: path, operation: "opening") }
  }

  deinit { close(descriptor) }

  /// Reads the number that the attribute holds now.
  ///
  /// - Throws: ``SourceError/malformed(path:text:reason:)`` where it holds no number, ``SourceError/vanished(device:)``
  ///   with the driver gone, or what else the driver's errno means.
  borrowing func number() throws(SourceError) -> Double {
    // The longest number a driver writes has 21 characters; more than this is no number.
    var buffer: InlineArray<64, UInt8> = .init(repeating: 0)
    var result = Result.failed(0)
    withUnsafeMutableBytes(of: &buffer) { bytes in
      var count = pread(descriptor, bytes.baseAddress, bytes.count, 0)
      var interruptions = 0
      while count < 0, errno == EINTR, interruptions < Self.interruptions {
        count = pread(descriptor, bytes.baseAddress, bytes.count, 0)
        interruptions &+= 1
      }
      guard count >= 0 else {
        result = .failed(errno)
        return
      }
      let text = UnsafeRawBufferPointer(rebasing: bytes[..<count])
      result = decimalNumber(text).map(Result.number) ?? .notANumber(count)
    }
    switch result {
    case .number(let number): return number
    case .failed(let code): throw SourceError(code: code, subject: path, operation: "reading")
    case .notANumber(let count):
      let text = withUnsafeBytes(of: &buffer) { String(decoding: $0[..<count], as: UTF8.self) }
      throw .malformed(path: path, text: String(trimmed(text[...])), reason: "a number was expected")
    }
  }

  private enum Result {
    case number(Double)
    case notANumber(Int)
    case failed(CInt)
  }
}

/// Writes an attribute; returns 0 or an errno.
///
/// Opened for this one write: what the daemon sets, it sets seldom.
func writeAttribute(_ path: String, _ text: String) -> CInt {
  let file = open(path, O_WRONLY | O_CLOEXEC)
  guard file >= 0 else { return errno }
  defer { close(file) }
  let line = text + "\n"
  return write(file, line, line.utf8.count) == line.utf8.count ? 0 : errno
}
