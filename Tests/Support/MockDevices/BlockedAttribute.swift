// SPDX-License-Identifier: Apache-2.0

import Glibc

/// An attribute whose driver takes in what is written, and does not return: in truth a pipe that is full.
///
/// Who reads it finds a value, unless that is done often. Who writes waits in the kernel, and holds there what a thread holds
/// that writes an attribute, as long as this lives. (libiio does not see it where it is a channel's.)
package final class BlockedAttribute {
  private let descriptor: CInt

  fileprivate init(at path: String, reading value: String) {
    unlink(path)
    mkfifo(path, 0o600)
    // Both ends, so that neither opening nor writing it fails for want of the other one.
    descriptor = open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC)
    let line = Array("\(value)\n".utf8)
    let page = (0..<4096).map { line[$0 % line.count] }
    while write(descriptor, page, page.count) > 0 {}
  }

  deinit { close(descriptor) }
}

extension MockKernel {
  /// Has the driver never return from a write of an attribute, which reads as a number.
  package func block(
    _ attribute: String, of device: String, reading value: String = "0"
  ) -> BlockedAttribute {
    BlockedAttribute(at: file(of: attribute, of: device), reading: value)
  }
}
