// SPDX-License-Identifier: Apache-2.0

// The process as a whole: connects to the bus, starts the sampler, puts the objects on the bus, and only then asks
// for the name, so that the first call of a client finds everything in place. Then one event loop runs until a
// signal, or the end of the bus, ends it.

import CLinux
import IIO
import Orientation
import SensorSetup
import Systemd

/// The running service.
public final class Service {
  /// How long the end waits for sensors and disk: the process must end within a second (DESIGN, section 1).
  private static let endPatienceSeconds = 0.7

  private let options: Options
  private var configuration: Configuration
  private let connection: Connection
  private let callers: Callers
  private let sampler: Sampler
  private let device: DeviceService
  private let state: StateKeeper
  private let screen: ScreenService
  private let proxy: SensorProxy?
  private let log: ServiceLog
  private let signals: EndSignals
  private let samplerEvents: EventSource
  private let samplerWatch: SamplerWatch
  private let readiness: Readiness
  private let readinessDeadline: Timer
  private let hotplug: Hotplug
  private let switches: HardwareSwitches
  private let sleep: MachineSleep
  private let proxyWatch: SensorProxyWatch
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
  public init(options: Options, configuration: Configuration, log: ServiceLog) throws(ServiceError) {
    keepHeapSmall()
    // libiio writes to connections that the other machine has closed.
    ignoreBrokenPipes()
    log.silenceLibraries()
    let connection = try Connection(to: options.bus)
    callers = try Callers(on: connection)
    // Before the sampler's thread is launched, which inherits that these signals are blocked.
    signals = try EndSignals(for: connection)
    let sampler = try ServiceError.wrapping(ServiceError.sampler) { () throws(SourceError) in
      try Sampler(configuration: configuration)
    }
    let state = try ServiceError.wrapping(ServiceError.loop) { () throws(SystemdError) in
      try StateKeeper(folder: StateDirectory.path(for: options), loop: connection.loop) {
        log.state(said: $0)
      }
    }
    let device: DeviceService
    let screen: ScreenService
    let proxy: SensorProxy?
    do throws(BusError) {
      let authorizer = try Authorizer(on: connection, of: callers)
      device = try DeviceService(
        connection: connection, callers: callers, authorizer: authorizer, sampler: sampler,
        configuration: configuration, log: log)
      screen = try ScreenService(
        connection: connection, callers: callers, device: device, authorizer: authorizer, state: state,
        configuration: configuration, log: log)
      proxyWatch = try SensorProxyWatch(on: connection, for: sampler.link.neighbour)
      proxy =
        configuration.sensorProxy
        ? try SensorProxy(
          connection: connection, callers: callers, authorizer: authorizer, device: device,
          configuration: configuration, log: log)
        : nil
    } catch {
      throw .bus(error)
    }
    let readiness = Readiness(connection: connection) { proxy?.takeName() }
    do throws(SystemdError) {
      samplerEvents = try connection.loop.onReadable(
        sampler.link.eventsArrived.fileDescriptor, priority: .beforeBus
      ) {
        device.handleEvents()
        if device.knowsSensor && proxy?.ambient.knowsSensors ?? true { readiness.become() }
      }
      samplerWatch = try SamplerWatch(of: sampler.link.wakeUp, loop: EventLoopReference(connection.loop)) {
        device.sampler(is: $0)
      }
      readinessDeadline = try connection.loop.after(seconds: Readiness.patienceSeconds) { readiness.become() }
      hotplug = try Hotplug(loop: connection.loop) {
        sampler.devicesChanged()
        proxy?.ambient.lookAgain()
      }
      switches = try HardwareSwitches(loop: connection.loop, configuration: configuration, log: log) {
        screen.handle($0)
      }
    } catch {
      throw .loop(error)
    }
    // Hotplug hears already: a device that the first look misses makes it look again.
    try ServiceError.wrapping(ServiceError.sampler) { () throws(SourceError) in try sampler.launch() }
    let sleep = try MachineSleep(
      connection, isReleased: { device.isReleased && proxy?.ambient.isReleased ?? true },
      whenChanged: { phase in
        device.machine(is: phase)
        proxy?.ambient.machine(is: phase)
      })
    device.whenReleased = { [unowned(unsafe) sleep] in sleep.released() }
    proxy?.ambient.whenReleased = { [unowned(unsafe) sleep] in sleep.released() }
    proxy?.ambient.whenKnown = { [unowned(unsafe) device, unowned(unsafe) readiness] in
      if device.knowsSensor { readiness.become() }
    }
    disconnection = try ServiceError.wrapping(ServiceError.bus) { () throws(BusError) in
      try connection.bus.onDisconnected { connection.fail(.busLost) }
    }
    (self.connection, self.sampler, self.state, self.log) = (connection, sampler, state, log)
    (self.device, self.screen, self.proxy, self.sleep) = (device, screen, proxy, sleep)
    (self.options, self.configuration, self.readiness) = (options, configuration, readiness)
    connection.whenEnding = { [unowned(unsafe) self] in _ = finish() }
    reloadSignal = try ServiceError.wrapping(ServiceError.loop) { () throws(SystemdError) in
      try connection.loop.onSignal(SIGHUP) { [unowned(unsafe) self] in
        self.readiness.reload { [unowned(unsafe) self] in reload() }
      }
    }
  }

  /// Reads the configuration again, and takes into use what is different.
  private func reload() {
    let (configuration, problems) = Configuration.reload(for: options, keeping: self.configuration)
    for problem in problems { log.problem(problem) }
    let changes = configuration.changes(since: self.configuration)
    guard !changes.isEmpty else { return }
    self.configuration = configuration
    log.reloaded(changes)
    if changes.contains(where: { $0.key.subject == .sampling }) { sampler.reconfigure(configuration) }
    guard changes.contains(where: { $0.key.subject == .service }) else { return }
    device.reconfigure(configuration)
    proxy?.reconfigure(configuration)
    screen.reconfigure(configuration)
    switches.reconfigure(configuration)
  }

  /// Serves until a signal ends it, or it cannot go on.
  public func run() -> ServiceEnd {
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
    let haveEnded = [sampler.end(by: deadline), proxy?.ambient.waitForEnd(until: deadline) ?? true]
    if haveEnded.contains(false) { log.samplerHangs() }
    let isThreadLeft = haveEnded.contains(false) || state.isSaving
    return ServiceEnd(failure: failure, threads: isThreadLeft ? .hanging : .ended)
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
    // Nobody is left to tell if the service manager does not listen.
    _ = try? ServiceManager.stopping()
    // The sensors are let go of while the disk is waited for.
    sampler.link.wantEnd()
    proxy?.ambient.wantEnd()
    state.finish(by: deadline)
    return deadline
  }
}

/// Holds SIGHUP back until the service runs and heeds it; it would end the process.
///
/// To be called first of all, in the one thread that there is.
public func holdReloads() {
  var signals = sigset_t()
  sigemptyset(&signals)
  sigaddset(&signals, SIGHUP)
  pthread_sigmask(SIG_BLOCK, &signals, nil)
}

/// SIGTERM and SIGINT, which end the loop.
private struct EndSignals: ~Copyable {
  private let terminate: EventSource
  private let interrupt: EventSource

  init(for connection: Connection) throws(ServiceError) {
    do throws(SystemdError) {
      let terminate = try connection.loop.onSignal(SIGTERM, priority: .beforeBus) { connection.end() }
      let interrupt = try connection.loop.onSignal(SIGINT, priority: .beforeBus) { connection.end() }
      self.terminate = terminate
      self.interrupt = interrupt
    } catch {
      throw .loop(error)
    }
  }
}
