// SPDX-License-Identifier: Apache-2.0

// All programs share a sensor. So this program restores what it has set when it no longer needs the sensor, unless the
// value has changed since. What another program has set belongs to that program, and is not touched. So the kernel's
// present value is compared for each attribute, and for the buffer as a whole, because its attributes belong together.

import CLinux
import Evdev

/// What this program has set on a device, and the values before.
///
/// The values are restored when this object is destroyed. A daemon that is killed cannot do that; then the next daemon
/// restores them from its mark, a file.
final class OwnSettings {
  /// An attribute that was set.
  struct Setting: Equatable {
    /// Its path relative to the device's directory.
    let attribute: String
    let before: String
    /// The value that was set; nil if it could not be read since, or is being set.
    var own: String?

    /// What the setting is for.
    var purpose: Purpose {
      if attribute.hasSuffix(SettingsMark.frequency) { return .frequency }
      if attribute.hasPrefix(SettingsMark.events) { return .events }
      return attribute.hasSuffix(SettingsMark.sensitivity) ? .sensitivity : .buffer
    }
  }

  /// What a setting is for; this decides when it may be restored.
  enum Purpose {
    /// It belongs to the buffer, and has no effect without it.
    case buffer
    /// How often the sensor measures.
    case frequency
    /// From what change on a hub reports.
    case sensitivity
    /// That a chip reports motion, and from which threshold on.
    case events
  }

  /// The attribute that enables the buffer.
  static let enable = "buffer/enable"

  private let directory: String
  private let markPath: String?
  private var settings: [Setting] = []
  private var isMarked = false
  /// Whether another program has set up the buffer since.
  var isDisplaced = false

  /// Prepares to set attributes of a device of this machine; without a path, no mark is written.
  init(of device: IIODevice, markPath: String? = nil) {
    directory = device.directory
    self.markPath = markPath
  }

  /// Creates the settings that a mark records.
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
    keeping(attribute) { writeAttribute(path(of: attribute), text) }
  }

  /// Runs an action that may change an attribute, and stores the value before.
  func keeping<Result>(_ attribute: String, _ act: () -> Result) -> Result {
    guard let before = present(attribute) else { return act() }
    let known = settings.firstIndex { $0.attribute == attribute }
    let index = known ?? settings.endIndex
    if known == nil { settings.append(Setting(attribute: attribute, before: before)) }
    // A slow hub may take the value, and this process be killed before it knows.
    settings[index].own = nil
    mark()
    let result = act()
    settings[index].own = present(attribute)
    if known == nil, settings[index].own == before { settings.removeLast() }
    mark()
    return result
  }

  /// Stores the present value of an attribute, because it changes while the sensor runs.
  func keep(_ attribute: String) {
    guard let now = present(attribute), !settings.contains(where: { $0.attribute == attribute })
    else { return }
    settings.append(Setting(attribute: attribute, before: now, own: now))
  }

  /// Changes a stored attribute while the sensor runs.
  ///
  /// - Parameters:
  ///   - attribute: its path relative to the device's directory.
  ///   - text: the value.
  ///   - reading: how the driver shows that value, if known; otherwise it is read, which causes one more request to the
  ///     hub.
  /// - Returns: 0 or an errno; EBUSY if another program has set the attribute since.
  func change(_ attribute: String, to text: String, reading: String? = nil) -> CInt {
    guard let index = settings.firstIndex(where: { $0.attribute == attribute }) else { return ENOENT }
    guard !isChanged(settings[index]) else { return EBUSY }
    // As above.
    settings[index].own = nil
    mark()
    let code = writeAttribute(path(of: attribute), text)
    settings[index].own = (code == 0 ? reading : nil) ?? present(attribute)
    mark()
    return code
  }

  /// Enables the buffer; returns 0 or an errno.
  func enableBuffer() -> CInt {
    settings.append(Setting(attribute: Self.enable, before: "0"))
    // The mark must exist before there is anything to be disabled.
    mark()
    let code = writeAttribute(path(of: Self.enable), "1")
    guard code == 0 else {
      // Without the buffer, the other settings can be restored at any time.
      settings.removeLast()
      mark()
      return code
    }
    settings[settings.endIndex - 1].own = "1"
    // A hub may show other values when it has power.
    for index in settings.indices where settings[index].purpose != .buffer {
      settings[index].own = present(settings[index].attribute)
    }
    mark()
    return 0
  }

  /// Writes the mark, for the next daemon if this one is killed.
  func mark() {
    guard let markPath else { return }
    guard !settings.isEmpty else {
      if isMarked { unlink(markPath) }
      return isMarked = false
    }
    guard let directory = canonicalPath(directory) else { return }
    if SettingsMark(directory: directory, settings: settings).write(to: markPath) { isMarked = true }
  }

  private func path(of attribute: String) -> String { "\(directory)/\(attribute)" }

  /// The present value of an attribute; nil if it cannot be read.
  func present(_ attribute: String) -> String? { shortText(ofFile: path(of: attribute)) }

  /// The present number of an attribute; nil if it holds none.
  func number(_ attribute: String) -> Double? { present(attribute).flatMap { finiteNumber($0[...]) } }

  /// Restores all previous values, the last first, except those that another program has set since.
  ///
  /// If another program has enabled the buffer, the sensor keeps its present sampling frequency. But no program expects a
  /// hub to report only changes, because a tablet that lies still would then be silent from the start; nor a chip to report motion, for
  /// which it would stay powered.
  func takeBack() {
    let ofBuffer = settings.filter { $0.purpose == .buffer }
    let isOwnBuffer = !isDisplaced && !ofBuffer.isEmpty && !ofBuffer.contains { isChanged($0) }
    let isFree = !isDisplaced && (isOwnBuffer || present(Self.enable) != "1")
    for setting in settings.reversed() {
      let mayTakeBack =
        switch setting.purpose {
        case .buffer: isOwnBuffer
        case .frequency: isFree && !isChanged(setting)
        case .sensitivity, .events: !isChanged(setting)
        }
      guard mayTakeBack, present(setting.attribute) != setting.before else { continue }
      _ = writeAttribute(path(of: setting.attribute), setting.before)
    }
    settings = []
  }

  /// Whether another program has set it since.
  ///
  /// If a busy hub fails to answer just now, or did when it was set, this is false, because the value would otherwise never be restored.
  private func isChanged(_ setting: Setting) -> Bool {
    guard let own = setting.own, let now = present(setting.attribute) else { return false }
    return now != own
  }
}

/// The first line of a file in sysfs, without blanks around it; nil if it cannot be read.
@inline(never)
func shortText(ofFile path: String) -> String? {
  firstLine(of: path).map { String(trimmed($0[...])) }
}
