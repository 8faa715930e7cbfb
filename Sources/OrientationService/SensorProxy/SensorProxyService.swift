// SPDX-License-Identifier: Apache-2.0

// iio-sensor-proxy's D-Bus interface, net.hadess.SensorProxy, served from our sensors, so that the desktops that follow it
// follow us. Each kind of sensor runs exactly while some client has claimed it, and only those clients are sent its changes, as long as
// polkit allows it: when another user comes to the screen, the first one's claims have no effect until he is back.
// When a sensor goes, its claimants are notified, and their claims hold for the next one.

import Orientation
import SensorSetup
import Systemd

/// What serves `net.hadess.SensorProxy` and `net.hadess.SensorProxy.Compass`.
final class SensorProxyService {
  private let connection: Connection
  private let callers: Callers
  private let authorizer: Authorizer
  private let restart: RestartKeeper
  private let log: ServiceLog
  private let name: ProxyName
  /// What samplers report to.
  let sensors = ProxySensors()
  private var claims: [SensorClaims] = []
  private let permissions: StandingPermissions
  private var announced: SensorProxyProperties
  private var budget = CallBudget()
  private var object: ObjectSlot?
  private var compass: ObjectSlot?

  /// Puts the objects on the bus; the name is another matter.
  init(
    connection: Connection, callers: Callers, authorizer: Authorizer, restart: RestartKeeper,
    limits: ClientLimits, log: ServiceLog
  ) throws(BusError) {
    self.connection = connection
    self.callers = callers
    self.authorizer = authorizer
    permissions = authorizer.permissions
    self.restart = restart
    self.log = log
    name = try ProxyName(connection: connection, log: log)
    announced = SensorProxyProperties(of: sensors)
    for kind in ProxySensorKind.allCases {
      claims.append(
        SensorClaims(
          on: connection, of: callers, limits: limits,
          whenChanged: { [unowned(unsafe) self] in claimsChanged(of: kind, $0) },
          mustWait: { [unowned(unsafe) self] in isPending(kind) },
          isAllowed: { [unowned(unsafe) self] in isAllowed($0) },
          notify: { [unowned(unsafe) self] client, hasMissed in
            sendReading(of: kind, to: client, hasMissed: hasMissed)
          }))
    }
    permissions.watch(.claimSensor) { [unowned(unsafe) self] in permissionChanged(to: $0) }
    sensors.accelerometer.whenReported = { [unowned(unsafe) self] in announce(.accelerometer) }
    sensors.light.whenReported = { [unowned(unsafe) self] in announce(.light) }
    sensors.proximity.whenReported = { [unowned(unsafe) self] in announce(.proximity) }
    sensors.compass.whenReported = { [unowned(unsafe) self] in announce(.compass) }
    object = try ObjectSlot(on: connection.bus, path: DBusNames.proxyPath, interface: .sensorProxy(self))
    compass = try ObjectSlot(on: connection.bus, path: DBusNames.compassPath, interface: .compass(self))
  }

