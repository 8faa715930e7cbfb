// SPDX-License-Identifier: Apache-2.0

import Following
import Glibc
import IIO

/// Reads a whole file; nil if it does not exist.
///
/// - Throws: ``CommandError`` if it cannot be read, or is not UTF-8 text.
func readFile(_ path: String) throws(CommandError) -> String? {
  let bytes: [UInt8]
  do throws(FileError) {
    bytes = try readBytes(of: path, limit: .max)
  } catch {
    if error.code == ENOENT { return nil }
    throw CommandError("\(path) cannot be read: \(String(cString: strerror(error.code)))")
  }
  guard let text = String(validating: bytes, as: UTF8.self) else {
    throw CommandError("\(path) is not UTF-8 text; it was not changed")
  }
  return text
}

/// Whether ``replaceFile(_:with:)`` can work, for a command that has the text much later.
///
/// - Throws: ``CommandError`` if the folder cannot be written, or the path is a folder.
func checkReplaceable(_ path: String) throws(CommandError) {
  let path = try withoutLinks(path)
  var status = stat()
  if stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR {
    throw CommandError("\(path) is a folder; give the name of a file in it")
  }
  guard access(folder(of: path), W_OK | X_OK) == 0 else {
    throw CommandError("\(path) cannot be written: \(String(cString: strerror(errno)))")
  }
}

/// The path with symbolic links resolved; the same if the file does not exist.
///
/// - Throws: ``CommandError`` if the kernel does not follow one: of somebody else, in a folder where everybody may write
///   (`protected_symlinks` in proc_sys_fs(5)). realpath(3) follows it.
private func withoutLinks(_ path: String) throws(CommandError) -> String {
  var status = stat()
  guard stat(path, &status) == 0 || errno == ENOENT else {
    throw CommandError("\(path) cannot be written: \(String(cString: strerror(errno)))")
  }
  return canonicalPath(path) ?? path
}

/// Replaces or creates a file atomically.
///
/// - Throws: ``CommandError`` if it cannot be written; then nothing has changed.
func replaceFile(_ path: String, with text: String) throws(CommandError) {
  // If the path is a symbolic link, its target is replaced, and not the link.
  let path = try withoutLinks(path)
  do throws(FileError) {
    try replaceFile(path, with: text, mode: 0o644, isFlushed: true)
  } catch {
    throw CommandError("\(path) cannot be written: \(String(cString: strerror(error.code)))")
  }
}

/// The folder of a file: "." for a name alone.
func folder(of path: String) -> String {
  guard let slash = path.lastIndex(of: "/") else { return "." }
  return slash == path.startIndex ? "/" : String(path[..<slash])
}
