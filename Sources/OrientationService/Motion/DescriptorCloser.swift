// SPDX-License-Identifier: Apache-2.0

// A program can send descriptors with its packets. The daemon does not take them, but before Linux 6.16 it cannot refuse them either: the
// kernel closes such files when the packet is received or dropped, in the thread that does so, and the program decides how long that takes
// (a TCP socket with SO_LINGER waits for its other end). So a packet with descriptors is never received, and connections that contain one
// are closed by a thread of their own. There is none as long as no program tries this.

import CLinux
import IIO

/// Closes connections without waiting.
final class DescriptorCloser: @unchecked Sendable {
  // Unchecked, because the lock protects what changes.

  static let shared = DescriptorCloser()

  /// More packets than the kernel's queue of a connection holds.
  private static let mostPackets = 4096

  private let lock = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private var waiting: [(descriptor: CInt, closing: MotionConnection.Closing)] = []
  private var isRunning = false

  private init() { pthread_mutex_init(lock, nil) }

  /// Closes a connection, perhaps later.
  ///
  /// - Parameters:
  ///   - descriptor: the connection.
  ///   - closing: records when it is closed.
  func dispose(of descriptor: CInt, then closing: MotionConnection.Closing) {
    // Nothing can be sent afterwards, so nothing comes between the look into the queue and the end.
    _ = shutdown(descriptor, CInt(SHUT_RDWR))
    guard !Self.dropPackets(of: descriptor) else {
      _ = close(descriptor)
      return closing.finish()
    }
    pthread_mutex_lock(lock)
    waiting.append((descriptor, closing))
    let mustStart = !isRunning
    isRunning = true
    pthread_mutex_unlock(lock)
    guard mustStart else { return }
    do throws(SourceError) {
      try detachThread { [self] in run() }
    } catch {
      // The next one tries it again.
      pthread_mutex_lock(lock)
      isRunning = false
      pthread_mutex_unlock(lock)
    }
  }

  /// Drops the packets of a connection up to one with descriptors; returns whether there was none.
  static func dropPackets(of descriptor: CInt) -> Bool {
    for _ in 0..<mostPackets {
      switch nextPacket(descriptor) {
      case 0:
        var byte: UInt8 = 0
        _ = receivePacket(descriptor, &byte, size: 1)
      case 1: return false
      default: return true
      }
    }
    return false
  }

  private func run() {
    nameThread("motion-closer")
    while let next = next() {
      _ = close(next.descriptor)
      next.closing.finish()
    }
  }

  private func next() -> (descriptor: CInt, closing: MotionConnection.Closing)? {
    pthread_mutex_lock(lock)
    defer { pthread_mutex_unlock(lock) }
    isRunning = !waiting.isEmpty
    return waiting.popLast()
  }
}
