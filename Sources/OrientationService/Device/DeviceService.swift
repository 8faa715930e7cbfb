// SPDX-License-Identifier: Apache-2.0

// The device half of the service: connects clients, sampler and bus. Clients decide whether the sensor runs, the sampler's
// events change the state, and the difference is announced. Each D-Bus method has the same order: validate, authorize if that
// is needed, act, announce, reply. What is optional here is made after the rest, because its closures refer to the service.

import IIO
import Orientation
import SensorSetup
import Systemd

/// Serves `org.orientationd1.Device`, and announces `org.orientationd1.Sensor`, which ``MountingService`` serves.
final class DeviceService: SleepObserver, ServicePart {
  private let connection: Connection
  private let callers: Callers
  private let authorizer: Authorizer
  private let sampler: Sampler
  private let sleep: MachineSleep
  private let readiness: Readiness
  private let memory: MemoryRelease
  private let log: ServiceLog
  private var alwaysOn: Bool
  private let pendingCalls: PendingOrientationCalls
  private var state = DeviceState()
  private var announced = DeviceProperties()
  private var pace: AnnouncementPace?
  private let clients: Clients
  private var object: ObjectSlot?
  private var observers: [DeviceObserverReference] = []
  private var isAsleep = false
  private var isNeededForMotion = false
  private let restart: RestartKeeper
  private var budget = CallBudget()

  /// Whether the sensor is not open, nor about to be.
  private(set) var isReleased = true

  /// Whether the devices were looked through at least once.
  private(set) var knowsSensor = false

  /// What other threads share with the accelerometer's: its gravity, the watch of its tilt, and the other daemon that may have left a buffer on.
  var link: SamplerLink { sampler.link }

  /// How the device is held in fact, whatever the rotation lock holds; unknown without subscribers, as they were announced.
  var present: DeviceOrientation { announced.isGenerating ? state.tracked.orientation : .unknown }

  /// Whether the first orientation since the sensor was started will be known in a moment.
  var isDeciding: Bool {
    state.isGenerating && present == .unknown && [.starting, .active].contains(state.properties.sensorStatus)
  }

  /// Whether the sensor is on another machine, or a recording, that may be back: only an attempt to open it shows that.
  private var needsRetry = false

  /// Puts the object on the bus, and listens to the sampler.
  init(
    connection: Connection, authorizer: Authorizer, sampler: Sampler, sleep: MachineSleep,
    readiness: Readiness, restart: RestartKeeper, configuration: Configuration, log: ServiceLog
  ) throws(BusError) {
    self.connection = connection
    self.restart = restart
    callers = authorizer.callers
    self.authorizer = authorizer
    self.sampler = sampler
    self.sleep = sleep
    self.readiness = readiness
    memory = MemoryRelease(on: connection)
    // Not by another timer, which would cause another check.
    callers.whenAudited = { releaseUnusedPages() }
    alwaysOn = configuration.alwaysOn
    self.log = log
    pendingCalls = PendingOrientationCalls(on: connection, of: callers)
    clients = Clients(of: callers, limits: configuration.limits)
    pendingCalls.whenDropped = { [unowned(unsafe) self] in adjustSampling() }
    clients.whenChanged = { [unowned(unsafe) self] change in
      log.clients(changed: change)
      restart.changed()
      clientsChanged()
    }
    try BusError.wrapping { () throws(SystemdError) in try listen() }
    object = try ObjectSlot(on: connection.bus, path: DBusNames.path, interface: .device(self))
    sleep.add(self)
    readiness.require { [unowned(unsafe) self] in knowsSensor }
    restore()
    clientsChanged()
    readiness.onNamed { [unowned(unsafe) self] in tellWhatChanged() }
  }

  // MARK: Restarts

  private static let (begun, device) = ("begun", "device")

  /// Takes in what the process before has left, and keeps the same from here on.
  private func restore() {
    let before = (restart.take(Self.device).first?.values ?? []).compactMap {
      UInt32($0).flatMap { DeviceOrientation(rawValue: $0) }
    }
    if before.count == 2 { state.beforeRestart = (before[0], before[1]) }
    for record in restart.take(Self.begun) {
      guard let caller = record.caller, let count = record.values.first.flatMap({ Int($0) }) else { continue }
      clients.restore(caller, count: count)
    }
    restart.keep { [unowned(unsafe) self] in
      [RestartRecord(Self.device, [state.tracked, state.shown].map { "\($0.orientation.rawValue)" })]
        + clients.begun.map { RestartRecord(Self.begun, of: $0.caller, ["\($0.count)"]) }
    }
  }

  /// Tells clients that do not know of the restart what is so now.
  private func tellWhatChanged() {
    guard restart.isRestart else { return }
    let now = state.properties
    var before = now
    before.orientation = state.beforeRestart?.shown ?? .unknown
    // Who begins later starts from nothing.
    state.beforeRestart = nil
    announced = now
    emitChange(of: DeviceProperties.table, in: DBusNames.deviceInterface)
    emitChange(of: DeviceProperties.sensorTable.filter { $0.isAnnounced }, in: DBusNames.sensorInterface)
    if now.isOrientationSignalDue(since: before) { signal(now.orientation, after: before.orientation) }
  }

