// SPDX-License-Identifier: Apache-2.0

// A sensor is anybody's: what this program sets of it, it takes back when it is done, as long as it still is as it was set.
// What another program has set up since is that one's, and left alone. So the kernel's present word counts for each attribute,
// and for the buffer as a whole: its attributes belong together.

import CLinux

/// What this program has set of a device, and what that was before.
///
/// Taken back when it is destroyed. A daemon that is killed cannot do that; its mark, a file, has the next one do it.
final class OwnSettings {
  /// An attribute that was set.
  struct Setting: Equatable {
    /// Its path below the device's directory.
    let attribute: String
    let before: String
    /// What it was set to.
    var own: String

    /// What it is for.
    var purpose: Purpose {
      if attribute.hasSuffix(SettingsMark.frequency) { return .frequency }
      return attribute.hasSuffix(SettingsMark.sensitivity) ? .sensitivity : .buffer
    }
  }

  /// What a setting is for, which decides when it may be taken back.
  enum Purpose {
    /// It belongs to the buffer, and is of no use without it.
    case buffer
    /// How often the sensor measures.
    case frequency
    /// From which change on a hub reports.
    case sensitivity
  }

  /// The switch of the buffer.
  static let enable = "buffer/enable"

  private let directory: String
  private let markPath: String?
  private var settings: [Setting] = []
  private var isMarked = false
  /// Whether somebody else has set up the buffer since.
  var isDisplaced = false

  /// Prepares to set something of a device.
  ///
  /// - Parameters:
  ///   - device: a device of this machine.
  ///   - markPath: the file of the mark; nil leaves none.
  init(of device: IIODevice, markPath: String? = nil) {
    directory = device.directory
    self.markPath = markPath
  }

  /// What a mark says.
  init(_ mark: SettingsMark) {
    directory = mark.directory
    markPath = nil
    settings = mark.settings
  }

  deinit {
    takeBack()
    if isMarked, let markPath { unlink(markPath) }
  }

  /// Sets an attribute; returns 0 or an errno.
  func set(_ attribute: String, to text: String) -> CInt {
    keeping(attribute) { writeAttribute("\(directory)/\(attribute)", text) }
  }

  /// Does what may change an attribute, and keeps what that was before.
  func keeping<Result>(_ attribute: String, _ act: () -> Result) -> Result {
    let path = "\(directory)/\(attribute)"
    let before = shortText(ofFile: path)
    let result = act()
    guard let before, let own = shortText(ofFile: path) else { return result }
    if let index = settings.firstIndex(where: { $0.attribute == attribute }) {
      settings[index].own = own
    } else if own != before {
      settings.append(Setting(attribute: attribute, before: before, own: own))
      mark()
    }
    return result
  }

  /// As above, of a file of the device; nil does it only.
  func keeping<Result>(file path: String?, _ act: () -> Result) -> Result {
    guard let path, let attribute = attribute(ofPath: path) else { return act() }
    return keeping(attribute, act)
  }

  /// Keeps what a file of the device holds now, as that changes while the sensor runs.
  func keep(file path: String) {
    guard let attribute = attribute(ofPath: path), let now = shortText(ofFile: path),
      !settings.contains(where: { $0.attribute == attribute })
    else { return }
    settings.append(Setting(attribute: attribute, before: now, own: now))
  }

  /// Changes an attribute that was kept, while the sensor runs.
  ///
  /// - Parameters:
  ///   - path: its file.
  ///   - text: the value.
  ///   - reading: how the driver shows that value, if that is known; it is read otherwise, which asks the hub once more.
  /// - Returns: 0 or an errno, EBUSY if another program has set the attribute since.
  func change(file path: String, to text: String, reading: String? = nil) -> CInt {
    guard let index = settings.firstIndex(where: { path == "\(directory)/\($0.attribute)" }) else {
      return ENOENT
    }
    guard !isChanged(settings[index]) else { return EBUSY }
    let code = writeAttribute(path, text)
    guard code == 0 else { return code }
    if let own = reading ?? shortText(ofFile: path) { settings[index].own = own }
    if isMarked { mark() }
    return 0
  }

  /// Turns the buffer on; returns 0 or an errno.
  func enableBuffer() -> CInt {
    settings.append(Setting(attribute: Self.enable, before: "0", own: "1"))
    // Before there is anything to be switched off.
    mark()
    let code = writeAttribute("\(directory)/\(Self.enable)", "1")
    guard code == 0 else {
      // Without it the rest can be taken back as it stands.
      settings.removeLast()
      return code
    }
    // A hub may show something else once it has power.
    for index in settings.indices where settings[index].purpose != .buffer {
      let own = shortText(ofFile: "\(directory)/\(settings[index].attribute)")
      settings[index].own = own ?? settings[index].own
    }
    return 0
  }

  /// Writes the mark: for the next daemon, should this one be killed.
  func mark() {
    guard let markPath, !settings.isEmpty, let directory = canonicalPath(directory) else { return }
    if SettingsMark(directory: directory, settings: settings).write(to: markPath) { isMarked = true }
  }

  private func attribute(ofPath path: String) -> String? {
    path.hasPrefix("\(directory)/") ? String(path.dropFirst(directory.utf8.count + 1)) : nil
  }

  /// Sets everything to what it was before, the last first; but leaves alone what another program has set up since.
  ///
  /// If another program has turned the buffer on, the sensor goes on measuring as often as it does. But no program expects a hub to
  /// report changes only, as a tablet that lies still would then be silent from the start.
  func takeBack() {
    let ofBuffer = settings.filter { $0.purpose == .buffer }
    let isOwnBuffer = !isDisplaced && !ofBuffer.isEmpty && !ofBuffer.contains { isChanged($0) }
    let isFree = !isDisplaced && (isOwnBuffer || shortText(ofFile: "\(directory)/\(Self.enable)") != "1")
    for setting in settings.reversed() {
      let mayTakeBack =
        switch setting.purpose {
        case .buffer: isOwnBuffer
        case .frequency: isFree && !isChanged(setting)
        case .sensitivity: !isChanged(setting)
        }
      guard mayTakeBack else { continue }
      let path = "\(directory)/\(setting.attribute)"
      if shortText(ofFile: path) != setting.before { _ = writeAttribute(path, setting.before) }
    }
    settings = []
  }

  /// Whether another program has set it since; not what a busy hub fails to say just now, as it may never be taken back else.
  private func isChanged(_ setting: Setting) -> Bool {
    guard let now = shortText(ofFile: "\(directory)/\(setting.attribute)") else { return false }
    return now != setting.own
  }
}

/// The first line that a file in sysfs holds, without blanks around it; nil if it cannot be read.
@inline(never)
func shortText(ofFile path: String) -> String? {
  firstLine(of: path).map { String(trimmed($0[...])) }
}
