// SPDX-License-Identifier: Apache-2.0

// A daemon that is killed leaves the sensor powered and its buffer enabled. So while it samples, a file in the runtime
// directory records what it has set, for the next daemon. Both that folder and the settings last until the machine is shut
// down.

import CLinux

/// A file that records what a daemon has set on a device, and the values before.
package struct SettingsMark {
  static let frequency = "sampling_frequency"
  static let sensitivity = "_hysteresis"
  static let events = "events/"
  /// The limit of a mark's size, in bytes: a compass with all its channels takes 800.
  private static let largestFile = 4096
  private static let firstLine = "orientationd has set, and what it was before:"
  /// This line is missing if the daemon is killed while it writes the mark.
  private static let lastLine = "complete"

  /// The device's directory in /sys/devices.
  let directory: String
  let settings: [OwnSettings.Setting]

  /// Restores what the daemon that left a mark has set, unless it was changed since, and removes the mark.
  ///
  /// The mark is renamed first, and keeps that name until everything is restored: a driver may hang meanwhile, and this
  /// daemon may be killed too.
  ///
  /// - Parameter path: the file; if it does not exist, or is not a mark, nothing happens.
  package static func takeBack(_ path: String) {
    let left = "\(path).left"
    takeBackOnce(left)
    rename(path, left)
    takeBackOnce(left)
  }

  private static func takeBackOnce(_ path: String) {
    guard let text = try? readText(path: path, by: { readMark(path, into: $0, $1) }) else { return }
    defer { unlink(path) }
    // readText removes the end of the last line.
    guard let mark = SettingsMark(parsing: text + "\n") else { return }
    // If a program has the node open, it samples through the buffer as it is.
    let folder = parentDirectory(of: mark.directory)
    let settings = OwnSettings(mark)
    settings.isDisplaced = isHeld(node: "/dev\(mark.directory.dropFirst(folder.utf8.count))")
    settings.takeBack()
  }

  /// Writes the file; false if that fails.
  ///
  /// At each moment there is a complete file: the previous one or this one.
  func write(to path: String) -> Bool {
    // It need not survive a crash of the machine.
    (try? replaceFile(path, with: text, mode: 0o600, isFlushed: false)) != nil
  }

  /// The text of the file.
  package var text: String {
    var lines = "\(Self.firstLine)\n\(directory)\n"
    for setting in settings { lines += "\(setting.attribute)\t\(setting.before)\t\(setting.own ?? "")\n" }
    return lines + "\(Self.lastLine)\n"
  }

}

extension SettingsMark {
  /// Parses a file's text; nil if it is not the text of a mark.
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
          attribute: String(fields[0]), before: String(fields[1]),
          own: fields[2].isEmpty ? nil : String(fields[2])))
    }
    self.init(directory: String(lines[1]), settings: settings)
    guard self.text == text else { return nil }
  }

  /// Whether a path is the directory of an IIO device.
  private static func isDevice(_ path: Substring) -> Bool {
    let parts = path.split(separator: "/", omittingEmptySubsequences: false)
    return path.hasPrefix("/sys/devices/") && parts.last?.hasPrefix("iio:device") == true
      && !parts.contains { $0 == ".." }
  }

  /// Whether a daemon sets an attribute with this path relative to a device's directory.
  private static func isAttribute(_ path: Substring) -> Bool {
    let parts = path.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 2 else {
      return parts.count == 1
        && (path.hasSuffix(frequency) || path.hasSuffix(sensitivity) || path == "current_timestamp_clock")
    }
    return ["buffer", "scan_elements", "trigger", "events"].contains(parts[0])
      && !parts[1].isEmpty && parts[1] != ".."
  }

  /// As `readFile`, but only for a regular file below the size limit.
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
