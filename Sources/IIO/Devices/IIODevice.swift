// SPDX-License-Identifier: Apache-2.0

// This folder: a device of the kernel, described by libiio or by sysfs, and its attributes, which are read and written.
// OwnSettings restores what was set on a device, and SettingsMark records what a process had set that was killed.

import CIIO
import CLinux

// libiio's devices and channels belong to their context. These are views: they stay inside this module and are used only
// while the context exists. If libiio is not used, sysfs describes them: see SysfsDevice.swift. Functions that have both
// ways are not inlined, because that would take three times their size in the daemon.

/// A device of an ``IIOContext``.
enum IIODevice {
  /// libiio describes it.
  case libiio(OpaquePointer)
  /// sysfs describes it.
  case sysfs(SysfsDevice)

  @inline(never)
  var id: String {
    switch self {
    case .libiio(let pointer): Libiio.functions.device_get_id(pointer).map { String(cString: $0) } ?? ""
    case .sysfs(let device): device.id
    }
  }

  /// How much of a device's name is used, in characters.
  private static let longestName = 128

  @inline(never)
  var name: String? {
    switch self {
    // Drivers' names are short words; another machine may send any text.
    case .libiio(let pointer):
      Libiio.functions.device_get_name(pointer).map { String(String(cString: $0).prefix(Self.longestName)) }
    case .sysfs(let device): device.name
    }
  }

  var label: String? {
    switch self {
    case .libiio(let pointer): Libiio.functions.device_get_label(pointer).map { String(cString: $0) }
    case .sysfs(let device): device.label
    }
  }

  var isTrigger: Bool {
    switch self {
    case .libiio(let pointer): Libiio.functions.device_is_trigger(pointer)
    case .sysfs(let device): device.isTrigger
    }
  }

  /// The directory of the device's files on this machine.
  @inline(never)
  var directory: String {
    switch self {
    case .libiio: "\(IIOContext.devicesDirectory)/\(id)"
    case .sysfs(let device): device.directory
    }
  }

  @inline(never)
  func inputChannel(_ name: String) -> IIOChannel? {
    switch self {
    case .libiio(let pointer):
      Libiio.functions.device_find_channel(pointer, name, false).map {
        IIOChannel(view: .libiio($0), directory: directory)
      }
    case .sysfs(let device):
      device.hasInputChannel(name) ? IIOChannel(view: .sysfs(id: name), directory: directory) : nil
    }
  }

  /// The text of an attribute of the device; nil if there is none.
  @inline(never)
  func attribute(_ name: String) throws(SourceError) -> String? {
    let path = "\(directory)/\(name)"
    if case .libiio(let pointer) = self {
      guard Libiio.functions.device_find_attr(pointer, name) != nil else { return nil }
      if isRemote(Libiio.functions.device_get_context(pointer)) {
        return try readText(path: path) { Libiio.functions.device_attr_read(pointer, name, $0, $1) }
      }
    }
    return try textOfFile(path)
  }

  /// The channels that can be part of a scan.
  @inline(never)
  var scanElements: [IIOChannel] {
    switch self {
    case .libiio(let pointer):
      (0..<Libiio.functions.device_get_channels_count(pointer)).compactMap { index in
        Libiio.functions.device_get_channel(pointer, index).map {
          IIOChannel(view: .libiio($0), directory: directory)
        }
      }.filter { $0.isScanElement }
    case .sysfs(let device):
      device.scanElements.map { IIOChannel(view: .sysfs(id: $0), directory: directory) }
    }
  }

  /// Writes an attribute; returns 0 or an errno, because the meaning of a refusal depends on the attribute.
  @inline(never)
  func write(_ text: String, to name: String) -> CInt {
    switch self {
    case .libiio(let pointer): failure(Libiio.functions.device_attr_write(pointer, name, text))
    case .sysfs: writeAttribute("\(directory)/\(name)", text)
    }
  }
}

/// A channel of an ``IIODevice``.
struct IIOChannel {
  /// What describes the channel.
  enum View {
    case libiio(OpaquePointer)
    case sysfs(id: String)
  }

  let view: View
  let directory: String

  @inline(never)
  var id: String {
    switch view {
    case .libiio(let pointer): Libiio.functions.channel_get_id(pointer).map { String(cString: $0) } ?? ""
    case .sysfs(let id): id
    }
  }

  /// What libiio stores apart from the id if it does not know the whole name, such as "tilt_comp"; usually nil.
  var name: String? {
    switch view {
    case .libiio(let pointer): Libiio.functions.channel_get_name(pointer).map { String(cString: $0) }
    case .sysfs: nil
    }
  }

