// SPDX-License-Identifier: Apache-2.0

// Who turns the screen. The daemon decides how the interface is to be shown, but another program turns the panel: a desktop that has
// claimed the accelerometer by iio-sensor-proxy's interface, or a client that has said so here. A person is told who it is, and warned if
// it is nobody, as then the lock and holds change nothing that can be seen. Who says so has the sensor run, too, as every client may, so a
// client that says it and does not do it gains nothing.
//
// Only who may rotate the screen at present counts: the programs of a user who is not at the screen turn nothing.

import SensorSetup
import Systemd

/// The clients that turn the screen as the daemon says.
final class ScreenFollowers {
  /// Called after each change.
  var whenChanged: () -> Void = {}

  /// The clients that have claimed the accelerometer, and are allowed to: desktops, usually one.
  var claimants: [String] = [] {
    didSet { if claimants != oldValue { whenChanged() } }
  }

  /// The program that serves iio-sensor-proxy's interface in this daemon's place, by its unique name; empty if none does.
  var otherSensorProxy = "" {
    didSet { if otherSensorProxy != oldValue { whenChanged() } }
  }

  private let authorizer: Authorizer
  private let clients: Clients
  private var budget = CallBudget()

  /// Creates an empty list.
  ///
  /// - Parameters:
  ///   - authorizer: asks polkit whether a client may rotate the screen. Its callers and permissions refer to this without owning it.
  ///   - limits: how many clients there may be.
  init(authorizer: Authorizer, limits: ClientLimits) {
    self.authorizer = authorizer
    clients = Clients(of: authorizer.callers, limits: limits, counting: .once)
    authorizer.permissions.watch(.rotate) { [unowned(unsafe) self] _ in whenChanged() }
    clients.whenChanged = { [unowned(unsafe) self] in changed($0) }
  }

  /// Sets the limits; present clients stay.
  func limit(to limits: ClientLimits) { clients.limits = limits }

  /// The clients that have said so, and are allowed to.
  private var registered: [String] {
    clients.names.filter { authorizer.permissions.isAllowed($0, .rotate) == true }
  }

  /// Whether there are clients that have said so: they count like clients that generate notifications.
  var areRegistered: Bool { !registered.isEmpty }

  /// The unique names of all that turn the screen now.
  var names: [String] { claimants + registered.filter { !claimants.contains($0) } }

  /// Takes in that a client turns the screen from now on, if polkit lets it rotate the screen, and answers.
  func begin(_ call: consuming Message) throws(BusError) {
    try authorizer.callers.identify(call) { [unowned(unsafe) self] call, caller throws(BusError) in
      // What changes nothing needs no permission, unless an earlier call of the client waits that may make it a change.
      if clients.isSubscribed(caller.client),
        authorizer.permissions.isAllowed(caller.client, .rotate) == true,
        !authorizer.isWaiting(caller)
      {
        return try clients.begin(call, by: caller)
      }
      guard budget.take(of: caller) else { throw BusError.tooFast("has made", "calls") }
      try authorizer.authorize(call, by: caller, for: .rotate) {
        [unowned(unsafe) self] call throws(BusError) in
        authorizer.permissions.grant(.rotate, to: caller)
        defer { forgetIdle(caller.client) }
        try clients.begin(call.retained(), by: caller)
      }
    }
  }

  /// Takes in that a client does not turn the screen any more, and answers; not before an earlier call of it that waits for polkit.
  func end(_ call: consuming Message) throws(BusError) {
    try authorizer.inTurn(call) { [unowned(unsafe) self] call, caller throws(BusError) in
      try clients.end(call.retained(), by: caller)
    }
  }

  // MARK: Restarts

  /// The word of the records of clients.
  static let word = "follows"

  /// The clients that have said so, for the next start.
  var records: [RestartRecord] {
    clients.begun.map { client in
      let isAllowed = authorizer.permissions.isAllowed(client.caller.client, .rotate) == true
      return RestartRecord(Self.word, of: client.caller, [isAllowed ? "yes" : "no"])
    }
  }

  /// Takes in the clients of the process before.
  func restore(_ records: [RestartRecord]) {
    for record in records {
      guard let caller = record.caller else { continue }
      authorizer.permissions.restore(.rotate, of: caller, isAllowed: record.values.first == "yes")
      clients.restore(caller, count: 1)
    }
  }

  private func changed(_ change: ClientChange) {
    if case .ended(let client) = change { forgetIdle(client) }
    if case .left(let client) = change { forgetIdle(client) }
    whenChanged()
  }

  private func forgetIdle(_ client: String) {
    if !clients.isSubscribed(client) { authorizer.permissions.forget(client, .rotate) }
  }
}
