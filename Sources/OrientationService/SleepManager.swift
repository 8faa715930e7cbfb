// SPDX-License-Identifier: Apache-2.0

import Systemd

/// logind as far as sleep goes: it tells before the machine sleeps, waits until we are ready, and tells afterwards.
///
/// Everything is asked asynchronously: a logind that hangs or is not there delays nothing here.
final class SleepManager {
  private static let service = "org.freedesktop.login1"
  private static let path = "/org/freedesktop/login1"
  private static let interface = "org.freedesktop.login1.Manager"

  private let connection: Connection
  private let whenChanged: (MachineSleep.Phase) -> Void
  /// Keeps the machine awake while it is held, for at most `InhibitDelayMaxSec=` of logind.conf (5 s).
  private var inhibitor: OwnedFileDescriptor?
  private var question: Slot?
  private var sleep: Slot?
  private var owner: Slot?

  /// Listens to logind.
  ///
  /// - Parameters:
  ///   - connection: the bus that logind is on.
  ///   - whenChanged: called when the machine is about to sleep, and when it is awake again.
  /// - Throws: `BusError` where the connection is gone.
  init(_ connection: Connection, whenChanged: @escaping (MachineSleep.Phase) -> Void) throws(BusError) {
    self.connection = connection
    self.whenChanged = whenChanged
    sleep = try connection.bus.match(
      "type='signal',sender='\(Self.service)',path='\(Self.path)',interface='\(Self.interface)',"
        + "member='PrepareForSleep'"
    ) { [unowned(unsafe) self] signal in prepareForSleep(signal) }
    owner = try connection.bus.match(
      "type='signal',sender='org.freedesktop.DBus',interface='org.freedesktop.DBus',member='NameOwnerChanged',"
        + "arg0='\(Self.service)'"
    ) { [unowned(unsafe) self] signal in ownerChanged(signal) }
    inhibit()
  }

  /// Lets the machine sleep.
  func allow() {
    inhibitor = nil
  }

  private func prepareForSleep(_ signal: borrowing Message) {
    do throws(BusError) {
      if try signal.readBool() {
        whenChanged(.asleep)
      } else {
        awake()
      }
    } catch {}  // a signal of another shape is not the one we know
  }

  /// A logind that went away takes what it said with it; a new one is asked anew.
  private func ownerChanged(_ signal: borrowing Message) {
    do throws(BusError) {
      _ = try signal.readString()
      _ = try signal.readString()
      let isThere = try !signal.readString().isEmpty
      inhibitor = nil
      if isThere { awake() } else { whenChanged(.awake) }
    } catch {}  // the bus itself says only what it should
  }

  private func awake() {
    whenChanged(.awake)
    inhibit()
  }

  /// Has logind wait for ``allow()`` before it lets the machine sleep.
  private func inhibit() {
    do throws(BusError) {
      let call = try connection.bus.methodCall(
        destination: Self.service, path: Self.path, interface: Self.interface, member: "Inhibit")
      // On machines without logind nobody is to be started for this.
      try call.forbidAutoStart()
      for argument in [
        "sleep", "orientationd", "The accelerometer is released before the machine sleeps.", "delay",
      ] {
        try call.append(argument)
      }
      question = try connection.bus.callAsync(call) { [unowned(unsafe) self] reply in
        guard !reply.isMethodError else { return }
        do throws(BusError) {
          inhibitor = try reply.readFileDescriptor()
        } catch {}  // without it the sensor is released all the same, perhaps a moment too late
      }
    } catch {}  // the bus is gone, and the service with it
  }
}
