// SPDX-License-Identifier: Apache-2.0

import CUMockdev
import Glibc
import Testing

// Tests with devices run in a process of their own (an exit test), under umockdev's preload library, which serves a
// mock /sys and /dev to everything in that process: libiio, libc, and the code under test.

/// Makes the exit tests that follow run under umockdev; call it before each.
///
/// In this process nothing changes, as the dynamic linker has done its work already.
func useMockKernel() {
  _ = preload
}

/// Set once, as the environment must not change while another test reads it.
private let preload: Void = {
  setenv("LD_PRELOAD", "libumockdev-preload.so.0", 1)
}()

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

  /// Removes the device with this path, its files and its device node.
  func remove(_ device: String) {
    umockdev_testbed_remove_device(testbed, device)
  }

  /// Sets an attribute of a device, also for those who have its file open.
  func set(_ attribute: String, of device: String, to value: String) {
    // umockdev's own function would put a new file in the place of the old one.
    let file = open("\(device)/\(attribute)", O_WRONLY | O_TRUNC)
    let text = Array("\(value)\n".utf8)
    _ = write(file, text, text.count)
    close(file)
  }

  /// Makes an attribute that a device lacks a symbolic link.
  func link(_ attribute: String, of device: String, to target: String) {
    umockdev_testbed_set_attribute_link(testbed, device, attribute, target)
  }

  /// What an attribute holds, as its driver would take it: up to the first line feed or zero byte; nil without one.
  func attribute(_ attribute: String, of device: String) -> String? {
    let file = open("\(device)/\(attribute)", O_RDONLY)
    guard file >= 0 else { return nil }
    defer { close(file) }
    var bytes = [UInt8](repeating: 0, count: 4096)
    let count = read(file, &bytes, bytes.count)
    return String(decoding: bytes.prefix(max(count, 0)).prefix { $0 != 0 && $0 != 0x0a }, as: UTF8.self)
  }

  /// Lets the driver of a device node deliver bytes.
  func deliver(_ bytes: [UInt8], to node: String) {
    let descriptor = umockdev_testbed_get_dev_fd(testbed, "/dev/\(node)")
    _ = write(descriptor, bytes, bytes.count)
  }
}

/// The descriptors of this process whose path ends so.
func descriptors(ofPath suffix: String) -> [CInt] {
  (3..<256).filter { descriptor in
    guard let path = realpath("/proc/self/fd/\(descriptor)", nil) else { return false }
    defer { free(path) }
    return String(cString: path).hasSuffix(suffix)
  }
}

/// Expects two values to be equal, and says so where they are not.
///
/// Of an expectation that fails in an exit test, only the comment reaches the test's output.
func expectEqual<Value: Equatable>(_ value: Value, _ expected: Value, line: Int = #line) {
  #expect(value == expected, "line \(line): \(value) is not \(expected)")
}
