// SPDX-License-Identifier: Apache-2.0

// Who has claimed a kind of sensor: one claim a client, dropped when it leaves, bounded as Clients bounds its own. The sensor runs
// exactly while there is a claim, and only those clients are sent its changes, as long as polkit allows it: when another user comes to
// the screen, the first one's claims have no effect until he is back. When a sensor goes, its claimants are notified, and their claims hold
// for the next one.
//
// Programs read the sensor right after their claim is answered, as iio-sensor-proxy answers with the first reading (and never
// does with a sensor that delivers nothing). So an answer may wait for that here too, but only for half a second: some programs
// show nothing new until it comes.

import SensorSetup
import Systemd

/// The clients that have claimed one kind of sensor, and what they are sent.
final class SensorClaims {
  /// How long an answer waits for the first reading, in seconds: healthy sensors have one after 0.1 to 0.3 s.
  static let patienceSeconds = 0.5

  /// What a sampler reports to.
  let sensor = ProxySensor()

  private let kind: ProxySensorKind
  private let connection: Connection
  private let log: ServiceLog
  private let isAllowed: (_ client: String) -> Bool
  private let whenDropped: (_ client: String) -> Void
  /// Those clients.
  let clients: Clients
  private let pending: PendingCalls
  /// Clients that are allowed again, and have not been sent what they have missed yet.
  private var returning: [String] = []
  /// Whether clients are served already.
  private var isServing = false
  /// What the claimants were sent last.
  private var announced = ProxyReading()

  /// Creates the list for the clients of a bus.
  ///
  /// - Parameters:
  ///   - kind: the kind of sensor.
  ///   - connection: what their calls come over; it must outlive the list.
  ///   - callers: who calls. They refer to this without owning it, which is safe because they call it only while the event loop runs.
  ///   - limits: how many there may be.
  ///   - log: where messages go.
  ///   - isAllowed: whether a client that has claimed is still allowed to; otherwise its claim has no effect.
  ///   - whenDropped: called after a client has dropped its claim, before it is answered.
  init(
    of kind: ProxySensorKind, on connection: Connection, of callers: Callers, limits: ClientLimits,
    log: ServiceLog, isAllowed: @escaping (_ client: String) -> Bool,
    whenDropped: @escaping (_ client: String) -> Void
  ) {
    self.kind = kind
    self.connection = connection
    self.log = log
    // A claim is also answered if no reading came.
    pending = PendingCalls(on: connection, patienceSeconds: Self.patienceSeconds)
    pending.whenLate = { Self.send($0) }
    self.isAllowed = isAllowed
    self.whenDropped = whenDropped
    clients = Clients(of: callers, limits: limits, counting: .once)
    clients.answer = { [unowned(unsafe) self] call, caller throws(BusError) in try answer(call, caller) }
    clients.whenChanged = { [unowned(unsafe) self] in changed($0) }
    sensor.whenReported = { [unowned(unsafe) self] in announce() }
  }

  /// Whether a client has claimed it.
  func holds(_ client: String) -> Bool { clients.isSubscribed(client) }

  /// The values of the properties for a client: of a sensor that it has not claimed, only whether there is one, and of the accelerometer
  /// the orientation, which everybody may know.
  func reading(for client: String?) -> ProxyReading {
    let reading = sensor.reading
    if let client, holds(client), isAllowed(client) { return reading }
    return ProxyReading(isPresent: reading.isPresent, orientation: reading.orientation)
  }

  /// Informs a client that is allowed again of what it has missed, now or with the first reading.
  func resume(_ client: String) {
    guard holds(client) else { return }
    returning.removeAll { $0 == client }
    if sensor.state.isPending { returning.append(client) } else { send(kind.properties, to: client) }
  }

  /// Takes in a claim that the process before had; the client is informed with the first reading, as it may have missed something.
  func restore(_ caller: Caller) {
    clients.restore(caller, count: 1)
    returning.append(caller.client)
  }

  /// Begins to inform those whose claims were restored, and to answer.
  func serve() {
    isServing = true
    if !sensor.state.isPending { answerPending() }
  }

  /// Has the sensor run while a client has claimed it, and is allowed to.
  func settle() { sensor.want(by: clients.names.filter(isAllowed)) }

  private func changed(_ change: ClientChange) {
    log.claims(of: kind, changed: change)
    switch change {
    case .began: break
    case .ended(let client), .left(let client):
      returning.removeAll { $0 == client }
      let waiting = pending.take(of: client)
      if case .ended = change { for answer in waiting { Self.send(answer) } }
      whenDropped(client)
    }
    settle()
  }

  // MARK: Answering

  private func answer(_ call: consuming Message, _ caller: Caller) throws(BusError) {
    // The answer informs it.
    returning.removeAll { $0 == caller.client }
    guard sensor.state.isPending, pending.count(of: caller.client) == 0 else {
      if sensor.state.isActive { send(Array(kind.properties.dropFirst()), to: caller.client) }
      return try call.reply().send()
    }
    try pending.add(call, of: caller)
  }

  /// Answers those that waited for the first reading, after sending it to them.
  private func answerPending() {
    let informed = returning
    returning = []
    for client in informed where isAllowed(client) { send(kind.properties, to: client) }
    for answer in pending.takeAll() {
      // A sensor may have come or gone while it waited.
      if isAllowed(answer.caller.client) { send(kind.properties, to: answer.caller.client) }
      Self.send(answer)
    }
  }

  private static func send(_ answer: PendingCall) {
    // A caller that has gone meanwhile needs no answer, which is all that can go wrong here.
    do throws(BusError) { try answer.call.reply().send() } catch {}
  }

  // MARK: Announcing

  /// Sends the claimants what has changed since they were notified last, if they are allowed to know, and know the reading before.
  private func announce() {
    let changes = changes(since: announced)
    announced = sensor.reading
    if !changes.isEmpty {
      for client in clients.names
      where pending.count(of: client) == 0 && !returning.contains(client) && isAllowed(client) {
        send(changes, to: client)
      }
    }
    if isServing, !sensor.state.isPending { answerPending() }
  }

  /// The properties that claimants are sent after a change: all if a sensor has come or gone, and a light level always with its unit.
  private func changes(since earlier: ProxyReading) -> [Property<ProxyReading>] {
    if earlier.isPresent != sensor.reading.isPresent { return kind.properties }
    let changes = kind.properties.changed(from: earlier, to: sensor.reading)
    return kind == .light && !changes.isEmpty ? Array(kind.properties.dropFirst()) : changes
  }

  private func send(_ changes: [Property<ProxyReading>], to client: String) {
    let reading = reading(for: client)
    do throws(BusError) {
      let signal = try connection.bus.signal(
        path: kind.path, interface: "org.freedesktop.DBus.Properties", member: "PropertiesChanged", to: client
      )
      try signal.append(kind.interface)
      try signal.append(.array, "{sv}") { values throws(BusError) in
        for property in changes {
          try values.appendEntry(property.name, property.type) { value throws(BusError) in
            try property.append(reading, value)
          }
        }
      }
      try signal.append([String]())
      try connection.bus.send(signal)
    } catch {
      log.cannotAnnounce(error)
    }
  }
}
