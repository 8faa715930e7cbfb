// SPDX-License-Identifier: Apache-2.0

// A program can send descriptors with its packets. The daemon does not take them, but before Linux 6.16 it cannot refuse them either: the
// kernel closes such files when the packet is received or dropped, in the thread that does so, and the program decides how long that takes
// (a TCP socket with SO_LINGER waits for its other end). So a packet with descriptors is never received, and connections that contain one
// are closed by a thread of their own. A timer sends it a signal each millisecond, which ends such a wait. There is no such thread as long as
// no program tries this.
//
// Not every wait ends at a signal (a file of a FUSE file system may wait for its server). So the connections that are to be closed are
// kept, in any number that the service has descriptors for: nobody waits for this thread.

import CLinux
import IIO

/// Closes connections without waiting.
final class DescriptorCloser: @unchecked Sendable {
  // Unchecked, because the lock protects what changes.

  static let shared = DescriptorCloser()

  /// More packets than the kernel's queue of a connection holds.
  private static let mostPackets = 4096

  /// How often a signal interrupts the thread, in nanoseconds.
  private static let signalPeriod = 1_000_000

  private let lock = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private var waiting: [CInt] = []
  private var isRunning = false

  private init() { pthread_mutex_init(lock, nil) }

  /// How many connections are to be closed.
  var count: Int {
    pthread_mutex_lock(lock)
    defer { pthread_mutex_unlock(lock) }
    return waiting.count
  }

  /// Closes a connection, perhaps later.
  func dispose(of descriptor: CInt) {
    // Nothing can be sent afterwards, so nothing comes between the look into the queue and the end.
    _ = shutdown(descriptor, CInt(SHUT_RDWR))
    guard !Self.dropPackets(of: descriptor) else {
      _ = close(descriptor)
      return
    }
    pthread_mutex_lock(lock)
    waiting.append(descriptor)
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
    var timer: timer_t?
    // If it fails, a program decides how long this thread waits, as with the waits that no signal ends.
    let isInterrupted = interruptWaits(everyNanoseconds: Self.signalPeriod, timer: &timer) == 0
    while let next = next() { _ = close(next) }
    if isInterrupted { timer_delete(timer) }
  }

  private func next() -> CInt? {
    pthread_mutex_lock(lock)
    defer { pthread_mutex_unlock(lock) }
    guard let next = waiting.popLast() else {
      // It may have had room for very many.
      waiting = []
      isRunning = false
      return nil
    }
    return next
  }
}
