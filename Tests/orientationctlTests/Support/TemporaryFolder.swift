// SPDX-License-Identifier: Apache-2.0

import Glibc

/// A folder of a test's own, with everything in it gone at its end.
final class TemporaryFolder {
  let path: String

  init() {
    var template = Array("/tmp/orientationctl-tests-XXXXXX".utf8CString)
    path = template.withUnsafeMutableBufferPointer { buffer in
      buffer.baseAddress.flatMap(mkdtemp).map { String(cString: $0) } ?? "/nonexistent"
    }
  }

  deinit {
    // Only files lie in it.
    if let directory = opendir(path) {
      while let entry = readdir(directory) {
        let name = withUnsafePointer(to: &entry.pointee.d_name) {
          $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
        }
        unlink("\(path)/\(name)")
      }
      closedir(directory)
    }
    rmdir(path)
  }

  /// Writes a file; returns its path.
  @discardableResult
  func write(_ text: String, to name: String) -> String {
    let file = "\(path)/\(name)"
    guard let stream = fopen(file, "we") else { return file }
    fputs(text, stream)
    fclose(stream)
    return file
  }

  /// The content of a file; empty where there is none.
  func read(_ name: String) -> String {
    let descriptor = open("\(path)/\(name)", O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return "" }
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while case let count = Glibc.read(descriptor, &chunk, chunk.count), count > 0 { bytes += chunk[..<count] }
    return String(decoding: bytes, as: UTF8.self)
  }
}