  /// Takes the bus name, now or when it becomes free.
  func takeName() {
    name.take()
    // What was known before would not have reached those who listen to the name.
    for kind in ProxySensorKind.allCases where !isPending(kind) { claims[kind.rawValue].answerPending() }
  }

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
        claims[kind.rawValue].claimants.map { caller in
          RestartRecord(Self.claimed, of: caller, [kind.name, isAllowed(caller.client) ? "yes" : "no"])
        }
      }
    }
  }

  /// Sets the limit of each sensor; present claims stay.
  func limit(to limits: ClientLimits) {
    for claims in claims { claims.limit(to: limits) }
  }

  // MARK: What clients ask for

  var properties: SensorProxyProperties { SensorProxyProperties(of: sensors) }

  /// The values for a client: of a sensor that it has not claimed, only whether there is one, and of the accelerometer the orientation,
  /// which everybody may know.
  func properties(for client: String?) -> SensorProxyProperties {
    var properties = properties
    if !mayRead(.accelerometer, client) { properties.accelerometer.tilt = .undefined }
    if !mayRead(.light, client) { properties.light.level = LightReading().level }
    if !mayRead(.proximity, client) { properties.isNear = false }
    if !mayRead(.compass, client) { properties.heading = CompassReading.unknown }
    return properties
  }

  private func mayRead(_ kind: ProxySensorKind, _ client: String?) -> Bool {
    guard let client else { return false }
    return claims[kind.rawValue].holds(client) && isAllowed(client)
  }

  func claim(_ kind: ProxySensorKind, _ call: consuming Message) throws(BusError) {
    try callers.identify(call) { [unowned(unsafe) self] call, caller throws(BusError) in
      let claims = claims[kind.rawValue]
      // What changes nothing needs no permission, unless an earlier call of the client waits that may make it a change.
      if claims.holds(caller.client) && isAllowed(caller.client) && !authorizer.isWaiting(caller) {
        return try claims.claim(call, by: caller)
      }
      guard budget.take(of: caller) else { throw BusError.tooFast("has made", "claims") }
      try authorizer.authorize(call, by: caller, for: .claimSensor) {
        [unowned(unsafe) self] call throws(BusError) in
        permissions.grant(.claimSensor, to: caller)
        defer { forgetIdle(caller.client) }
        try claims.claim(call.retained(), by: caller)
      }
    }
  }

  func release(_ kind: ProxySensorKind, _ call: consuming Message) throws(BusError) {
    try callers.identify(call) { [unowned(unsafe) self] call, caller throws(BusError) in
      let claims = claims[kind.rawValue]
      // Everybody may release; but not before an earlier claim, which may wait for polkit.
      try authorizer.inTurn(call, by: caller) { call throws(BusError) in
        try claims.release(call.retained(), by: caller)
      }
    }
  }

  // MARK: Claims and sensors

  private func claimsChanged(of kind: ProxySensorKind, _ change: ClientChange) {
    log.claims(of: kind, changed: change)
    restart.changed()
    switch change {
    case .began: break
    case .ended(let client), .left(let client): forgetIdle(client)
    }
    want(kind)
  }

  private func want(_ kind: ProxySensorKind) {
    let isWanted = claims[kind.rawValue].areEffective
    switch kind {
    case .accelerometer: sensors.accelerometer.want(isWanted)
    case .light: sensors.light.want(isWanted)
    case .proximity: sensors.proximity.want(isWanted)
    case .compass: sensors.compass.want(isWanted)
    }
  }

  private func isPending(_ kind: ProxySensorKind) -> Bool {
    switch kind {
    case .accelerometer: sensors.accelerometer.state.isPending
    case .light: sensors.light.state.isPending
    case .proximity: sensors.proximity.state.isPending
    case .compass: sensors.compass.state.isPending
    }
  }

  private func isActive(_ kind: ProxySensorKind) -> Bool {
    switch kind {
    case .accelerometer: sensors.accelerometer.state.isActive
    case .light: sensors.light.state.isActive
    case .proximity: sensors.proximity.state.isActive
    case .compass: sensors.compass.state.isActive
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
    for kind in ProxySensorKind.allCases { want(kind) }
    guard isAllowed(client) else { return }
    for claims in claims { claims.resume(client) }
  }

  // MARK: Announcing

  /// Sends the claimants of a kind what has changed since they were notified last.
  private func announce(_ kind: ProxySensorKind) {
    let now = properties
    let changes = now.changes(of: kind, since: announced)
    announced = now
    let claims = claims[kind.rawValue]
    if !changes.isEmpty {
      for client in claims.informed { send(changes, of: kind, to: client) }
    }
    if connection.isNamed, !isPending(kind) { claims.answerPending() }
  }

  /// Sends a client the reading before its claim is answered, or when it is allowed again.
  ///
  /// - Parameters:
  ///   - kind: the kind of sensor.
  ///   - client: the client.
  ///   - hasMissed: whether a sensor may have come or gone since it was informed.
  private func sendReading(of kind: ProxySensorKind, to client: String, hasMissed: Bool) {
    if hasMissed {
      send([kind.presence] + kind.values, of: kind, to: client)
    } else if isActive(kind) {
      send(kind.values, of: kind, to: client)
    }
  }

  private func send(_ changes: [Property<SensorProxyProperties>], of kind: ProxySensorKind, to client: String)
  {
    let properties = properties(for: client)
    do throws(BusError) {
      let signal = try connection.bus.signal(
        path: kind.path, interface: "org.freedesktop.DBus.Properties", member: "PropertiesChanged", to: client
      )
      try signal.append(kind.interface)
      try signal.append(.array, "{sv}") { values throws(BusError) in
        for property in changes {
          try values.append(.dictionaryEntry, "sv") { entry throws(BusError) in
            try entry.append(property.name)
            try entry.append(.variant, property.type) { value throws(BusError) in
              try property.append(properties, value)
            }
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
