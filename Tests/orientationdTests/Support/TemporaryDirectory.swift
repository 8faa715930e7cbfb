// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A directory that lasts as long as this object.
final class TemporaryDirectory {
  let path: String

  init() throws {
    let directory = FileManager.default.temporaryDirectory.appendingPathComponent("orientationd-\(UUID())")
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    path = directory.path
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  /// Writes a file; returns its path.
  @discardableResult
  func write(_ text: String, to name: String) throws -> String {
    let file = "\(path)/\(name)"
    try Data(text.utf8).write(to: URL(fileURLWithPath: file))
    return file
  }
}
