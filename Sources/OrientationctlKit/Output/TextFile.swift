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
/// - Throws: ``CommandError`` if the folder cannot be written, or the path is that of something else than a file.
func checkReplaceable(_ path: String) throws(CommandError) {
  let path = try replaceablePath(path)
  guard access(folder(of: path), W_OK | X_OK) == 0 else {
    throw CommandError("\(path) cannot be written: \(String(cString: strerror(errno)))")
  }
}

/// The path with symbolic links resolved; the same if the file does not exist.
///
/// - Throws: ``CommandError`` if something else than a file is there, or the kernel does not follow a link: of somebody else, in a folder
///   where everybody may write (`protected_symlinks` in proc_sys_fs(5)). realpath(3) follows it.
private func replaceablePath(_ path: String) throws(CommandError) -> String {
  guard !path.isEmpty else { throw CommandError("the name of the file to write is empty") }
  var status = stat()
  guard stat(path, &status) == 0 else {
    if errno == ENOENT { return path }
    throw CommandError("\(path) cannot be written: \(String(cString: strerror(errno)))")
  }
  switch status.st_mode & S_IFMT {
  case S_IFREG: return canonicalPath(path) ?? path
  case S_IFDIR: throw CommandError("\(path) is a folder; give the name of a file in it")
  // Without /dev/null, a system does not go on for long.
  default: throw CommandError("\(path) is not a regular file, and stays as it is; give another name")
  }
}

/// Replaces or creates a file atomically.
///
/// - Throws: ``CommandError`` if it cannot be written; then nothing has changed.
func replaceFile(_ path: String, with text: String) throws(CommandError) {
  // If the path is a symbolic link, its target is replaced, and not the link.
  let path = try replaceablePath(path)
  do throws(FileError) {
    // A person may have a file whose name ends in "new".
    try replaceFile(path, with: text, mode: 0o644, isFlushed: true, draftEnding: "new-\(getpid())")
  } catch {
    throw CommandError("\(path) cannot be written: \(String(cString: strerror(error.code)))")
  }
}

/// The folder of a file: "." for a name alone.
func folder(of path: String) -> String {
  guard let slash = path.lastIndex(of: "/") else { return "." }
  return slash == path.startIndex ? "/" : String(path[..<slash])
}
