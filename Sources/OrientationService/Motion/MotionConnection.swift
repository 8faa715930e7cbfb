// SPDX-License-Identifier: Apache-2.0

// This folder: the motion socket. The main thread accepts connections, reads requests and decides what is allowed (MotionService,
// MotionReader); another thread, which exists only while there are streams, sends samples (MotionSender). MotionPlan is what the first
// wants of the second. Neither waits for a program that does not read.

import CLinux
import Orientation
import Synchronization

/// A connection to a program, which is closed when the main thread and the sending thread have both forgotten it.
final class MotionConnection: Sendable {
  /// How large the queue of records in the kernel may become, as SO_SNDBUF has it.
  ///
  /// The kernel doubles this number and counts 762 bytes for a record (Linux 6.18, measured): 86 records fit, which is 0.4 s of one sensor
  /// at 200 Hz.
  static let bufferSize: CInt = 32 * 1024

  /// The descriptor.
  let descriptor: CInt
  private let broken = Atomic<Bool>(false)

  /// Takes over the descriptor of a connection.
  init(adopting descriptor: CInt) {
    self.descriptor = descriptor
    // If the kernel refuses, its own limit holds.
    _ = limitSendBuffer(descriptor, Self.bufferSize)
  }

  deinit { DescriptorCloser.shared.dispose(of: descriptor) }

  /// Whether the program has closed the connection.
  var isBroken: Bool { broken.load(ordering: .relaxed) }

  /// Whether the program has closed its end.
  var hasLeft: Bool {
    var request = pollfd(fd: descriptor, events: 0, revents: 0)
    return poll(&request, 1, 0) > 0 && request.revents & Int16(POLLHUP) != 0
  }

  /// Ends the connection: what was sent before arrives, and nothing is sent afterwards.
  func end() {
    broken.store(true, ordering: .relaxed)
    _ = shutdown(descriptor, CInt(SHUT_RDWR))
  }

  /// Drops what the program has sent, up to descriptors; it can send nothing else.
  func dropRequests() {
    _ = shutdown(descriptor, CInt(SHUT_RD))
    _ = DescriptorCloser.dropBytes(of: descriptor)
  }

  /// Sends a record without waiting; false if the program has not read the records before, or has closed the connection.
  ///
  /// Any thread may call it.
  func send(_ record: MotionRecord) -> Bool {
    let (sent, code) = withUnsafeTemporaryAllocation(byteCount: MotionRecord.byteCount, alignment: 8) {
      bytes in
      guard let start = bytes.baseAddress else { return (-1, ENOMEM) }
      record.write(to: start)
      let sent = sendBytes(descriptor, start, size: MotionRecord.byteCount)
      return (sent, errno)
    }
    if sent == MotionRecord.byteCount { return true }
    // The main thread notices an end of both directions only. The kernel never sends a part of so few bytes; if it did, all records
    // after that would be wrong.
    if sent >= 0 || ![EAGAIN, ENOBUFS, ENOMEM, EINTR].contains(code) { end() }
    return false
  }
}
