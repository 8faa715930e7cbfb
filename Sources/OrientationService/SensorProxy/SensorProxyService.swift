// SPDX-License-Identifier: Apache-2.0

// iio-sensor-proxy's D-Bus interface, net.hadess.SensorProxy, served from our sensors, so that the desktops that follow it
// follow us.

import Orientation
import SensorSetup
import Systemd

/// What serves `net.hadess.SensorProxy` and `net.hadess.SensorProxy.Compass`.
final class SensorProxyService {
  private let authorizer: Authorizer
  private let restart: RestartKeeper
  private let log: ServiceLog
  private var request: NameRequest?
  private var hasWaitedForName = false
  private let connection: Connection
  private let successor: NameSuccessor
  private var question: Slot?
  private var claims: [SensorClaims] = []
  private let permissions: StandingPermissions
  private var budget = CallBudget()
  private var object: ObjectSlot?
  private var compass: ObjectSlot?

  /// Puts the objects on the bus; the name is another matter.
  init(
    connection: Connection, authorizer: Authorizer, restart: RestartKeeper,
    successor: NameSuccessor, limits: ClientLimits, log: ServiceLog
  ) throws(BusError) {
    self.connection = connection
    self.successor = successor
    self.authorizer = authorizer
    permissions = authorizer.permissions
    self.restart = restart
    self.log = log
    request = try NameRequest(for: DBusNames.proxyService, on: connection.bus) {
      [unowned(unsafe) self] in became($0)
    }
    for kind in ProxySensorKind.allCases {
      claims.append(
        SensorClaims(
          of: kind, on: connection, of: authorizer.callers, limits: limits, log: log,
          isAllowed: { [unowned(unsafe) self] in isAllowed($0) },
          whenDropped: { [unowned(unsafe) self] client in
            restart.changed()
            forgetIdle(client)
          }))
    }
    permissions.watch(.claimSensor) { [unowned(unsafe) self] in permissionChanged(to: $0) }
    object = try ObjectSlot(
      on: connection.bus, path: DBusNames.proxyPath,
      interface: Interface(
        DBusNames.proxyInterface, of: self, Self.members(of: [.accelerometer, .light, .proximity])))
    // The compass has an object of its own.
    compass = try ObjectSlot(
      on: connection.bus, path: DBusNames.compassPath,
      interface: Interface(DBusNames.compassInterface, of: self, Self.members(of: [.compass])))
  }

  private static func members(of kinds: [ProxySensorKind]) -> [Interface.Member<SensorProxyService>] {
    // Changes are emitted to those who have claimed the sensor.
    var members: [Interface.Member<SensorProxyService>] = []
    for kind in kinds {
      members += Interface.Member.properties(kind.properties) { service, reply in
        service.claims[kind.rawValue].reading(for: reply.destination)
      }
    }
    // Every user may call: polkit decides.
    for kind in kinds {
      members += [
        .method("Claim\(kind.name)") { service, call throws(BusError) in try service.claim(kind, call) },
        .method("Release\(kind.name)") { service, call throws(BusError) in try service.release(kind, call) },
      ]
    }
    return members
  }

  /// Takes the bus name of iio-sensor-proxy when it is free, and else as soon as who has it gives it up.
  func takeName() {
    do throws(BusError) {
      try request?.send()
    } catch {
      became(.failed(error))
    }
  }

  private func became(_ outcome: NameRequest.Outcome) {
    // What the process before has left for this owns it; the next in the queue is this process.
    if outcome == .queued, successor.isLeft { return successor.end() }
    log.proxyName(outcome, hasWaited: hasWaitedForName)
    hasWaitedForName = outcome == .queued
    guard outcome == .owned else {
      // Who wants the name next must not wait for ours; and another program serves those who had claimed.
      successor.end()
      for claims in claims { claims.clients.dropRestored() }
      return
    }
    serve()
    do throws(BusError) {
      try successor.wait(for: DBusNames.proxyService, on: connection.address, loop: connection.loop)
    } catch {
      log.cannotKeepName(error)
    }
  }

  /// Begins to inform clients, after what they have sent meanwhile.
  ///
  /// That comes before the answer of the bus: as the name was lost, some release what they had claimed, and claim again when that is
  /// answered. What they heard of the sensor before would confuse them (phosh).
  private func serve() {
    question = try? connection.bus.askNames { [unowned(unsafe) self] _ in
      for claims in claims { claims.serve() }
    }
  }

  /// What the sampler of a kind of sensor reports to.
  func sensor(_ kind: ProxySensorKind) -> ProxySensor { claims[kind.rawValue].sensor }

  // MARK: Restarts

  private static let claimed = "claimed"

  /// Takes in the claims of the process before, and keeps them from here on; the samplers must be set up.
  func restore() {
    for record in restart.take(Self.claimed) {
      guard let caller = record.caller, record.values.count == 2,
        let kind = ProxySensorKind.allCases.first(where: { $0.name == record.values[0] })
      else { continue }
      permissions.restore(.claimSensor, of: caller, isAllowed: record.values[1] == "yes")
      claims[kind.rawValue].restore(caller)
    }
    restart.keep { [unowned(unsafe) self] in
      ProxySensorKind.allCases.flatMap { kind in
        claims[kind.rawValue].clients.begun.map { begun in
          RestartRecord(
            Self.claimed, of: begun.caller, [kind.name, isAllowed(begun.caller.client) ? "yes" : "no"])
        }
      }
    }
  }

  /// Sets the limit of each sensor; present claims stay.
  func limit(to limits: ClientLimits) {
    for claims in claims { claims.clients.limits = limits }
  }

  // MARK: What clients ask for

  private func claim(_ kind: ProxySensorKind, _ call: consuming Message) throws(BusError) {
    try authorizer.callers.identify(call) { [unowned(unsafe) self] call, caller throws(BusError) in
      let claims = claims[kind.rawValue]
      // What changes nothing needs no permission, unless an earlier call of the client waits that may make it a change.
      if claims.holds(caller.client) && isAllowed(caller.client) && !authorizer.isWaiting(caller) {
        return try claims.clients.begin(call, by: caller)
      }
      guard budget.take(of: caller) else { throw BusError.tooFast("has made", "claims") }
      try authorizer.authorize(call, by: caller, for: .claimSensor) {
        [unowned(unsafe) self] call throws(BusError) in
        permissions.grant(.claimSensor, to: caller)
        restart.changed()
        defer { forgetIdle(caller.client) }
        try claims.clients.begin(call.retained(), by: caller)
      }
    }
  }

  private func release(_ kind: ProxySensorKind, _ call: consuming Message) throws(BusError) {
    let claims = claims[kind.rawValue]
    // Everybody may release; but not before an earlier claim, which may wait for polkit.
    try authorizer.inTurn(call) { call, caller throws(BusError) in
      try claims.clients.end(call.retained(), by: caller)
    }
  }

  // MARK: Permissions

  private func isAllowed(_ client: String) -> Bool { permissions.isAllowed(client, .claimSensor) == true }

  /// Forgets a client without claims.
  private func forgetIdle(_ client: String) {
    if !claims.contains(where: { $0.holds(client) }) { permissions.forget(client, .claimSensor) }
  }

  /// polkit does not allow a client to go on any more, or allows it again.
  private func permissionChanged(to client: String) {
    restart.changed()
    for claims in claims { claims.settle() }
    guard isAllowed(client) else { return }
    for claims in claims { claims.resume(client) }
  }
}
