// SPDX-License-Identifier: Apache-2.0

// What keeps the machine awake is a file descriptor, which logind sends. The connection that the service serves on takes none from
// anybody, so logind is asked over another one, which has no name that others could find, and lasts for this question.

import Systemd

/// Has logind wait before it lets the machine sleep.
final class SleepInhibitor {
  /// How long logind may take to answer, in seconds.
  private static let patienceSeconds = 5.0

  private let connection: Connection
  private let logind: NameOwner
  private var inquiry: Inquiry?
  /// Keeps the machine awake while it is held, for at most `InhibitDelayMaxSec=` of logind.conf (5 s).
  private var lock: OwnedFileDescriptor?

  /// Holds nothing yet.
  ///
  /// - Parameters:
  ///   - connection: the loop, and which bus logind is on.
  ///   - logind: who logind is.
  init(on connection: Connection, logind: NameOwner) {
    self.connection = connection
    self.logind = logind
  }

  /// Asks logind, unless it is being asked.
  ///
  /// Without its answer the sensor is released all the same, perhaps a moment too late.
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
    } catch {}  // a bus without room for one more connection
  }

  /// Lets the machine sleep.
  func release() {
    lock = nil
    inquiry = nil
  }

  private func answered(_ reply: borrowing Message) {
    if logind.hasSent(reply), !reply.isMethodError { lock = try? reply.readFileDescriptor() }
    // Its connection is not to be closed from within one of its handlers.
    let answered = inquiry
    inquiry = nil
    connection.loop.post { _ = answered }
  }
}

/// A question to logind, and the connection that it is asked over.
private final class Inquiry {
  // In this order, in which they end.
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
      destination: "org.freedesktop.login1", path: "/org/freedesktop/login1",
      interface: "org.freedesktop.login1.Manager", member: "Inhibit")
    // On machines without logind nobody is to be started for this.
    try call.forbidAutoStart()
    for argument in [
      "sleep", "orientationd", "The accelerometer is released before the machine sleeps.", "delay",
    ] {
      try call.append(argument)
    }
    return call
  }
}
