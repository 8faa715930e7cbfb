// SPDX-License-Identifier: Apache-2.0

import Systemd

/// What has a sensor open, which must be closed before the machine sleeps.
protocol SleepObserver: AnyObject {
  /// Whether no sensor is open, nor about to be.
  ///
  /// An observer that had one open calls ``MachineSleep/released()`` afterwards.
  var isReleased: Bool { get }

  /// The machine goes to sleep, and sensors are to be closed; or it is awake, and they are to be opened anew.
  ///
  /// ``MachineSleep/Phase/awake`` comes without an ``MachineSleep/Phase/asleep`` before it if logind did not announce the sleep.
  func machine(is phase: MachineSleep.Phase)
}

/// Notifies when the machine goes to sleep and wakes up: by logind, and without it by the clocks.
final class MachineSleep {
  /// The state of the machine.
  enum Phase: Equatable, Sendable {
    /// It is about to sleep, or sleeps.
    case asleep
    /// It is awake.
    case awake
  }

  /// An observer that its owner keeps as long as this.
  private struct Reference {
    unowned(unsafe) let observer: any SleepObserver
  }

  private var observers: [Reference] = []
  private var phase = Phase.awake
  private var manager: SleepManager?
  private var clock: SuspendClock?
  /// Until when logind's second signal must have come.
  private var overdue: Timer?
  /// How long that may take after the machine has slept, in seconds: what runs at the end of a sleep comes before it.
  private static let patienceSeconds = 10.0
  /// How long it may take while the machine has not slept, in seconds: logind and others delay a sleep, which may then not come about.
  private static let longestDelaySeconds = 60.0

  /// Starts to watch.
  ///
  /// - Parameter connection: the bus that logind is on, and the loop of this thread.
  /// - Throws: ``ServiceError``
  init(_ connection: Connection) throws(ServiceError) {
    clock = try ServiceError.wrapping(ServiceError.loop) { () throws(SystemdError) in
      overdue = try connection.loop.timer { [unowned(unsafe) self] in manager?.awake() }
      return try SuspendClock(loop: connection.loop) { [unowned(unsafe) self] in hasSlept() }
    }
    manager = try ServiceError.wrapping(ServiceError.bus) { () throws(BusError) in
      try SleepManager(connection) { [unowned(unsafe) self] phase in change(to: phase) }
    }
  }

  /// Notifies an observer from here on.
  func add(_ observer: any SleepObserver) {
    observers.append(Reference(observer: observer))
  }

  /// Lets the machine sleep if all sensors are closed now.
  func released() {
    guard phase == .asleep, observers.allSatisfy({ $0.observer.isReleased }) else { return }
    manager?.allow()
  }

  private func change(to phase: Phase) {
    guard phase != self.phase else { return }
    self.phase = phase
    // Its clock stands still while the machine sleeps.
    if phase == .asleep { overdue?.arm(afterSeconds: Self.longestDelaySeconds) } else { overdue?.cancel() }
    // The clocks need not report again what logind has reported.
    clock?.takeNote()
    notify()
    released()
  }

  private func hasSlept() {
    // Between logind's two signals, the second one is still to come. A bus whose queue for this process is full has dropped it.
    if phase == .awake { notify() } else { overdue?.arm(afterSeconds: Self.patienceSeconds) }
  }

  private func notify() {
    for reference in observers { reference.observer.machine(is: phase) }
  }
}
