// SPDX-License-Identifier: Apache-2.0

import CIIO
import CLinux

// libiio's devices, channels and the names of attributes belong to their context, and are used only while it exists.

extension IIODevice {
  /// Describes this machine's devices by libiio.
  ///
  /// - Returns: the devices, without those that went away meanwhile; and why libiio refuses the machine, nil if it does not.
  static func allByLibiio() -> (devices: [IIODevice], refusal: LibiioFailure.Cause?) {
    if let reason = Libiio.shared.retain() { return ([], .notLoaded(reason)) }
    defer { Libiio.shared.release() }
    guard let context = Libiio.functions.create_local_context() else {
      let code = errno
      // These mean that there is no device, or that one went away while libiio read it.
      let isPassing = code == ENOENT || code == ENODEV || code == ENOSYS
      return ([], isPassing ? nil : .refused(code))
    }
    defer { Libiio.functions.context_destroy(context) }
    return (all(in: context), nil)
  }

  /// Describes the devices of a context, without triggers; those of another machine in a folder that is none of this one.
  static func all(
    in context: OpaquePointer, at devicesDirectory: String = IIOMachine.devicesDirectory
  ) -> [IIODevice] {
    (0..<Libiio.functions.context_get_devices_count(context)).compactMap { index in
      guard let device = Libiio.functions.context_get_device(context, index),
        !Libiio.functions.device_is_trigger(device)
      else {
        return nil
      }
      return IIODevice(libiio: device, in: devicesDirectory)
    }
  }

  private init(libiio device: OpaquePointer, in devicesDirectory: String) {
    func text(_ text: UnsafePointer<CChar>?) -> String? { text.map { String(cString: $0) } }
    let scanIDs = inputChannels(of: device).compactMap { channel -> String? in
      guard Libiio.functions.channel_is_scan_element(channel),
        let id = text(Libiio.functions.channel_get_id(channel))
      else { return nil }
      // What libiio stores apart from the id if it does not know the whole name, such as "tilt_comp".
      return text(Libiio.functions.channel_get_name(channel)).map { "\(id)_\($0)" } ?? id
    }
    self.init(
      id: text(Libiio.functions.device_get_id(device)) ?? "",
      name: text(Libiio.functions.device_get_name(device)),
      label: text(Libiio.functions.device_get_label(device)),
      files: LibiioAttribute.all(of: device).map { $0.file }, scanIDs: scanIDs, in: devicesDirectory)
  }
}

/// An attribute of a device, or of one of its input channels, that libiio can read and write.
struct LibiioAttribute {
  private enum Owner {
    case device(OpaquePointer)
    case channel(OpaquePointer)
  }

  private let owner: Owner
  private let name: UnsafePointer<CChar>
  /// What the kernel calls its file, such as `in_accel_scale`; channels may share it.
  let file: String

  /// All attributes of a device and of its input channels.
  static func all(of device: OpaquePointer) -> [LibiioAttribute] {
    var attributes: [LibiioAttribute] = []
    for index in 0..<Libiio.functions.device_get_attrs_count(device) {
      guard let name = Libiio.functions.device_get_attr(device, index) else { continue }
      attributes.append(LibiioAttribute(owner: .device(device), name: name, file: String(cString: name)))
    }
    for channel in inputChannels(of: device) {
      for index in 0..<Libiio.functions.channel_get_attrs_count(channel) {
        guard let name = Libiio.functions.channel_get_attr(channel, index),
          let file = Libiio.functions.channel_attr_get_filename(channel, name)
        else { continue }
        attributes.append(LibiioAttribute(owner: .channel(channel), name: name, file: String(cString: file)))
      }
    }
    return attributes
  }

  /// Reads its text; returns the length, or a negative errno.
  func read(into bytes: UnsafeMutablePointer<CChar>, _ capacity: Int) -> Int {
    switch owner {
    case .device(let device): Libiio.functions.device_attr_read(device, name, bytes, capacity)
    case .channel(let channel): Libiio.functions.channel_attr_read(channel, name, bytes, capacity)
    }
  }

  /// Writes it; returns 0 or an errno.
  func write(_ text: String) -> CInt {
    let result =
      switch owner {
      case .device(let device): Libiio.functions.device_attr_write(device, name, text)
      case .channel(let channel): Libiio.functions.channel_attr_write(channel, name, text)
      }
    return result < 0 ? CInt(clamping: -result) : 0
  }
}

private func inputChannels(of device: OpaquePointer) -> [OpaquePointer] {
  (0..<Libiio.functions.device_get_channels_count(device)).compactMap { index in
    Libiio.functions.device_get_channel(device, index).flatMap {
      Libiio.functions.channel_is_output($0) ? nil : $0
    }
  }
}
