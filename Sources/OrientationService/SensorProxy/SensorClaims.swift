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
  private let isAllowed: (_ client: String) -> Bool
  private let notify: (_ client: String, _ hasMissed: Bool) -> Void
  private var clients: Clients?
  private let pending: PendingCalls
  /// Clients that are allowed again, and have not been sent what they have missed yet.
  private var returning: [String] = []

  /// Creates the list for the clients of a bus.
  ///
  /// - Parameters:
  ///   - connection: what their calls come over; it must outlive the list.
  ///   - callers: who calls. They refer to this without owning it, which is safe because they call it only while the event loop runs.
  ///   - limits: how many there may be.
  ///   - whenChanged: called after each change, before the client is answered.
  ///   - mustWait: whether the answer of a claim has to wait for the first reading.
  ///   - isAllowed: whether a client that has claimed is still allowed to; otherwise its claim has no effect.
  ///   - notify: sends a client the sensor's reading; called right before its claim is answered.
  init(
    on connection: Connection, of callers: Callers, limits: ClientLimits,
    whenChanged: @escaping (ClientChange) -> Void,
    mustWait: @escaping () -> Bool, isAllowed: @escaping (_ client: String) -> Bool,
    notify: @escaping (_ client: String, _ hasMissed: Bool) -> Void
  ) {
    // A claim is also answered if no reading came.
    pending = PendingCalls(on: connection, patienceSeconds: Self.patienceSeconds) { Self.send($0) }
    self.whenChanged = whenChanged
    self.mustWait = mustWait
    self.isAllowed = isAllowed
    self.notify = notify
    clients = Clients(
      of: callers, limits: limits, counting: .once,
      answer: { [unowned(unsafe) self] call, caller throws(BusError) in try answer(call, caller) },
      whenChanged: { [unowned(unsafe) self] in changed($0) })
  }

  /// Sets the limit; present claims stay.
  func limit(to limits: ClientLimits) { clients?.limits = limits }

  /// Whether the sensor is to run: a client has claimed it, and is allowed to.
  var areEffective: Bool { clients?.names.contains(where: isAllowed) ?? false }

  /// Whether a client has claimed it.
  func holds(_ client: String) -> Bool { clients?.isSubscribed(client) ?? false }

  /// The clients that are sent changes: they have claimed it, are allowed to, and know its reading.
  var informed: [String] {
    clients?.names.filter { pending.count(of: $0) == 0 && !returning.contains($0) && isAllowed($0) } ?? []
  }

  /// Informs a client that is allowed again of what it has missed, now or with the first reading.
  func resume(_ client: String) {
    guard holds(client) else { return }
    returning.removeAll { $0 == client }
    if mustWait() { returning.append(client) } else { notify(client, true) }
  }

  /// The clients that have claimed it.
  var claimants: [Caller] { clients?.begun.map { $0.caller } ?? [] }

  /// Takes in a claim that the process before had; the client is informed with the first reading, as it may have missed something.
  func restore(_ caller: Caller) {
    clients?.restore(caller, count: 1)
    returning.append(caller.client)
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
    let informed = returning
    returning = []
    for client in informed where isAllowed(client) { notify(client, true) }
    for answer in pending.takeAll() {
      if isAllowed(answer.caller.client) { notify(answer.caller.client, true) }
      Self.send(answer)
    }
  }

  private func changed(_ change: ClientChange) {
    switch change {
    case .began: break
    case .ended(let client):
      returning.removeAll { $0 == client }
      for answer in pending.take(of: client) { Self.send(answer) }
    case .left(let client):
      returning.removeAll { $0 == client }
      pending.take(of: client)
    }
    whenChanged(change)
  }

  private func answer(_ call: consuming Message, _ caller: Caller) throws(BusError) {
    // The answer informs it.
    returning.removeAll { $0 == caller.client }
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
