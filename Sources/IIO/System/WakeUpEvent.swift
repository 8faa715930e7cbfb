// SPDX-License-Identifier: Apache-2.0

// This folder: what the sensors' code needs of Linux that is not about sensors. Waits that another thread can end
// (WakeUpEvent), times (Ticker, RetryBackoff), files and the numbers in them (FileReading, DecimalText), and errors
// (SourceError).

import CLinux
public import Orientation

/// An eventfd by which another thread ends the sampler's wait.
///
/// It stays signalled until it is drained, so a signal given just before a wait is not lost.
public struct WakeUpEvent: ~Copyable, Sendable {
  /// The descriptor, readable while signalled; for poll(2) beside a device's own.
  public let fileDescriptor: CInt

  /// Expires when a wait for this event is not followed by the next one in time; nil where nobody wants to know.
  private let returnTimer: HangTimer?

  /// Becomes readable when the thread that waits for this event hangs in a driver; negative where that is not watched.
  ///
  /// That is when it has been away from its waits for ``hangLimit``, or up to twice as long. It stands beside the timer, which is the waiting thread's
  /// own: to look into it for a descriptor is to read what that thread may be writing.
  public let hangDescriptor: CInt

  /// Becomes readable when such a thread is back, and now and then without such a reason.
  public let returnDescriptor: CInt

  /// Creates an event that is not signalled.
  ///
  /// - Parameter isWatched: whether the waits for it are watched: ``hangDescriptor``.
  /// - Throws: ``SourceError/system(operation:code:)`` when the process is out of descriptors.
  public init(isWatched: Bool = false) throws(SourceError) {
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
  /// May be called from any thread.
  public func signal() {
    // The only failure of a write to an eventfd is a full counter, which is a signal given already.
    _ = eventfd_write(fileDescriptor, 1)
  }

  /// Takes the signal back.
  public func drain() {
    var count: eventfd_t = 0
    _ = eventfd_read(fileDescriptor, &count)
  }

  /// How long a thread may be away from its waits, in seconds.
  public static var hangLimit: Double { HangTimer.patience }

  private func expectReturn(after seconds: Double?) {
    switch returnTimer {
    case .some(let timer): timer.expectReturn(after: seconds)
    case .none: return
    }
  }

  /// What ended a wait.
  public enum WaitResult {
    /// The event was signalled.
    case signalled
    /// The descriptor waited for is readable, or has failed: read it to learn which.
    case ready
    /// The deadline has passed.
    case deadline
  }

  /// Waits until the event is signalled or `deadline` has come.
  public func wait(until deadline: BootTime) -> WaitResult {
    wait(for: -1, until: deadline)
  }

  /// The longest wait by ``wait(for:seconds:)``, in seconds, which poll(2) has in milliseconds of 31 bits.
  private static var longestWait: Double { 60 }

  /// Waits as ``wait(for:until:)``, for some seconds; the clock need not be read for that.
  ///
  /// - Parameters:
  ///   - descriptor: the descriptor of a device; poll(2) ignores a negative one.
  ///   - seconds: how long to wait; a minute at most.
  /// - Returns: what ended the wait; the event goes before the descriptor.
  func wait(for descriptor: CInt = -1, seconds: Double) -> WaitResult {
    let seconds = min(seconds, Self.longestWait)
    expectReturn(after: seconds)
    var descriptors = (
      pollfd(fd: fileDescriptor, events: Int16(POLLIN), revents: 0),
      pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    )
    _ = withUnsafeMutableBytes(of: &descriptors) { bytes in
      poll(bytes.assumingMemoryBound(to: pollfd.self).baseAddress, 2, CInt(seconds * 1000))
    }
    if descriptors.0.revents != 0 { return .signalled }
    return descriptors.1.revents != 0 ? .ready : .deadline
  }

  /// Waits until the event is signalled, `descriptor` is readable or `deadline` has come; nil waits for ever.
  ///
  /// - Parameters:
  ///   - descriptor: the descriptor of a device; poll(2) ignores a negative one.
  ///   - deadline: the instant on CLOCK_BOOTTIME at which to give up.
  /// - Returns: what ended the wait; the event goes before the descriptor.
  public func wait(for descriptor: CInt, until deadline: BootTime?) -> WaitResult {
    let seconds = deadline.map { max($0.seconds(since: .now), 0) }
    expectReturn(after: seconds)
    // A thread that comes back early from a long wait is waited for from then on.
    defer { if seconds.map({ $0 > HangTimer.patience }) ?? true { expectReturn(after: 0) } }
    while true {
      var descriptors = (
        pollfd(fd: fileDescriptor, events: Int16(POLLIN), revents: 0),
        pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      )
      let count = withUnsafeMutableBytes(of: &descriptors) { bytes in
        let list = bytes.assumingMemoryBound(to: pollfd.self).baseAddress
        guard let deadline else { return poll(list, 2, -1) }
        var timeout = deadline.timeLeft
        return ppoll(list, 2, &timeout, nil)
      }
      if descriptors.0.revents != 0 { return .signalled }
      if descriptors.1.revents != 0 { return .ready }
      if count == 0 { return .deadline }
    }
  }
}

extension BootTime {
  /// The present instant.
  public static var now: BootTime {
    var now = timespec()
    clock_gettime(CLOCK_BOOTTIME, &now)
    return BootTime(nanoseconds: Int64(now.tv_sec) * 1_000_000_000 + Int64(now.tv_nsec))
  }

  /// The time from now to this instant, not less than nothing.
  var timeLeft: timespec {
    let left = max(nanoseconds - BootTime.now.nanoseconds, 0)
    return timespec(tv_sec: Int(left / 1_000_000_000), tv_nsec: Int(left % 1_000_000_000))
  }
}
