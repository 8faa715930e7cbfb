// SPDX-License-Identifier: Apache-2.0

import Systemd

/// Hears when the machine goes to sleep and wakes up: from logind, and where that says nothing, from the clocks.
final class MachineSleep {
  /// What the machine does.
  enum Phase: Equatable, Sendable {
    /// It is going to sleep, or sleeps.
    case asleep
    /// It is awake.
    case awake
  }

  private let whenChanged: (Phase) -> Void
  private let isReleased: () -> Bool
  private var phase = Phase.awake
  private var manager: SleepManager?
  private var clock: SuspendClock?

  /// Starts to listen.
  ///
  /// - Parameters:
  ///   - connection: the bus that logind is on, and the loop of this thread.
  ///   - isReleased: whether all sensors are let go of, so that the machine can sleep; to be followed by ``released()`` where
  ///     they were not.
  ///   - whenChanged: called before the machine sleeps, with ``Phase/asleep``, for the sensors to be let go of; and after it
  ///     has slept, with ``Phase/awake``, also where nobody told before.
  /// - Throws: ``ServiceError``
  init(
    _ connection: Connection, isReleased: @escaping () -> Bool, whenChanged: @escaping (Phase) -> Void
  ) throws(ServiceError) {
    self.isReleased = isReleased
    self.whenChanged = whenChanged
    clock = try ServiceError.wrapping(ServiceError.loop) { () throws(SystemdError) in
      try SuspendClock(loop: connection.loop) { [unowned(unsafe) self] in hasSlept() }
    }
    manager = try ServiceError.wrapping(ServiceError.bus) { () throws(BusError) in
      try SleepManager(connection) { [unowned(unsafe) self] phase in change(to: phase) }
    }
  }

  /// Lets the machine sleep if this was the last sensor to be let go of.
  func released() {
    if phase == .asleep, isReleased() { manager?.allow() }
  }

  private func change(to phase: Phase) {
    guard phase != self.phase else { return }
    self.phase = phase
    // What logind tells needs not be told again by the clocks.
    clock?.takeNote()
    whenChanged(phase)
    released()
  }

  private func hasSlept() {
    // Between logind's two words, its second one is still to come.
    guard phase == .awake else { return }
    whenChanged(.awake)
  }
}
