// SPDX-License-Identifier: Apache-2.0

import Systemd

/// logind's part in sleep: it signals before the machine sleeps, waits until we are ready, and signals afterwards.
///
/// All calls are asynchronous: a logind that hangs or is absent delays nothing here.
final class SleepManager {
  private static let path = "/org/freedesktop/login1"
  private static let interface = "org.freedesktop.login1.Manager"

  private let whenChanged: (MachineSleep.Phase) -> Void
  private let logind: NameOwner
  private let inhibitor: SleepInhibitor
  private var sleep: Slot?

  /// Listens to logind.
  ///
  /// - Parameters:
  ///   - connection: the bus that logind is on.
  ///   - whenChanged: called when the machine is about to sleep, and when it is awake again.
  /// - Throws: `BusError` if the connection is closed.
  init(_ connection: Connection, whenChanged: @escaping (MachineSleep.Phase) -> Void) throws(BusError) {
    self.whenChanged = whenChanged
    logind = connection.logind
    inhibitor = SleepInhibitor(on: connection)
    sleep = try connection.bus.match(
      "type='signal',sender='\(Logind.service)',path='\(Self.path)',interface='\(Self.interface)',"
        + "member='PrepareForSleep'"
    ) { [unowned(unsafe) self] signal in prepareForSleep(signal) }
    logind.whenChanged { [unowned(unsafe) self] in ownerChanged() }
    inhibit()
  }

  /// Lets the machine sleep.
  func allow() { inhibitor.release() }

  private func prepareForSleep(_ signal: borrowing Message) {
    guard logind.hasSent(signal) else { return }
    do throws(BusError) {
      if try signal.readBool() {
        whenChanged(.asleep)
      } else {
        awake()
      }
    } catch {}  // a signal with other arguments is ignored
  }

  /// When logind ends, its lock and its last signal are void.
  ///
  /// A new logind is asked again.
  private func ownerChanged() {
    inhibitor.release()
    awake()
  }

  private func awake() {
    whenChanged(.awake)
    inhibit()
  }

  /// Makes logind, if it runs, wait for ``allow()`` before the machine sleeps.
  private func inhibit() {
    if logind.uniqueName != nil { inhibitor.take() }
  }
}
