// SPDX-License-Identifier: Apache-2.0

import CLinux

/// The folder of the saved state, open and locked, so that no other daemon changes it meanwhile.
///
/// Nothing here blocks or follows links: neither a FIFO or a link under the name of a file, nor a lock that another process holds.
struct StateFolder: ~Copyable {
  /// No state comes near this size, in bytes: 16 mount matrices with the longest names have 13,000.
  static let largestFile = 16384

  private let path: String
  private let descriptor: CInt

  /// Opens and locks a folder.
  ///
  /// - Throws: ``StateFileError``; its code is EWOULDBLOCK if another process has locked it.
  init(path: String) throws(StateFileError) {
    let folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard folder >= 0 else { throw StateFileError(path: path, problem: "cannot be opened", code: errno) }
    guard lockFile(folder, LOCK_EX | LOCK_NB) == 0 else {
      let code = errno
      close(folder)
      throw StateFileError(path: path, problem: "is in use by another process", code: code)
    }
    self.path = path
    descriptor = folder
  }

  deinit {
    // Closing alone would leave the lock to a child that another thread is about to start.
    _ = lockFile(descriptor, LOCK_UN)
    close(descriptor)
  }

  /// Whether there is a file of this name, of any kind.
  func has(_ name: String) -> Bool {
    var status = stat()
    return fstatat(descriptor, name, &status, AT_SYMLINK_NOFOLLOW) == 0 || errno != ENOENT
  }

  /// Reads a whole small file.
  ///
  /// - Parameters:
  ///   - name: its name.
  ///   - limit: the most that it may have, in bytes.
  /// - Returns: its content; nil if there is no file of this name.
  /// - Throws: ``StateFileDefect``
  func read(_ name: String, limit: Int = StateFolder.largestFile) throws(StateFileDefect) -> [UInt8]? {
    var status = stat()
    guard fstatat(descriptor, name, &status, AT_SYMLINK_NOFOLLOW) == 0 else {
      if errno == ENOENT { return nil }
      throw .unreadable(code: errno)
    }
    // Checked before opening, as opening has effects on some devices.
    guard isRegularFile(status.st_mode) else { throw .notRegular }
    guard status.st_size <= limit else { throw .tooLarge }
    let file = openFile(
      in: descriptor, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC, mode: 0)
    guard file >= 0 else { throw .unreadable(code: errno) }
    defer { close(file) }
    // It may be another file by now.
    guard fstat(file, &status) == 0, isRegularFile(status.st_mode) else { throw .notRegular }
    // One byte more than it has, to detect that it has grown.
    var text = [UInt8](repeating: 0, count: min(Int(status.st_size), limit) + 1)
    var length = 0
    while length < text.count {
      let start = length
      let count = text.withUnsafeMutableBytes { bytes in
        CLinux.read(file, bytes.baseAddress?.advanced(by: start), bytes.count - start)
      }
      if count < 0 && errno == EINTR { continue }
      guard count >= 0 else { throw .unreadable(code: errno) }
      guard count > 0 else { break }
      length += count
    }
    guard length < text.count else { throw .tooLarge }
    text.removeSubrange(length...)
    return text
  }

  /// Replaces a file as a whole, by way of one of another name, of which nothing is left.
  func replace(_ name: String, by temporary: String, _ text: String) throws(StateFileError) {
    try remove(temporary)
    do throws(StateFileError) {
      try create(temporary, text)
      try rename(temporary, to: name)
    } catch {
      // If this fails too, the next attempt removes it.
      _ = try? remove(temporary)
      throw error
    }
  }

  /// Writes a file that is not there yet, and waits until it is on the disk.
  func create(_ name: String, _ text: String) throws(StateFileError) {
    let file = openFile(in: descriptor, name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode: 0o600)
    guard file >= 0 else { throw failure(name, "cannot be created") }
    defer { close(file) }
    guard writeAll(file, text, text.utf8.count) else { throw failure(name, "cannot be written") }
    guard fsync(file) == 0 else { throw failure(name, "cannot be flushed to the disk") }
  }

  /// Gives a file another name, in place of whatever file has it.
  func rename(_ name: String, to newName: String) throws(StateFileError) {
    if renameat(descriptor, name, descriptor, newName) != 0 { throw failure(name, "cannot be renamed") }
  }

  /// Removes a file, if there is one.
  func remove(_ name: String) throws(StateFileError) {
    if unlinkat(descriptor, name, 0) != 0, errno != ENOENT { throw failure(name, "cannot be removed") }
  }

  /// Waits until the names are on the disk.
  func flush() throws(StateFileError) {
    guard fsync(descriptor) == 0 else {
      throw StateFileError(path: path, problem: "cannot be flushed to the disk", code: errno)
    }
  }

  private func failure(_ name: String, _ problem: String) -> StateFileError {
    StateFileError(path: "\(path)/\(name)", problem: problem, code: errno)
  }
}
