// SPDX-License-Identifier: Apache-2.0

import CLinux

extension IIOChannel {
  /// Where the driver says that.
  var scanFormatPath: String { scanFile("type") }

  /// How the channel's samples are stored in a scan, as the driver spells it.
  func scanFormatText() throws(SourceError) -> String {
    let descriptor = open(scanFormatPath, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else {
      throw SourceError(code: errno, subject: scanFormatPath, operation: "opening")
    }
    defer { close(descriptor) }
    var text = ""
    let count = withUnsafeTemporaryAllocation(byteCount: 128, alignment: 1) { bytes in
      let count = read(descriptor, bytes.baseAddress, bytes.count)
      if count > 0 { text = String(decoding: bytes[..<count], as: UTF8.self) }
      return count
    }
    guard count >= 0 else { throw SourceError(code: errno, subject: scanFormatPath, operation: "reading") }
    return String(trimmed(text[...]))
  }
}