  private func listen() throws(SystemdError) {
    pace = try AnnouncementPace(loop: connection.loop) { [unowned(unsafe) self] in announce() }
    try sampler.worker.listen(
      on: connection.loop, priority: .beforeBus,
      whenReported: { [unowned(unsafe) self] in
        handleEvents()
        readiness.update()
      },
      whenWatched: { [unowned(unsafe) self] in samplerBecame($0) })
  }

  /// Notifies an observer from here on; it must exist as long as this.
  func add(_ observer: any DeviceObserver) {
    observers.append(DeviceObserverReference(observer: observer))
  }

  /// Makes the accelerometer run for programs that read motion, and its samples go to them; nil ends this.
  ///
  /// They are no subscribers: the orientation stays unknown without any.
  func want(_ motion: MotionDemand?) {
    sampler.want(motion)
    guard (motion != nil) != isNeededForMotion else { return }
    isNeededForMotion = motion != nil
    adjustSampling()
  }

  /// Uses another configuration from now on.
  ///
  /// Clients beyond a new limit stay.
  func reconfigure(_ configuration: Configuration) {
    alwaysOn = configuration.alwaysOn
    clients.limits = configuration.limits
    clientsChanged()
  }

  // MARK: What clients ask for

  var properties: DeviceProperties { state.properties }

  var gravity: Acceleration<ScreenFrame> {
    state.isGenerating ? sampler.link.gravity.value : Acceleration(x: 0, y: 0, z: 0)
  }

  func beginGenerating(_ call: consuming Message) throws(BusError) {
    try callers.identify(call) { [unowned(unsafe) self] call, caller throws(BusError) in
      try clients.begin(call, by: caller)
    }
  }

  func endGenerating(_ call: consuming Message) throws(BusError) {
    try callers.identify(call) { [unowned(unsafe) self] call, caller throws(BusError) in
      try clients.end(call, by: caller)
    }
  }

  func measureOrientation(_ call: consuming Message) throws(BusError) {
    guard state.answer == .unknown else { return try call.answer(state.answer) }
    try callers.identify(call) { [unowned(unsafe) self] call, caller throws(BusError) in
      guard state.answer == .unknown else { return try call.answer(state.answer) }
      if !needsRetry { try refuseWithoutSensor() }
      try pendingCalls.add(call, of: caller)
      adjustSampling()
    }
  }

  func measureGravity(_ call: consuming Message) throws(BusError) {
    try callers.identify(call) { [unowned(unsafe) self] call, caller throws(BusError) in
      guard budget.take(of: caller) else { throw BusError.tooFast("has asked for", "readings of gravity") }
      try authorizer.authorize(call, by: caller, for: .readMotion) {
        [unowned(unsafe) self] call throws(BusError) in
        let gravity = gravity
        guard gravity.magnitudeSquared > 0 else {
          throw .sensorUnavailable(
            "Gravity is known only while the accelerometer runs and delivers;"
              + " BeginGeneratingDeviceOrientationNotifications starts it.")
        }
        try call.answer { reply throws(BusError) in
          for component in [gravity.x, gravity.y, gravity.z] { try reply.append(component) }
        }
      }
    }
  }

  /// Refuses at once if the sensor is known to be absent or to fail: the caller would wait 3 s in vain.
  private func refuseWithoutSensor() throws(BusError) {
    guard knowsSensor else { return }
    switch state.properties.sensorStatus {
    case .absent:
      throw .sensorUnavailable("There is no accelerometer. (orientationctl sensors says more.)")
    case .failed:
      throw .sensorUnavailable("The accelerometer cannot be read. (The journal says more.)")
    case .idle, .starting, .active, .silent: return
    }
  }

  /// Takes in that there are other clients, or that an observer needs the accelerometer, or does not any more.
  func clientsChanged() {
    let isObserved = observers.contains { $0.observer.needsAccelerometer }
    state.isGenerating = alwaysOn || isObserved || !clients.isEmpty
    adjustSampling()
  }

  /// Runs the sensor exactly while there are subscribers, waiting calls or programs that read motion, and the machine is awake.
  private func adjustSampling() {
    let isWanted = state.isGenerating || isNeededForMotion || !pendingCalls.isEmpty
    state.sample(isWanted ? (isAsleep ? .paused : .wanted) : .notWanted)
    if isWanted && !isAsleep {
      isReleased = false
      sampler.start()
    } else {
      sampler.stop()
    }
    announce()
  }

  // MARK: Sleep

  func machine(is phase: MachineSleep.Phase) {
    isAsleep = phase == .asleep
    // The machine may have slept without a notification before: the sensor's state is not known any more.
    if !isAsleep { sampler.stop() }
    adjustSampling()
  }

  // MARK: Events of the sampler

  /// Handles all events that the sampler has posted.
  func handleEvents() {
    sampler.worker.link.drain { event in
      handle(event)
      // An event that is long past, as after this process was frozen, is announced only if there is no newer one.
      if !event.isPast(at: .now) { announce() }
    }
    announce()
    answerPendingCalls()
  }

