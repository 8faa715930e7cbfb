// SPDX-License-Identifier: Apache-2.0

import Systemd

/// logind as far as sleep goes: it tells before the machine sleeps, waits until we are ready, and tells afterwards.
///
/// Everything is asked asynchronously: a logind that hangs or is not there delays nothing here.
final class SleepManager {
  private static let service = "org.freedesktop.login1"
  private static let path = "/org/freedesktop/login1"
  private static let interface = "org.freedesktop.login1.Manager"

  private let whenChanged: (MachineSleep.Phase) -> Void
  private var owner: NameOwner?
  private var inhibitor: SleepInhibitor?
  private var sleep: Slot?

  /// Listens to logind.
  ///
  /// - Parameters:
  ///   - connection: the bus that logind is on.
  ///   - whenChanged: called when the machine is about to sleep, and when it is awake again.
  /// - Throws: `BusError` where the connection is gone.
  init(_ connection: Connection, whenChanged: @escaping (MachineSleep.Phase) -> Void) throws(BusError) {
    self.whenChanged = whenChanged
    sleep = try connection.bus.match(
      "type='signal',sender='\(Self.service)',path='\(Self.path)',interface='\(Self.interface)',"
        + "member='PrepareForSleep'"
    ) { [unowned(unsafe) self] signal in prepareForSleep(signal) }
    let owner = try NameOwner(of: Self.service, on: connection.bus) { [unowned(unsafe) self] in ownerChanged()
    }
    self.owner = owner
    inhibitor = SleepInhibitor(on: connection, logind: owner)
    inhibit()
  }

  /// Lets the machine sleep.
  func allow() { inhibitor?.release() }

  private func prepareForSleep(_ signal: borrowing Message) {
    guard owner?.hasSent(signal) == true else { return }
    do throws(BusError) {
      if try signal.readBool() {
        whenChanged(.asleep)
      } else {
        awake()
      }
    } catch {}  // a signal of another shape is not the one we know
  }

  /// A logind that went away takes what it said with it; a new one is asked anew.
  private func ownerChanged() {
    inhibitor?.release()
    awake()
  }

  private func awake() {
    whenChanged(.awake)
    inhibit()
  }

  /// Has logind, where there is one, wait for ``allow()`` before it lets the machine sleep.
  private func inhibit() {
    if owner?.uniqueName != nil { inhibitor?.take() }
  }
}
