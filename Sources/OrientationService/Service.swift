// SPDX-License-Identifier: Apache-2.0

// The process as a whole: connects to the bus, starts the sampler thread, which scans the devices, meanwhile puts the objects on the bus,
// and only then asks for the name, so that the first call of a client finds everything in place. Then one event loop runs until a
// signal, or the end of the bus, ends it.

import CLinux
import IIO
import Orientation
package import SensorSetup
import Systemd

/// The running service.
package final class Service {
  /// How long the end waits for sensors and disk: the process has to end within a second, so that no shutdown waits for it.
  private static let endPatienceSeconds = 0.7

  private let options: Options
  private var configuration: Configuration
  private let configurationAtStart: Configuration
  private let connection: Connection
  private let sampler: Sampler
  private let screen: ScreenService
  private let mounting: MountingService
  private let state: StateKeeper
  private let restart: RestartKeeper
  private let successor: NameSuccessor
  private let log: ServiceLog
  private let readiness: Readiness
  /// The owner of iio-sensor-proxy's name.
  private let sensorProxyOwner: NameOwner
  /// What serves clients.
  ///
  /// A reload, a hotplug event and the end reach them in this order: the device first, which the others follow.
  private let parts: [any ServicePart]
  private let hotplug: Hotplug
  private let disconnection: Slot
  private var reloadSignal: EventSource?
  /// Until when the process has to end; nil while it serves.
  private var endDeadline: BootTime?

  /// Sets everything up, short of the bus name.
  ///
  /// - Parameters:
  ///   - options: the command line.
  ///   - configuration: the configuration, the command line's sensor included.
  ///   - log: where messages go.
  /// - Throws: ``ServiceError``
  package init(options: Options, configuration: Configuration, log: ServiceLog) throws(ServiceError) {
    (self.options, self.configuration, self.log) = (options, configuration, log)
    configurationAtStart = configuration
    keepHeapSmall()
    // libiio writes to connections that the other machine has closed.
    ignoreBrokenPipes()
    log.silenceLibraries()
    let successor = NameSuccessor()
    self.successor = successor
    let motionSockets = PassedSockets.take(named: MotionListener.name, successor: successor)
    let connection = try Connection(to: options.bus)
    do throws(SystemdError) {
      // Before the first thread, which inherits that they are blocked. So a stop waits while the rest of the start waits for the bus.
      try connection.endOnSignals()
      // Before the first scan: a device that it misses causes another one.
      hotplug = try Hotplug(loop: connection.loop)
      readiness = try Readiness(connection: connection)
      state = try StateKeeper(folder: StateDirectory.path(for: options), loop: connection.loop) {
        log.state(said: $0)
      }
    } catch {
      throw .loop(error)
    }
    let sampler: Sampler
    do throws(SourceError) {
      sampler = try Sampler(
        configuration: configuration, matrices: SetMatrices(kept: state.state.mountMatrices),
        responsiveness: state.state.responsiveness)
      // The devices are scanned while the rest is set up: each takes as long as the other.
      try sampler.launch()
    } catch {
      throw .sampler(error)
    }
    let callers = try Callers(on: connection)
    let sleep = try MachineSleep(connection)
    var parts: [any ServicePart]
    let tabletMode: TabletModeService
    do throws(BusError) {
      let restart = try RestartKeeper(folder: RuntimeFolder.path, connection: connection, callers: callers)
      self.restart = restart
      let authorizer = try Authorizer(on: connection, of: callers)
      let device = try DeviceService(
        connection: connection, authorizer: authorizer, sampler: sampler, sleep: sleep,
        readiness: readiness, restart: restart, configuration: configuration, log: log)
      screen = try ScreenService(
        connection: connection, device: device, authorizer: authorizer, sampler: sampler,
        state: state, restart: restart, configuration: configuration, log: log)
      mounting = try MountingService(
        connection: connection, device: device, authorizer: authorizer, sampler: sampler,
        keeper: state, answers: screen.answers, configuration: configuration)
      readiness.onNamed { [unowned(unsafe) screen] in screen.tellWhatChanged() }
      parts = [device, screen]
      tabletMode = TabletModeService(
        connection: connection, device: device, sleep: sleep, link: sampler.link, log: log
      ) { [device, screen] in
        device.folded(to: $0)
        screen.folded(to: $0)
      }
      parts.append(tabletMode)
      if configuration.sensorProxy {
        parts.append(
          try SensorProxy(
            connection: connection, authorizer: authorizer, device: device, screen: screen,
            sleep: sleep, readiness: readiness, restart: restart, successor: successor,
            configuration: configuration, log: log))
      } else {
        successor.end()
      }
      if let sockets = motionSockets {
        parts.append(
          try MotionService(
            on: sockets, connection: connection, authorizer: authorizer, device: device, sleep: sleep,
            log: log))
      }
      sensorProxyOwner = try NameOwner(of: DBusNames.proxyService, on: connection.bus)
      disconnection = try connection.bus.onDisconnected { connection.fail(.busLost) }
    } catch {
      throw .bus(error)
    }
    do throws(SystemdError) {
      parts.append(
        try HardwareSwitches(loop: connection.loop, configuration: configuration, log: log) {
          [screen, tabletMode] in
          switch $0 {
          case .rotationLock(let lock): screen.lockSwitchMoved(to: lock)
          case .rotationLockToggled: screen.lockKeyPressed()
          case .tabletMode(let mode): tabletMode.switched(to: mode)
          }
        })
    } catch {
      throw .loop(error)
    }
    (self.connection, self.sampler, self.parts) = (connection, sampler, parts)
    try launch()
  }

  /// Starts the other threads, and sets what happens at hotplug, at the end and at a reload.
  private func launch() throws(ServiceError) {
    sensorProxyOwner.whenChanged { [unowned(unsafe) self] in lookForSensorProxy() }
    lookForSensorProxy()
    for part in parts { part.devicesChanged() }
    hotplug.whenChanged = { [unowned(unsafe) self] in
      sampler.devicesChanged()
      for part in parts { part.devicesChanged() }
    }
    connection.whenEnding = { [unowned(unsafe) self] in _ = finish() }
    reloadSignal = try ServiceError.wrapping(ServiceError.loop) { () throws(SystemdError) in
      try connection.loop.onSignal(SIGHUP) { [unowned(unsafe) self] in
        self.readiness.reload { reload() }
      }
    }
  }

  /// Notifies the samplers whether iio-sensor-proxy runs, which uses the same sensors, and the screen, as desktops may follow it: whether a
  /// connection other than this service's own owns its bus name.
  private func lookForSensorProxy() {
    // If the connection is closed, the service ends.
    guard let ownName = try? connection.bus.uniqueName else { return }
    // The connection that the process before has left may own it for a moment.
    let owner = successor.isLeft ? nil : sensorProxyOwner.uniqueName
    let other = owner == ownName ? nil : owner
    sampler.link.neighbour.become(isThere: other != nil)
    screen.followers.otherSensorProxy = other ?? ""
  }

  /// Reads the configuration again, and takes into use what is different.
  private func reload() {
    let (configuration, problems) = Configuration.reload(for: options, keeping: self.configuration)
    for problem in problems { log.problem(problem) }
    let changes = configuration.changes(since: self.configuration)
    guard !changes.isEmpty else { return }
    self.configuration = configuration
    let now = changes.filter { $0.key.subject != .nextStart }
    // All that differs from the start, if that has changed: what is again as then needs no restart.
    let later = configuration.changes(since: configurationAtStart).filter { $0.key.subject == .nextStart }
    log.reloaded(
      now, atNextStart: now.count == changes.count ? [] : later, beside: state.state.responsiveness)
    if changes.contains(where: { $0.key.subject == .sampling }) {
      sampler.reconfigure(configuration)
      mounting.reconfigure(configuration)
      screen.announceProperties()
    }
    guard changes.contains(where: { $0.key.subject == .service }) else { return }
    for part in parts { part.reconfigure(configuration) }
  }

  /// Serves until a signal ends it, or it cannot go on.
  ///
  /// - Returns: why it could not go on, nil if it was stopped; and whether a thread hangs in a sensor's driver or on the disk, which may
  ///   hold what exit(3) would wait for.
  package func run() -> (failure: ServiceError?, isThreadHanging: Bool) {
    var failure: ServiceError?
    do throws(SystemdError) {
      try connection.loop.enableWatchdog()
      let code = try connection.loop.run()
      // A connection that cannot be read any more ends the loop by itself.
      failure = connection.failure ?? (code == 0 ? nil : .busLost)
    } catch {
      failure = .loop(error)
    }
    let deadline = finish()
    var isSensorHanging = !sampler.worker.waitForEnd(until: deadline)
    for part in parts where !part.waitForEnd(until: deadline) { isSensorHanging = true }
    if isSensorHanging { log.sensorThreadHangs() }
    return (failure, isSensorHanging || state.isSaving)
  }

  /// Has everything end, and the state saved, once.
  ///
  /// The end of the loop closes the bus, so what waits for the disk is answered before.
  ///
  /// - Returns: until when the process has to end.
  private func finish() -> BootTime {
    if let endDeadline { return endDeadline }
    let deadline = BootTime.now.advanced(bySeconds: Self.endPatienceSeconds)
    endDeadline = deadline
    // If the service manager does not listen, nothing depends on it.
    _ = try? ServiceManager.stopping()
    // The sensors are closed while the disk is waited for.
    sampler.worker.stop()
    for part in parts { part.requestStop() }
    restart.saveIfChanged()
    // Programs see the name go then, as the next process does not serve it.
    if !configuration.sensorProxy { successor.end() }
    state.finish(by: deadline)
    return deadline
  }
}
