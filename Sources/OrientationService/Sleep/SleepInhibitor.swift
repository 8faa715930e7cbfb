// SPDX-License-Identifier: Apache-2.0

// logind's inhibitor lock is a file descriptor, which logind sends. The connection on which the service serves accepts no descriptors,
// so logind is asked over another one. That has no name by which others could find it, and is closed after the answer.

import Systemd

/// Makes logind wait before the machine sleeps.
final class SleepInhibitor {
  /// How long logind may take to answer, in seconds.
  private static let patienceSeconds = 5.0

  private let connection: Connection
  private var inquiry: Inquiry?
  /// Delays sleep while it is open, for at most `InhibitDelayMaxSec=` of logind.conf (5 s).
  private var lock: OwnedFileDescriptor?

  /// Holds nothing yet.
  ///
  /// - Parameter connection: the loop, and the address of logind's bus.
  init(on connection: Connection) {
    self.connection = connection
  }

  /// Asks logind for the lock, unless a question waits already.
  ///
  /// Without the lock the sensor is closed all the same, perhaps a moment too late.
  func take() {
    guard inquiry == nil else { return }
    do throws(BusError) {
      let bus = try Bus.open(connection.address, descriptors: .accepted)
      try bus.attach(to: connection.loop)
      let call = try bus.inhibitCall()
      let question = try bus.callAsync(call, timeoutSeconds: Self.patienceSeconds) {
        [unowned(unsafe) self] reply in answered(reply)
      }
      inquiry = Inquiry(bus, question)
    } catch {}  // the bus accepts no more connections
  }

  /// Lets the machine sleep.
  func release() {
    lock = nil
    inquiry = nil
  }

  private func answered(_ reply: borrowing Message) {
    if connection.logind.hasSent(reply), !reply.isMethodError { lock = try? reply.readFileDescriptor() }
    // The connection must not be closed by one of its own handlers.
    let answered = inquiry
    inquiry = nil
    connection.loop.post { _ = answered }
  }
}

/// A question to logind, and the connection that it is asked over.
private final class Inquiry {
  // In this order, in which they are destroyed.
  private let question: Slot
  private let bus: Bus

  init(_ bus: consuming Bus, _ question: consuming Slot) {
    self.question = question
    self.bus = bus
  }
}

extension Bus {
  /// The call that has logind delay sleep (org.freedesktop.login1(5), Inhibit).
  fileprivate borrowing func inhibitCall() throws(BusError) -> Message {
    let call = try methodCall(
      destination: Logind.service, path: "/org/freedesktop/login1",
      interface: "org.freedesktop.login1.Manager", member: "Inhibit")
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
