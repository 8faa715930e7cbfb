// SPDX-License-Identifier: Apache-2.0

import CUMockdev
import Glibc
import Synchronization

// umockdev's preload library serves a mock /sys and /dev to a process: libiio, libc, and the code under test. That is
// either an exit test, which makes its mock kernel itself, or a program that a test starts with the environment of one.

/// Makes the exit tests that follow run under umockdev; call it before each.
///
/// In this process nothing changes, as the dynamic linker has done its work already.
package func useMockKernel() {
  _ = preload
}

/// Set once, as the environment must not change while another test reads it.
private let preload: Void = {
  setenv("LD_PRELOAD", "libumockdev-preload.so.0", 1)
}()

/// libumockdev and glib's library for what it loads are not made for several threads, and tests run in parallel.
private let oneAtATime = Mutex(())

/// A mock /sys and /dev, seen by this process if it runs under umockdev, and by the programs that it starts so.
package struct MockKernel: ~Copyable {
  private let testbed: UnsafeMutablePointer<UMockdevTestbed>
  /// Where the mock /sys and /dev really are.
  private let root: String

  package init() {
    (testbed, root) = oneAtATime.withLock { _ in
      guard let testbed = umockdev_testbed_new() else { fatalError("umockdev") }
      let root = umockdev_testbed_get_root_dir(testbed)
      defer { g_free(root) }
      return (testbed, root.map { String(cString: $0) } ?? "")
    }
  }

  /// What a program must have in its environment to see this kernel.
  package var environment: [String: String] {
    ["LD_PRELOAD": "libumockdev-preload.so.0", "UMOCKDEV_DIR": root]
  }

  deinit {
    // A closure that takes it from `self` crashes the compiler of Swift 6.2.
    let testbed = testbed
    oneAtATime.withLock { _ in g_object_unref(testbed) }
  }

  /// Adds an IIO device with a device node, and the properties that udev's database has for it.
  ///
  /// The kernel ends every attribute with a line feed, and so does this. With "" for a parent it belongs to no other device.
  package func addDevice(
    _ id: String, under parent: String = "platform/chip", attributes: [String: String],
    udev: [String: String] = [:]
  ) {
    let properties = udev.map { "E: \($0.key)=\($0.value)\n" }.sorted().joined()
    let lines = properties + attributes.map { "A: \($0.key)=\($0.value)\\n\n" }.sorted().joined()
    let node = id.hasPrefix("iio:") ? "N: \(id)\nE: DEVNAME=/dev/\(id)\n" : ""
    add(
      """
      P: /devices/\(parent.isEmpty ? "" : "\(parent)/")\(id)
      \(node)E: DEVTYPE=iio_device
      E: SUBSYSTEM=iio
      \(lines)

      """)
  }

  /// Adds an accelerometer that is an input device, which always reads the same.
  ///
  /// - Parameters:
  ///   - id: the name of its node, such as "event9".
  ///   - hardware: the directory of the hardware below /sys/devices.
  ///   - name: the driver's name for it.
  ///   - counts: the values of x, y and z.
  ///   - resolution: the counts per g; 0 is none.
  ///   - udev: what udev knows of it, besides that it is an accelerometer.
  package func addInputAccelerometer(
    _ id: String, under hardware: String = "platform/lis3lv02d", name: String = "ST LIS3LV02DL Accelerometer",
    counts: [Int32], resolution: Int32 = 0, udev: [String: String] = [:]
  ) {
    let folder = "/devices/\(hardware)/input/input\(id.dropFirst(5))"
    addInputDevice(
      id, under: hardware, name: name,
      udev: udev.merging(["ID_INPUT": "1", "ID_INPUT_ACCELEROMETER": "1"]) { given, _ in given })
    let lines = counts.enumerated().map { axis, count in
      let info = [count, -2048, 2048, 3, 3, resolution].map { UInt32(bitPattern: $0).byteSwapped }
      return "EVIOCGABS(\(axis)) 0 \(info.map { hexadecimal($0) }.joined())\n"
    }
    let file = "\(root)\(folder.replacing("/", with: "_")).ioctl"
    guard let stream = fopen(file, "w") else { fatalError(file) }
    fputs("@DEV /dev/input/\(id)\n\(lines.joined())", stream)
    fclose(stream)
    oneAtATime.withLock { _ in
      var error: UnsafeMutablePointer<GError>?
      guard umockdev_testbed_load_ioctl(testbed, "/dev/input/\(id)", file, &error) != 0 else {
        fatalError(error.map { String(cString: $0.pointee.message) } ?? "umockdev")
      }
    }
  }

  /// Adds an input device without axes.
  package func addInputDevice(_ id: String, under hardware: String, name: String, udev: [String: String]) {
    let folder = "/devices/\(hardware)/input/input\(id.dropFirst(5))"
    let properties = udev.map { "E: \($0.key)=\($0.value)\n" }.sorted().joined()
    add(
      """
      P: \(folder)
      E: SUBSYSTEM=input
      \(properties)A: name=\(name)\\n

      P: \(folder)/\(id)
      N: input/\(id)
      E: DEVNAME=/dev/input/\(id)
      E: SUBSYSTEM=input
      \(properties)

      """)
  }

  /// Adds a connector of a graphics card, such as "card0-eDP-1".
  ///
  /// - Parameters:
  ///   - name: card and connector.
  ///   - modes: the sizes that the screen on it offers, the preferred one first.
  ///   - status: whether there is a screen on it.
  package func addConnector(_ name: String, modes: [String], status: String = "connected") {
    let lines = modes.map { "\($0)\\n" }.joined()
    add(
      """
      P: /devices/platform/gpu/drm/\(name)
      E: DEVTYPE=drm_connector
      E: SUBSYSTEM=drm
      A: modes=\(lines)
      A: status=\(status)\\n


      """)
  }

  /// Adds a graphics card, such as "card0", with what udev's database has of how its panels are mounted.
  package func addCard(_ name: String, panels: String) {
    add(
      """
      P: /devices/platform/gpu/drm/\(name)
      E: DEVTYPE=drm_minor
      E: SUBSYSTEM=drm
      E: ORIENTATIOND_PANELS=\(panels)


      """)
  }

  /// Adds a device with a modalias, such as the parent of a sensor.
  package func addDevice(_ path: String, subsystem: String, modalias: String) {
    add(
      """
      P: /devices/\(path)
      E: SUBSYSTEM=\(subsystem)
      A: modalias=\(modalias)\n


      """)
  }

  /// Adds a USB device or hub, under which other devices can be added.
  ///
  /// - Parameters:
  ///   - path: its directory below /sys/devices.
  ///   - removable: what is known of its port: "removable", "fixed" or "unknown".
  package func addUSBDevice(_ path: String, removable: String) {
    add("P: /devices/\(path)\nE: SUBSYSTEM=usb\nE: DEVTYPE=usb_device\nA: removable=\(removable)\\n\n\n")
  }

  /// Adds what a text in umockdev's format describes.
  private func add(_ dump: String) {
    oneAtATime.withLock { _ in
      var error: UnsafeMutablePointer<GError>?
      guard umockdev_testbed_add_from_string(testbed, dump, &error) != 0 else {
        fatalError(error.map { String(cString: $0.pointee.message) } ?? "umockdev")
      }
    }
  }

  /// Removes the device with this path, its files and its device node; umockdev cannot add one of the same id again.
  package func remove(_ device: String) {
    oneAtATime.withLock { _ in umockdev_testbed_remove_device(testbed, device) }
  }

  /// Has udev tell that a device was added, is to be removed, or has changed; for processes that run under umockdev.
  package func tellUdev(_ action: String, of device: String) {
    oneAtATime.withLock { _ in umockdev_testbed_uevent(testbed, device, action) }
  }

  /// Sets an attribute of a device, also for those who have its file open.
  package func set(_ attribute: String, of device: String, to value: String) {
    // umockdev's own function would put a new file in the place of the old one.
    let file = open("\(root)\(device)/\(attribute)", O_WRONLY)
    defer { close(file) }
    // In one write, and over all of the old value: who reads meanwhile sees the one or the other.
    var status = stat()
    fstat(file, &status)
    let line = Array("\(value)\n".utf8)
    let rest = max(Int(status.st_size) - line.count, 0)
    _ = write(file, line + [UInt8](repeating: UInt8(ascii: "\n"), count: rest), line.count + rest)
    ftruncate(file, line.count)
  }

  /// The file in which an attribute of a device really is.
  package func file(of attribute: String, of device: String) -> String { "\(root)\(device)/\(attribute)" }

  /// Has the driver never answer who writes an attribute. (libiio does not see this for a channel's attribute.)
  package func makeHang(_ attribute: String, of device: String) {
    let path = "\(root)\(device)/\(attribute)"
    unlink(path)
    mkfifo(path, 0o600)
  }

  /// Makes an attribute that a device lacks a symbolic link.
  package func link(_ attribute: String, of device: String, to target: String) {
    oneAtATime.withLock { _ in umockdev_testbed_set_attribute_link(testbed, device, attribute, target) }
  }

  /// What an attribute holds, as its driver would take it: up to the first line feed or zero byte; nil without one.
  package func attribute(_ attribute: String, of device: String) -> String? {
    let file = open("\(root)\(device)/\(attribute)", O_RDONLY)
    guard file >= 0 else { return nil }
    defer { close(file) }
    var bytes = [UInt8](repeating: 0, count: 4096)
    let count = read(file, &bytes, bytes.count)
    return String(decoding: bytes.prefix(max(count, 0)).prefix { $0 != 0 && $0 != 0x0a }, as: UTF8.self)
  }

  /// Lets the driver of a device node deliver bytes; they are lost where nobody has read for long, as a driver's are.
  package func deliver(_ bytes: [UInt8], to node: String) {
    var descriptor = pollfd(fd: writer(to: node), events: Int16(POLLOUT), revents: 0)
    guard poll(&descriptor, 1, 0) > 0 else { return }
    _ = write(descriptor.fd, bytes, bytes.count)
  }

  /// What the driver of a device node writes to, for other threads.
  package func writer(to node: String) -> CInt {
    oneAtATime.withLock { _ in umockdev_testbed_get_dev_fd(testbed, "/dev/\(node)") }
  }
}

/// A word with all its digits.
private func hexadecimal(_ word: UInt32) -> String {
  let digits = String(word, radix: 16, uppercase: true)
  return String(repeating: "0", count: 8 - digits.count) + digits
}
