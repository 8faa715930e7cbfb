// SPDX-License-Identifier: Apache-2.0

import Glibc
import Systemd

/// umockdev's test bed, of which only the library is needed, not its headers.
struct MockedDevices {
  private typealias New = @convention(c) () -> OpaquePointer?
  private typealias Add =
    @convention(c) (
      OpaquePointer, UnsafePointer<CChar>, UnsafeMutablePointer<OpaquePointer?>?
    ) -> CInt
  private typealias Event =
    @convention(c) (OpaquePointer, UnsafePointer<CChar>, UnsafePointer<CChar>) -> Void

  private let bed: OpaquePointer
  private let add: Add
  private let event: Event

  /// - Returns: nil where umockdev is not installed.
  init?() {
    guard let library = dlopen("libumockdev.so.0", RTLD_NOW),
      let new = dlsym(library, "umockdev_testbed_new"),
      let add = dlsym(library, "umockdev_testbed_add_from_string"),
      let event = dlsym(library, "umockdev_testbed_uevent"),
      let bed = unsafeBitCast(new, to: New.self)()
    else { return nil }
    self.bed = bed
    self.add = unsafeBitCast(add, to: Add.self)
    self.event = unsafeBitCast(event, to: Event.self)
  }

  /// Makes a device from umockdev's description of it.
  func add(_ description: String) { _ = add(bed, description, nil) }

  /// Has the kernel announce something.
  func announce(_ action: String, _ sysfsPath: String) { event(bed, sysfsPath, action) }
}

/// Prints what a monitor of the subsystem iio hears while devices of two subsystems come and go.
func monitorMockedDevices() throws(SystemdError) {
  guard let devices = MockedDevices() else { return say("no umockdev") }
  let loop = try EventLoop()
  let monitor = try DeviceMonitor(subsystem: "iio", loop: loop) { event in
    say("\(event.action) \(event.sysfsName)")
    if event.action == .remove { loop.exit(0) }
  }
  let accelerometer = "/sys/devices/chip/iio:device0"
  devices.add(
    """
    P: /devices/chip/iio:device0
    E: SUBSYSTEM=iio
    E: DEVTYPE=iio_device
    E: ACCEL_MOUNT_MATRIX=0, 1, 0; 1, 0, 0; 0, 0, 1
    A: name=bma250

    P: /devices/other/input0
    E: SUBSYSTEM=input

    """)
  say(try UdevDevice(sysfsPath: accelerometer).property("ACCEL_MOUNT_MATRIX") ?? "no matrix")
  say(try UdevDevice(sysfsPath: accelerometer).property("ACCEL_LOCATION") ?? "no location")
  for (action, path) in [
    ("add", "/sys/devices/other/input0"), ("add", accelerometer), ("change", accelerometer),
    ("bind", accelerometer), ("remove", accelerometer),
  ] {
    devices.announce(action, path)
  }
  _ = try loop.run()
  _ = consume monitor
}
