// SPDX-License-Identifier: Apache-2.0

import Following
import Glibc
import Systemd

/// The file that a recording is written to.
final class RecordingFile {
  /// The file's name, for people.
  let name: String
  private let descriptor: CInt

  /// Creates the file, or empties it.
  ///
  /// - Parameters:
  ///   - path: the file; "-" is the standard output.
  ///   - overwriting: whether an existing file is overwritten.
  /// - Throws: ``CommandError`` if it exists and must not be overwritten, or cannot be written.
  init(_ path: String, overwriting: Bool) throws(CommandError) {
    guard path != "-" else {
      name = "the standard output"
      descriptor = STDOUT_FILENO
      return
    }
    name = path
    descriptor = open(path, O_WRONLY | O_CREAT | O_CLOEXEC | (overwriting ? O_TRUNC : O_EXCL), 0o644)
    guard descriptor < 0 else { return }
    guard errno != EEXIST else { throw Self.exists(path) }
    throw CommandError("\(path) cannot be written: \(String(cString: strerror(errno)))")
  }

  deinit {
    if descriptor != STDOUT_FILENO, descriptor >= 0 { close(descriptor) }
  }

  /// Throws if the file exists; called before a sensor is opened.
  static func refuseToOverwrite(_ path: String) throws(CommandError) {
    if path != "-", access(path, F_OK) == 0 { throw exists(path) }
  }

  private static func exists(_ path: String) -> CommandError {
    CommandError("\(path) exists; --force overwrites it")
  }

  func write(line: String) throws(OutputError) {
    try Following.write("\(line)\n", to: descriptor)
  }

  /// Writes a comment line; line breaks in a driver's text are escaped.
  func write(remark name: String, _ value: String?) throws(OutputError) {
    guard let value, !value.isEmpty else { return }
    try write(line: "# \(name): \(value.printable)")
  }
}
