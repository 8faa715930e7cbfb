// SPDX-License-Identifier: Apache-2.0

// logind's inhibitor lock is a file descriptor, which logind sends. The connection on which the service serves accepts no descriptors,
// so logind is asked over another one. That has no name by which others could find it, and is closed after the answer.

import Systemd

/// logind's part in sleep: it signals before the machine sleeps, waits until we are ready, and signals afterwards.
///
/// All calls are asynchronous: a logind that hangs or is absent delays nothing here.
final class SleepManager {
  fileprivate static let path = "/org/freedesktop/login1"
  fileprivate static let interface = "org.freedesktop.login1.Manager"
  /// How long logind may take to answer, in seconds.
  private static let patienceSeconds = 5.0

  private let connection: Connection
  private let whenChanged: (MachineSleep.Phase) -> Void
  private var sleep: Slot?
  /// The question that waits, and the connection that it is asked over; in this order, in which they are destroyed.
  private var question: Slot?
  private var bus: Bus?
  /// Delays sleep while it is open, for at most `InhibitDelayMaxSec=` of logind.conf (5 s).
  private var lock: OwnedFileDescriptor?

  /// Listens to logind.
  ///
  /// - Parameters:
  ///   - connection: the loop, and the bus that logind is on.
  ///   - whenChanged: called when the machine is about to sleep, and when it is awake again.
  /// - Throws: `BusError` if the connection is closed.
  init(_ connection: Connection, whenChanged: @escaping (MachineSleep.Phase) -> Void) throws(BusError) {
    self.whenChanged = whenChanged
    self.connection = connection
    sleep = try connection.bus.match(
      "type='signal',sender='\(Logind.service)',path='\(Self.path)',interface='\(Self.interface)',"
        + "member='PrepareForSleep'"
    ) { [unowned(unsafe) self] signal in prepareForSleep(signal) }
    connection.logind.whenChanged { [unowned(unsafe) self] in ownerChanged() }
    inhibit()
  }

  /// Lets the machine sleep.
  func allow() {
    lock = nil
    question = nil
    bus = nil
  }

  private func prepareForSleep(_ signal: borrowing Message) {
    guard connection.logind.hasSent(signal) else { return }
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
    allow()
    awake()
  }

  /// Takes in that the machine is awake, whether logind has said so or the clocks show it, and asks logind again to wait.
  func awake() {
    whenChanged(.awake)
    inhibit()
  }

  /// Asks logind, if it runs, to wait for ``allow()`` before the machine sleeps, unless a question waits already.
  ///
  /// Without the lock the sensor is closed all the same, perhaps a moment too late.
  private func inhibit() {
    guard connection.logind.uniqueName != nil, question == nil else { return }
    do throws(BusError) {
      let bus = try Bus.open(connection.address, descriptors: .accepted)
      try bus.attach(to: connection.loop)
      let call = try bus.inhibitCall()
      question = try bus.callAsync(call, timeoutSeconds: Self.patienceSeconds) {
        [unowned(unsafe) self] reply in answered(reply)
      }
      self.bus = bus
    } catch {}  // the bus accepts no more connections
  }

  private func answered(_ reply: borrowing Message) {
    if connection.logind.hasSent(reply), !reply.isMethodError { lock = try? reply.readFileDescriptor() }
    // The connection must not be closed by one of its own handlers.
    question = nil
    let answered = bus
    bus = nil
    connection.loop.post { _ = answered }
  }
}

extension Bus {
  /// The call that has logind delay sleep (org.freedesktop.login1(5), Inhibit).
  fileprivate func inhibitCall() throws(BusError) -> Message {
    let call = try methodCall(
      destination: Logind.service, path: SleepManager.path, interface: SleepManager.interface,
      member: "Inhibit")
    // On machines without logind, no service is to be started for this.
    try call.forbidAutoStart()
    for argument in [
      "sleep", "orientationd", "The accelerometer is released before the machine sleeps.", "delay",
    ] {
      try call.append(argument)
    }
    return call
  }
}
