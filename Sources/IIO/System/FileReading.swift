// SPDX-License-Identifier: Apache-2.0

import CLinux

/// Why a file or a folder cannot be read or written.
package struct FileError: Error {
  /// The errno.
  package let code: CInt
}

/// The names in a folder, "." and ".." included, in no order; empty if it cannot be read.
package func namesOfFiles(in folder: String) -> [String] {
  (try? listFolder(folder)) ?? []
}

/// The names in a folder, "." and ".." included, in no order.
///
/// - Throws: ``FileError``, with ENOENT if there is no such folder.
package func listFolder(_ folder: String) throws(FileError) -> [String] {
  guard let directory = opendir(folder) else { throw FileError(code: errno) }
  defer { closedir(directory) }
  var names: [String] = []
  while let entry = readdir(directory) {
    names.append(
      withUnsafePointer(to: &entry.pointee.d_name) { name in
        name.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      })
  }
  return names
}

/// The content of a file.
///
/// - Parameters:
///   - path: its path.
///   - limit: how many bytes it may have.
///   - isWaiting: whether to wait for a program that writes to a pipe; if not, a pipe without a writer is read as empty.
/// - Returns: the bytes.
/// - Throws: ``FileError``, with EFBIG if there are more.
@inline(never)
package func readBytes(
  of path: String, limit: Int, waiting isWaiting: Bool = true
) throws(FileError) -> [UInt8] {
  let descriptor = open(path, O_RDONLY | O_CLOEXEC | (isWaiting ? 0 : O_NONBLOCK))
  guard descriptor >= 0 else { throw FileError(code: errno) }
  defer { close(descriptor) }
  var bytes: [UInt8] = []
  while true {
    var code: CInt = 0
    let chunk = [UInt8](unsafeUninitializedCapacity: min(limit, (1 << 18) - 1) + 1) { buffer, filled in
      let count = read(descriptor, buffer.baseAddress, buffer.count)
      code = count < 0 ? errno : 0
      filled = max(count, 0)
    }
    if code == EINTR { continue }
    guard code == 0 else { throw FileError(code: code) }
    if chunk.isEmpty { return bytes }
    bytes += chunk
    guard bytes.count <= limit else { throw FileError(code: EFBIG) }
  }
}

/// Replaces or creates a file, so that at each moment there is a whole one under the name: the one before, or the new one.
///
/// - Parameters:
///   - path: its path; if it is a symbolic link, the link is replaced.
///   - text: its content.
///   - mode: its permissions, whatever the process's umask is.
///   - isFlushed: whether to wait until it is on the disk.
///   - draftEnding: what the name of the new file ends in until it is whole. A file that has this name already was left by a killed process.
/// - Throws: ``FileError``; then nothing has changed.
package func replaceFile(
  _ path: String, with text: String, mode: UInt32, isFlushed: Bool, draftEnding: String = "new"
) throws(FileError) {
  let draft = "\(path).\(draftEnding)"
  unlink(draft)
  let file = openFile(in: AT_FDCWD, draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode: mode)
  guard file >= 0 else { throw FileError(code: errno) }
  defer { close(file) }
  guard writeAll(file, text, text.utf8.count), fchmod(file, mode) == 0, !isFlushed || fsync(file) == 0,
    rename(draft, path) == 0
  else {
    defer { unlink(draft) }
    throw FileError(code: errno)
  }
}

/// Resolves the symbolic links of a path.
///
/// - Parameter path: such as `/sys/bus/iio/devices/iio:device0`, which is a link into /sys/devices.
/// - Returns: the path without links; nil if it does not exist.
package func canonicalPath(_ path: String) -> String? {
  guard let resolved = realpath(path, nil) else { return nil }
  defer { free(resolved) }
  return String(cString: resolved)
}

/// The directory of a path, without a slash at its end.
func parentDirectory(of path: String) -> Substring {
  Substring(path.utf8.prefix(upTo: path.utf8.lastIndex(of: UInt8(ascii: "/")) ?? path.utf8.startIndex))
}