  /// The prefix of the channel's files in scan_elements.
  private var scanElementName: String { name.map { "in_\(id)_\($0)" } ?? "in_\(id)" }

  /// The file in scan_elements with one property of the channel, such as "en".
  @inline(never)
  func scanFile(_ suffix: String) -> String { "\(directory)/scan_elements/\(scanElementName)_\(suffix)" }

  @inline(never)
  var isScanElement: Bool {
    switch view {
    case .libiio(let pointer): Libiio.functions.channel_is_scan_element(pointer)
    case .sysfs: access(scanFile("en"), F_OK) == 0
    }
  }

  /// The scan index of the channel.
  @inline(never)
  var scanIndex: Int {
    switch view {
    case .libiio(let pointer): Libiio.functions.channel_get_index(pointer)
    case .sysfs: wholeNumber(inFile: scanFile("index")) ?? -1
    }
  }

  func has(_ attribute: String) -> Bool {
    switch view {
    case .libiio(let pointer): Libiio.functions.channel_find_attr(pointer, attribute) != nil
    case .sysfs(let id): sysfsPath(of: attribute, ofChannel: id, in: directory) != nil
    }
  }

  /// The path of the file that holds an attribute; channels may share it, also all channels of the device.
  @inline(never)
  func path(of attribute: String) -> String {
    if case .libiio(let pointer) = view,
      let name = Libiio.functions.channel_attr_get_filename(pointer, attribute)
    {
      return "\(directory)/\(String(cString: name))"
    }
    return sysfsPath(of: attribute, ofChannel: id, in: directory)
      ?? sharedNames(of: attribute).map { "\(directory)/\($0)" }.first { access($0, F_OK) == 0 }
      ?? attributePath(attribute, of: id, in: directory)
  }

  /// What a file is called that holds an attribute of all input channels, or of all channels.
  private func sharedNames(of attribute: String) -> [String] { ["in_\(attribute)", attribute] }

  /// The text of an attribute; nil if there is none.
  ///
  /// By the kernel's rule (industrialio-core.c), it is the channel's own, its type's, its direction's, or the device's.
  @inline(never)
  func attribute(_ name: String) throws(SourceError) -> String? {
    let path = path(of: name)
    guard case .libiio(let pointer) = view, let device = Libiio.functions.channel_get_device(pointer),
      isRemote(Libiio.functions.device_get_context(device))
    else { return try textOfFile(path) }
    if has(name) {
      return try readText(path: path) { Libiio.functions.channel_attr_read(pointer, name, $0, $1) }
    }
    for shared in sharedNames(of: name) {
      if let text = try IIODevice.libiio(device).attribute(shared) { return text }
    }
    return nil
  }

  /// The number that an attribute holds; nil if there is no such attribute.
  func number(_ name: String) throws(SourceError) -> Double? {
    guard let text = try attribute(name) else { return nil }
    guard let number = finiteNumber(text[...]) else {
      throw .malformed(path: path(of: name), text: text, reason: "a number was expected")
    }
    return number
  }

  func write(_ text: String, to name: String) -> CInt {
    switch view {
    case .libiio(let pointer): failure(Libiio.functions.channel_attr_write(pointer, name, text))
    case .sysfs: writeAttribute(path(of: name), text)
    }
  }
}

/// Whether the attributes are those of another machine.
///
/// Attributes of this machine are read from their files: libiio makes five times as many system calls, and removes the last
/// character as a line feed, although some files end without one.
private func isRemote(_ context: OpaquePointer?) -> Bool {
  guard let name = Libiio.functions.context_get_name(context) else { return false }
  return strcmp(name, "network") == 0
}

/// The errno in a result of libiio; 0 if there is none.
private func failure(_ result: Int) -> CInt { result < 0 ? CInt(clamping: -result) : 0 }

/// Reads an attribute by a call that returns its length or a negative errno; nil if it does not exist.
func readText(
  path: String, by read: (UnsafeMutablePointer<CChar>, Int) -> Int
) throws(SourceError) -> String? {
  // An attribute in sysfs has one page at most.
  let capacity = 4096
  var text = ""
  let result = withUnsafeTemporaryAllocation(of: CChar.self, capacity: capacity) { bytes -> Int in
    guard let start = bytes.baseAddress else { return -Int(ENOMEM) }
    start[0] = 0
    let result = read(start, capacity - 1)
    guard result > 0 else { return result }
    start[min(result, capacity - 1)] = 0
    text = String(cString: start)
    return result
  }
  if result == -Int(ENOENT) { return nil }
  guard result >= 0 else {
    throw SourceError(code: CInt(clamping: -result), subject: path, operation: "reading")
  }
  return String(trimmed(text[...]))
}
