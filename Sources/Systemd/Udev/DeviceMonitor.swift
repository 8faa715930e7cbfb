// SPDX-License-Identifier: Apache-2.0

import CLinux
import CSystemd

/// Something that happened to a device, after udev's rules were applied.
package struct DeviceEvent: Equatable, Sendable {
  /// What can happen to a device.
  package enum Action: Equatable, Sendable {
    /// It was added.
    case add
    /// It was removed.
    case remove
    /// It, or what udev knows of it, has changed.
    case change
    /// Anything else, such as a driver being bound.
    case other
  }

  /// What happened.
  package let action: Action
  /// The kernel's name, such as `iio:device0`.
  package let sysfsName: String
}

/// Notifies of devices that udev adds, removes or changes (`sd_device_monitor`), until this is destroyed.
public struct DeviceMonitor: ~Copyable {
  private let handle: OpaquePointer
  private let handler: DeviceHandler

  /// Listens for the devices of one subsystem.
  ///
  /// Without a running udev, the handler is never called.
  ///
  /// - Parameters:
  ///   - subsystem: Such as `iio`. Filtered in the kernel: other devices do not wake up the process.
  ///   - deviceType: Such as `iio_device`; nil means devices of every type.
  ///   - property: If not nil, only devices to which udev has given this property are told of.
  ///   - loop: The loop of this thread.
  ///   - handler: Called for each event.
  /// - Throws: `SystemdError` if the netlink socket cannot be opened.
  package init(
    subsystem: String, deviceType: String? = nil, property: String? = nil, loop: EventLoop,
    _ handler: @escaping (DeviceEvent) -> Void
  ) throws(SystemdError) {
    let box = DeviceHandler(property, handler)
    let monitor = try SystemdError.create("sd_device_monitor_new") { sd_device_monitor_new(&$0) }
    do throws(SystemdError) {
      try SystemdError.check(
        sd_device_monitor_filter_add_match_subsystem_devtype(monitor, subsystem, deviceType),
        "sd_device_monitor_filter_add_match_subsystem_devtype")
      try SystemdError.check(
        sd_device_monitor_attach_event(monitor, loop.handle), "sd_device_monitor_attach_event")
      let started = sd_device_monitor_start(
        monitor,
        { _, device, userdata in
          guard let device, let event = DeviceEvent(device) else { return 0 }
          callback(DeviceHandler.self, userdata) { if $0.wants(device) { $0.body(event) } }
          return 0
        }, Unmanaged.passUnretained(box).toOpaque())
      try SystemdError.check(started, "sd_device_monitor_start")
    } catch {
      sd_device_monitor_unref(monitor)
      throw error
    }
    handle = monitor
    self.handler = box
  }

  // Stopped first: within its own handler, sd-device keeps the monitor a little longer.
  deinit {
    _ = sd_device_monitor_stop(handle)
    sd_device_monitor_unref(handle)
  }
}

/// The stable address that sd-device passes to the callback.
private final class DeviceHandler {
  let body: (DeviceEvent) -> Void

  private let property: String?

  init(_ property: String?, _ body: @escaping (DeviceEvent) -> Void) {
    self.property = property
    self.body = body
  }

  func wants(_ device: OpaquePointer) -> Bool {
    guard let property else { return true }
    return sd_device_get_property_value(device, property, nil) >= 0
  }
}

extension DeviceEvent {
  fileprivate init?(_ device: OpaquePointer) {
    var text: UnsafePointer<CChar>?
    guard sd_device_get_sysname(device, &text) >= 0, let text else { return nil }
    sysfsName = String(cString: text)
    var raw = SD_DEVICE_CHANGE
    _ = sd_device_get_action(device, &raw)
    switch raw {
    case SD_DEVICE_ADD: action = .add
    case SD_DEVICE_REMOVE: action = .remove
    case SD_DEVICE_CHANGE: action = .change
    default: action = .other
    }
  }
}
