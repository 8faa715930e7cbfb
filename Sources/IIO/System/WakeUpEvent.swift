// SPDX-License-Identifier: Apache-2.0

// This folder: what the code for sensors needs of Linux that does not concern sensors. Waits that another thread can end
// (WakeUpEvent), times (Ticker, RetryBackoff), files and the numbers in them (FileReading, DecimalText), and errors
// (SourceError).

import CLinux
package import Orientation

/// An eventfd with which another thread ends the sampler's wait.
///
/// It stays signalled until it is drained, so a signal right before a wait is not lost.
public struct WakeUpEvent: ~Copyable, Sendable {
  /// The descriptor, readable while signalled; for poll(2) beside a device's own.
  package let fileDescriptor: CInt

  /// Expires if a wait for this event is not followed by the next one in time; nil if waits are not watched.
  private let returnTimer: HangTimer?

  /// Becomes readable when the thread that waits for this event hangs in a driver; negative if that is not watched.
  ///
  /// This is when the thread has been away from its waits for ``hangLimit``, or up to twice as long. The descriptor is
  /// stored apart from the timer, which belongs to the waiting thread: reading the timer from another thread would be a
  /// data race.
  package let hangDescriptor: CInt

  /// Becomes readable when such a thread is back, and sometimes without such a reason.
  package let returnDescriptor: CInt

  /// Creates an event that is not signalled.
  ///
  /// - Parameter isWatched: whether the waits for it are watched: ``hangDescriptor``.
  /// - Throws: ``SourceError/system(operation:code:)`` if the process has no descriptors left.
  package init(isWatched: Bool = false) throws(SourceError) {
    var returnTimer: HangTimer?
    var (hang, back) = (CInt(-1), CInt(-1))
    if isWatched {
      let timer = try HangTimer()
      (hang, back) = (timer.descriptor, timer.returned)
      returnTimer = consume timer
    }
    let fileDescriptor = eventfd(0, CInt(EFD_CLOEXEC | EFD_NONBLOCK))
    guard fileDescriptor >= 0 else { throw .system(operation: "eventfd", code: errno) }
    self.fileDescriptor = fileDescriptor
    self.returnTimer = returnTimer
    (hangDescriptor, returnDescriptor) = (hang, back)
  }

  deinit { close(fileDescriptor) }

  /// Ends the current wait, or the next one.
  ///
  /// Any thread may call it.
  package func signal() {
    // A write to an eventfd fails only if the counter is full, and then the event is signalled already.
    _ = eventfd_write(fileDescriptor, 1)
  }

  /// Clears the signal.
  package func drain() {
    var count: eventfd_t = 0
    _ = eventfd_read(fileDescriptor, &count)
  }

  /// How long a thread may be away from its waits, in seconds.
  package static var hangLimit: Double { HangTimer.patience }

  /// Watches the waiting thread from in so many seconds on, or, with nil, not before its next wait.
  package func expectReturn(after seconds: Double?) {
    switch returnTimer {
    case .some(let timer): timer.expectReturn(after: seconds)
    case .none: return
    }
  }

  /// What ended a wait.
  package enum WaitResult {
    /// The event was signalled.
    case signalled
    /// The descriptor is readable, or has failed: a read shows which.
    case ready
    /// The deadline has passed.
    case deadline
  }

  /// Waits until the event is signalled or `deadline` has passed.
  package func wait(until deadline: BootTime) -> WaitResult {
    wait(for: -1, until: deadline)
  }

  /// The longest wait of ``wait(for:seconds:)``, in seconds; poll(2) has milliseconds of 31 bits.
  private static var longestWait: Double { 60 }

  /// Like ``wait(for:until:)``, but for some seconds, so the clock need not be read.
  ///
  /// - Parameters:
  ///   - descriptor: the descriptor of a device; poll(2) ignores a negative one.
  ///   - seconds: how long to wait; a minute at most.
  /// - Returns: what ended the wait; the event takes precedence over the descriptor.
  func wait(for descriptor: CInt = -1, seconds: Double) -> WaitResult {
    let seconds = min(seconds, Self.longestWait)
    expectReturn(after: seconds)
    return look(at: descriptor) { poll($0, 2, CInt(seconds * 1000)) } ?? .deadline
  }

  /// Waits until the event is signalled, `descriptor` is readable or `deadline` has passed; nil is an endless wait.
  ///
  /// - Parameters:
  ///   - descriptor: the descriptor of a device; poll(2) ignores a negative one.
  ///   - deadline: the instant on CLOCK_BOOTTIME at which the wait ends.
  /// - Returns: what ended the wait; the event takes precedence over the descriptor.
  package func wait(for descriptor: CInt, until deadline: BootTime?) -> WaitResult {
    let seconds = deadline.map { max($0.seconds(since: .now), 0) }
    expectReturn(after: seconds)
    // If a thread comes back early from a long wait, it is watched from then on.
    defer { if seconds.map({ $0 > HangTimer.patience }) ?? true { expectReturn(after: 0) } }
    while true {
      let result = look(at: descriptor) { list in
        guard let deadline else { return poll(list, 2, -1) }
        var timeout = deadline.timeLeft
        return ppoll(list, 2, &timeout, nil)
      }
      if let result { return result }
    }
  }

  /// Polls the event and another descriptor once; nil if a signal of the process has interrupted that.
  @inline(__always)
  private func look(at descriptor: CInt, by poll: (UnsafeMutablePointer<pollfd>?) -> CInt) -> WaitResult? {
    var descriptors = (
      pollfd(fd: fileDescriptor, events: Int16(POLLIN), revents: 0),
      pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    )
    let count = withUnsafeMutableBytes(of: &descriptors) { bytes in
      poll(bytes.assumingMemoryBound(to: pollfd.self).baseAddress)
    }
    if descriptors.0.revents != 0 { return .signalled }
    if descriptors.1.revents != 0 { return .ready }
    return count == 0 ? .deadline : nil
  }
}

extension BootTime {
  /// The present instant.
  package static var now: BootTime {
    var now = timespec()
    clock_gettime(CLOCK_BOOTTIME, &now)
    return BootTime(nanoseconds: Int64(now.tv_sec) * 1_000_000_000 + Int64(now.tv_nsec))
  }

  /// The time from now to this instant; not negative.
  var timeLeft: timespec {
    let left = max(nanoseconds - BootTime.now.nanoseconds, 0)
    return timespec(tv_sec: Int(left / 1_000_000_000), tv_nsec: Int(left % 1_000_000_000))
  }
}
