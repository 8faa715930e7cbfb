// SPDX-License-Identifier: Apache-2.0

import CLinux
import CSystemd

/// A timer of an `EventLoop` that fires once each time it is armed, until this is destroyed.
public struct Timer: ~Copyable {
  private let source: EventSource

  /// The clocks that a timer can follow.
  ///
  /// Neither jumps when the wall clock is set.
  package enum Clock: Equatable, Sendable {
    /// CLOCK_MONOTONIC: stands still while the machine is suspended.
    case monotonic
    /// CLOCK_BOOTTIME: counts suspended time.
    case bootTime
  }

  fileprivate init(_ source: consuming EventSource) { self.source = source }

  /// Lets the timer fire once, at this time instead of any earlier setting.
  ///
  /// - Parameter seconds: From now.
  package func arm(afterSeconds seconds: Double) {
    // As with cancel(): these fail only if the loop has ended, and then no timer fires anyway.
    _ = sd_event_source_set_time_relative(source.handle, microseconds(seconds))
    _ = sd_event_source_set_enabled(source.handle, CInt(SD_EVENT_ONESHOT))
  }

  /// Keeps the timer from firing until it is armed again.
  package func cancel() {
    // It fails only if the loop has ended, and then no timer fires anyway.
    _ = sd_event_source_set_enabled(source.handle, CInt(SD_EVENT_OFF))
  }

  /// Whether the timer is going to fire.
  package var isArmed: Bool { sd_event_source_get_enabled(source.handle, nil) > 0 }
}

extension EventLoop {
  /// Makes a timer that is not armed yet.
  ///
  /// - Parameters:
  ///   - clock: What the timer follows.
  ///   - accuracySeconds: How much later it may fire, so that wake-ups can be shared; 0 is libsystemd's
  ///     default, 0.25 s.
  ///   - handler: Called each time it fires. It may arm the timer again.
  /// - Returns: The timer, which owns the handler.
  /// - Throws: `SystemdError`, when there are no descriptors left.
  package func timer(
    clock: Timer.Clock = .monotonic, accuracySeconds: Double = 0.01, _ handler: @escaping () -> Void
  ) throws(SystemdError) -> Timer {
    let clockID = clock == .monotonic ? CLOCK_MONOTONIC : CLOCK_BOOTTIME
    let source = try EventSource("sd_event_add_time", handler: handler) {
      sd_event_add_time(
        self.handle, &$0, clockID, UInt64.max, microseconds(accuracySeconds),
        { _, _, userdata in
          callback(EventHandler.self, userdata) { $0.body() }
          return 0
        }, $1)
    }
    let timer = Timer(source)
    timer.cancel()
    return timer
  }

  /// Makes a timer that fires once, and again whenever it is armed again.
  ///
  /// - Parameters:
  ///   - seconds: From now.
  ///   - clock: What the timer follows.
  ///   - accuracySeconds: How much later it may fire; 0 is libsystemd's default, 0.25 s.
  ///   - handler: Called each time it fires.
  /// - Returns: The timer, which owns the handler.
  /// - Throws: `SystemdError`, when there are no descriptors left.
  package func after(
    seconds: Double, clock: Timer.Clock = .monotonic, accuracySeconds: Double = 0.01,
    _ handler: @escaping () -> Void
  ) throws(SystemdError) -> Timer {
    let timer = try timer(clock: clock, accuracySeconds: accuracySeconds, handler)
    timer.arm(afterSeconds: seconds)
    return timer
  }
}

/// Converts seconds to the microseconds that libsystemd counts in.
///
/// - Parameter seconds: A span of time. Negative values and NaN count as 0; a value too large for UInt64 counts as "never".
/// - Returns: The span in microseconds; UInt64.max is libsystemd's "never".
func microseconds(_ seconds: Double) -> UInt64 {
  let exact = seconds * 1_000_000
  guard exact > 0 else { return 0 }
  return exact < 0x1p64 ? UInt64(exact + 0.5) : UInt64.max
}
