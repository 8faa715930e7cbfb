// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A folder that lasts as long as this object, with everything in it.
package final class TemporaryFolder {
  package let path: String

  package init() throws {
    path = FileManager.default.temporaryDirectory.appendingPathComponent("orientationd-\(UUID())").path
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  /// Writes a file, with the folders that it lies in; returns its path.
  @discardableResult
  package func write(_ text: String, to name: String) throws -> String {
    try write(bytes: Array(text.utf8), to: name)
  }

  /// Writes a file of any content.
  package func write(bytes: [UInt8], to name: String) throws -> String {
    let file = URL(fileURLWithPath: "\(path)/\(name)")
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(bytes).write(to: file)
    return file.path
  }

  /// Copies a program, which tests can execute then; returns its path.
  ///
  /// Another process copies it. A file that this process writes may still be open in a child that another test starts at that
  /// moment, and the kernel executes no file that is open for writing (ETXTBSY).
  @discardableResult
  package func install(_ program: String, as name: String) throws -> String {
    let copy = try ChildProcess("install", ["-D", "-m", "755", program, "\(path)/\(name)"])
    guard try copy.exitCode() == 0 else { throw GaveUp(description: copy.errors) }
    return "\(path)/\(name)"
  }

  /// Writes a script that tests can execute; returns its path.
  @discardableResult
  package func install(script: String, as name: String) throws -> String {
    try install(write(script, to: "\(name).source"), as: name)
  }

  /// The content of a file; empty where there is none.
  package func read(_ name: String) -> String {
    String(decoding: FileManager.default.contents(atPath: "\(path)/\(name)") ?? Data(), as: UTF8.self)
  }
}
