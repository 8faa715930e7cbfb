// SPDX-License-Identifier: Apache-2.0

// Who has claimed a kind of sensor: one claim a client, dropped when it leaves, bounded as Clients bounds its own.
//
// Programs read the sensor right after their claim is answered, as iio-sensor-proxy answers with the first reading (and never
// does with a sensor that delivers nothing). So an answer may wait for that here too, but only for half a second: some programs
// show nothing new until it comes.

import SensorSetup
import Systemd

/// The clients that have claimed one kind of sensor.
final class SensorClaims {
  /// How long an answer waits for the first reading, in seconds: healthy sensors have one after 0.1 to 0.3 s.
  static let patienceSeconds = 0.5

  private let whenChanged: (ClientChange) -> Void
  private let mustWait: () -> Bool
  private let notify: (_ client: String, _ hasWaited: Bool) -> Void
  private var clients: Clients?
  private let pending: PendingCalls

  /// Creates the list for the clients of a bus.
  ///
  /// - Parameters:
  ///   - connection: what their calls come over; it must outlive the list.
  ///   - callers: who calls. They refer to this without owning it, which is safe because they call it only while the event loop runs.
  ///   - limits: how many there may be.
  ///   - whenChanged: called after each change, before the client is answered.
  ///   - mustWait: whether the answer of a claim has to wait for the first reading.
  ///   - notify: sends a client the sensor's reading; called right before its claim is answered.
  init(
    on connection: Connection, of callers: Callers, limits: ClientLimits,
    whenChanged: @escaping (ClientChange) -> Void,
    mustWait: @escaping () -> Bool, notify: @escaping (_ client: String, _ hasWaited: Bool) -> Void
  ) {
    // A claim is also answered if no reading came.
    pending = PendingCalls(on: connection, patienceSeconds: Self.patienceSeconds) { Self.send($0) }
    self.whenChanged = whenChanged
    self.mustWait = mustWait
    self.notify = notify
    clients = Clients(
      of: callers, limits: limits, counting: .once,
      answer: { [unowned(unsafe) self] call, caller throws(BusError) in try answer(call, caller) },
      whenChanged: { [unowned(unsafe) self] in changed($0) })
  }

  /// Sets the limit; present claims stay.
  func limit(to limits: ClientLimits) { clients?.limits = limits }

  /// Whether no client has claimed it.
  var isEmpty: Bool { clients?.isEmpty ?? true }

  /// Whether a client has claimed it.
  func holds(_ client: String) -> Bool { clients?.isSubscribed(client) ?? false }

  /// The clients that have claimed it and were answered.
  var answered: [String] {
    clients?.names.filter { pending.count(of: $0) == 0 } ?? []
  }

  /// Takes a claim, and answers it now or later.
  func claim(_ call: consuming Message, by caller: Caller) throws(BusError) {
    try clients?.begin(call, by: caller)
  }

  /// Drops a claim, and answers; without one there is nothing to drop.
  func release(_ call: consuming Message, by caller: Caller) throws(BusError) {
    try clients?.end(call, by: caller)
  }

  /// Answers those that waited for the first reading, after sending it to them.
  func answerPending() {
    for answer in pending.takeAll() {
      notify(answer.caller.client, true)
      Self.send(answer)
    }
  }

  private func changed(_ change: ClientChange) {
    switch change {
    case .began: break
    case .ended(let client):
      for answer in pending.take(of: client) { Self.send(answer) }
    case .left(let client): pending.take(of: client)
    }
    whenChanged(change)
  }

  private func answer(_ call: consuming Message, _ caller: Caller) throws(BusError) {
    guard mustWait(), pending.count(of: caller.client) == 0 else {
      notify(caller.client, false)
      return try call.reply().send()
    }
    try pending.add(call, of: caller)
  }

  private static func send(_ answer: PendingCall) {
    // A caller that has gone meanwhile needs no answer, which is all that can go wrong here.
    do throws(BusError) { try answer.call.reply().send() } catch {}
  }
}
