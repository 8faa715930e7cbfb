// SPDX-License-Identifier: Apache-2.0

import CUMockdev
import Glibc

// Tests with devices run in a process of their own (an exit test), under umockdev's preload library, which serves a
// mock /sys and /dev to everything in that process: libiio, libc, and the code under test.

/// Makes the exit tests that follow run under umockdev; call it before each.
///
/// In this process nothing changes, as the dynamic linker has done its work already.
func useMockKernel() {
  setenv("LD_PRELOAD", "libumockdev-preload.so.0", 1)
}

/// The mock /sys and /dev of this process.
struct MockKernel: ~Copyable {
  private let testbed: UnsafeMutablePointer<UMockdevTestbed>

  init() {
    guard let testbed = umockdev_testbed_new() else { fatalError("umockdev") }
    self.testbed = testbed
  }

  deinit { g_object_unref(testbed) }

  /// Adds an IIO device with a device node.
  ///
  /// The kernel ends every attribute with a line feed, and so does this.
  func addDevice(_ id: String, under parent: String = "platform/chip", attributes: [String: String]) {
    let lines = attributes.map { "A: \($0.key)=\($0.value)\\n\n" }.sorted().joined()
    let node = id.hasPrefix("iio:") ? "N: \(id)\nE: DEVNAME=/dev/\(id)\n" : ""
    let dump = """
      P: /devices/\(parent)/\(id)
      \(node)E: DEVTYPE=iio_device
      E: SUBSYSTEM=iio
      \(lines)

      """
    var error: UnsafeMutablePointer<GError>?
    guard umockdev_testbed_add_from_string(testbed, dump, &error) != 0 else {
      fatalError(error.map { String(cString: $0.pointee.message) } ?? "umockdev")
    }
  }

  /// Sets an attribute of a device of this machine's.
  func set(_ attribute: String, of device: String, to value: String) {
    umockdev_testbed_set_attribute(testbed, device, attribute, "\(value)\n")
  }

  /// What an attribute holds, without the line feed; nil where there is none.
  func attribute(_ attribute: String, of device: String) -> String? {
    guard let file = fopen("\(device)/\(attribute)", "r") else { return nil }
    defer { fclose(file) }
    var bytes = [UInt8](repeating: 0, count: 4096)
    let count = fread(&bytes, 1, bytes.count, file)
    let text = String(decoding: bytes[..<count], as: UTF8.self)
    return text.hasSuffix("\n") ? String(text.dropLast()) : text
  }

  /// Lets the driver of a device node deliver bytes.
  func deliver(_ bytes: [UInt8], to node: String) {
    let descriptor = umockdev_testbed_get_dev_fd(testbed, "/dev/\(node)")
    _ = write(descriptor, bytes, bytes.count)
  }
}

/// The attributes of an accelerometer with the register layout of a KXCJ-1013 at +-2 g; three axes, no buffer.
func chipAttributes(x: String = "0", y: String = "1024", z: String = "0") -> [String: String] {
  [
    "name": "kxcjk1013", "in_accel_x_raw": x, "in_accel_y_raw": y, "in_accel_z_raw": z,
    "in_accel_scale": "0.009577", "in_accel_sampling_frequency": "12.500000",
    "sampling_frequency_available": "0.781000 1.563000 12.500000 25.000000 50.000000 100.000000",
  ]
}

/// The descriptors of this process whose path ends so.
func descriptors(ofPath suffix: String) -> [CInt] {
  (3..<256).filter { descriptor in
    guard let path = realpath("/proc/self/fd/\(descriptor)", nil) else { return false }
    defer { free(path) }
    return String(cString: path).hasSuffix(suffix)
  }
}