  private func handle(_ event: SamplerEvent) {
    log.sampler(said: event)
    switch event {
    case .found(let scan):
      knowsSensor = true
      needsRetry = scan.needsRetry
      memory.soon()
      state.found(scan.sensor, warnings: scan.warnings)
      for reference in observers { reference.observer.devicesFound(scan) }
    case .delivering(let session, let sampleRate) where session == sampler.session:
      memory.soon()
      state.delivering(sampleRate: sampleRate)
    case .changed(let session, let change) where session == sampler.session:
      state.changed(change)
      restart.changed()
    case .leans(let session, let tilt) where session == sampler.session:
      for reference in observers { reference.observer.screenLeans(tilt) }
    case .buffered(let session, .silent) where session == sampler.session:
      state.fellSilent()
    case .failed(let session, let error) where session == sampler.session:
      state.failed(error)
    case .released:
      guard sampler.session == nil else { return }
      isReleased = true
      sleep.released()
    case .gravityLength(_, let length): state.learned(gravityLength: length)
    case .buffered, .bufferWorks, .unreadable, .motionEventsLost:
      break  // the orientation and the status hold
    case .delivering, .changed, .leans, .failed:
      break  // of a session that has ended meanwhile
    }
  }

  /// The sampler hangs in the sensor's driver, or responds again.
  func samplerBecame(_ thread: ThreadWatchdog.State) {
    state.isHanging = thread == .hung
    if !state.isHanging || sampler.session != nil { log.samplerBecame(thread) }
    announce()
  }

  private func answerPendingCalls() {
    guard !pendingCalls.isEmpty else { return }
    if state.answer != .unknown {
      pendingCalls.answerAll(.success(state.answer))
    } else {
      do throws(BusError) {
        return try refuseWithoutSensor()
      } catch {
        pendingCalls.answerAll(.failure(error))
      }
    }
    adjustSampling()
  }

  /// A convertible was folded to another mode.
  func folded(to mode: TabletModeFinding) {
    state.tabletMode = mode
    announce()
  }

  /// The accelerometer is mounted so.
  ///
  /// The caller of this has to announce.
  func set(_ mounting: Mounting?) { state.mounting = mounting }

  // MARK: The lock

  /// Holds the orientation that clients see, or lets it follow the device again.
  ///
  /// The caller of this has to announce.
  func set(_ lock: RotationLock) {
    state.set(lock)
  }

  // MARK: Announcing

  /// Announces what differs from the last announcement: the properties of all halves, then their signals.
  ///
  /// All halves take in a turn before any announces it, so that a client that reads a property after any signal reads the new value.
  func announce() {
    let now = state.properties
    let before = announced
    let isTurn = now.orientation != before.orientation
    // A new orientation is announced at once, and all other changes with it. One by which notifications begin or end is no turn of the
    // device: clients can cause it as often as they like while the orientation is known without them, as while rotation is locked.
    let isImmediate = isTurn && now.isGenerating == before.isGenerating
    let isDue = now != before && (isImmediate || pace?.take() != false)
    if isDue {
      announced = now
      restart.changed()
    }
    if isTurn && isDue {
      let change = OrientationChange(orientation: now.orientation, time: state.shown.time)
      for reference in observers { reference.observer.deviceTurned(to: change) }
    }
    if isDue {
      emitChange(of: DeviceProperties.table.changed(from: before, to: now), in: DBusNames.deviceInterface)
      emitChange(
        of: DeviceProperties.sensorTable.changed(from: before, to: now), in: DBusNames.sensorInterface)
    }
    for reference in observers { reference.observer.announceProperties() }
    if isDue, now.isOrientationSignalDue(since: before) { signal(now.orientation, after: before.orientation) }
    for reference in observers { reference.observer.emitSignals() }
    for reference in observers { reference.observer.deviceAnnounced() }
  }

  /// Announces that properties of this interface or another one of the daemon have changed.
  func emitChange<Owner>(of properties: [Property<Owner>], in interface: String) {
    guard connection.isNamed, !properties.isEmpty else { return }
    do throws(BusError) {
      try connection.bus.emitPropertiesChanged(
        path: DBusNames.path, interface: interface, names: properties.map { $0.name })
    } catch {
      log.cannotAnnounce(error)
    }
  }

  private func signal(_ orientation: DeviceOrientation, after previous: DeviceOrientation) {
    emit("OrientationDidChange", in: DBusNames.deviceInterface) { signal throws(BusError) in
      try signal.append(orientation.rawValue)
      try signal.append(previous.rawValue)
      try signal.append(state.shown.time.microseconds)
    } sent: {
      log.announced(orientation)
    }
  }

  /// Sends a signal of this interface or another one of the daemon.
  func emit(
    _ member: String, in interface: String, _ arguments: (borrowing Message) throws(BusError) -> Void,
    sent: () -> Void = {}
  ) {
    guard connection.isNamed else { return }
    do throws(BusError) {
      let signal = try connection.bus.signal(path: DBusNames.path, interface: interface, member: member)
      try arguments(signal)
      try connection.bus.send(signal)
      sent()
    } catch {
      log.cannotAnnounce(error)
    }
  }
}
