// SPDX-License-Identifier: Apache-2.0

// What a daemon that was killed has left of a sensor: powered, its buffer on. While it samples, a file in the runtime directory
// says what it has set, for the next one. That folder does not outlast the kernel's own memory of what was set.

import CLinux

/// A file that says what a daemon has set of a device, and what it was before.
package struct SettingsMark {
  static let frequency = "sampling_frequency"
  static let sensitivity = "_hysteresis"
  /// No mark comes near this size, in bytes: a compass with all its channels takes 800.
  private static let largestFile = 4096
  private static let firstLine = "orientationd has set, and what it was before:"
  /// Whoever is killed as it writes leaves a mark without it.
  private static let lastLine = "complete"

  /// The device's directory in /sys/devices.
  let directory: String
  let settings: [OwnSettings.Setting]

  init(directory: String, settings: [OwnSettings.Setting]) {
    self.directory = directory
    self.settings = settings
  }

  /// Takes back what the daemon has set that left a mark, where nobody has changed it since, and removes the mark.
  ///
  /// Under another name first, where it stays until all is taken back: a driver may hang meanwhile, and this daemon be killed as well.
  ///
  /// - Parameter path: the file; nothing happens where there is none, or something else.
  package static func takeBack(_ path: String) {
    let left = "\(path).left"
    takeBackOnce(left)
    rename(path, left)
    takeBackOnce(left)
  }

  private static func takeBackOnce(_ path: String) {
    guard let text = try? readText(path: path, by: { readMark(path, into: $0, $1) }) else { return }
    defer { unlink(path) }
    // Reading takes off the last line's end.
    guard let mark = SettingsMark(parsing: text + "\n") else { return }
    // Who holds the node samples through the buffer as it stands.
    let folder = parentDirectory(of: mark.directory)
    let settings = OwnSettings(mark)
    settings.isDisplaced = isHeld(node: "/dev\(mark.directory.dropFirst(folder.utf8.count))")
    settings.takeBack()
  }

  /// Writes the file; false where it cannot be.
  ///
  /// At each moment there is a whole one: the one before, or this.
  func write(to path: String) -> Bool {
    let new = "\(path).new"
    unlink(new)
    let file = openFile(in: AT_FDCWD, new, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode: 0o600)
    guard file >= 0 else { return false }
    let text = self.text
    let isWritten = CLinux.write(file, text, text.utf8.count) == text.utf8.count
    close(file)
    guard isWritten, rename(new, path) == 0 else {
      unlink(new)
      return false
    }
    return true
  }

  /// The text of the file.
  package var text: String {
    var lines = "\(Self.firstLine)\n\(directory)\n"
    for setting in settings { lines += "\(setting.attribute)\t\(setting.before)\t\(setting.own)\n" }
    return lines + "\(Self.lastLine)\n"
  }

  /// Reads a file's text; nil where it is not the text of a mark.
  package init?(parsing text: String) {
    var lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    guard lines.first.map({ $0 == Self.firstLine }) == true, lines.count > 3 else { return nil }
    guard lines.removeLast().isEmpty, lines.removeLast() == Self.lastLine, Self.isDevice(lines[1]) else {
      return nil
    }
    var settings: [OwnSettings.Setting] = []
    for line in lines.dropFirst(2) {
      let fields = line.split(separator: "\t", omittingEmptySubsequences: false)
      guard fields.count == 3, Self.isAttribute(fields[0]) else { return nil }
      settings.append(
        OwnSettings.Setting(
          attribute: String(fields[0]), before: String(fields[1]), own: String(fields[2])))
    }
    self.init(directory: String(lines[1]), settings: settings)
    guard self.text == text else { return nil }
  }

  /// Whether a path is that of an IIO device's directory.
  private static func isDevice(_ path: Substring) -> Bool {
    let parts = path.split(separator: "/", omittingEmptySubsequences: false)
    return path.hasPrefix("/sys/devices/") && parts.last?.hasPrefix("iio:device") == true
      && !parts.contains { $0 == ".." }
  }

  /// Whether a daemon sets an attribute of this path below a device's directory.
  private static func isAttribute(_ path: Substring) -> Bool {
    let parts = path.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 2 else {
      return parts.count == 1
        && (path.hasSuffix(frequency) || path.hasSuffix(sensitivity) || path == "current_timestamp_clock")
    }
    return (parts[0] == "buffer" || parts[0] == "scan_elements" || parts[0] == "trigger")
      && !parts[1].isEmpty && parts[1] != ".."
  }

  /// As `readFile`, of a regular file that is none too large.
  private static func readMark(
    _ path: String, into bytes: UnsafeMutablePointer<CChar>, _ capacity: Int
  ) -> Int {
    let file = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
    guard file >= 0 else { return -Int(errno) }
    defer { close(file) }
    var status = stat()
    guard fstat(file, &status) == 0, isRegularFile(status.st_mode), status.st_size < largestFile else {
      return -Int(EINVAL)
    }
    return read(file, bytes, capacity)
  }
}
