// SPDX-License-Identifier: Apache-2.0

// The screen half of the service: the interface's orientation, which follows the device, clients and switches. Each
// D-Bus method has the same order: validate, do nothing if nothing changes, authorize, act, persist, announce,
// reply. The announcement does not wait for the disk, the reply does.

import IIO
import Orientation
import SensorSetup
import Systemd

/// Serves `org.orientationd1.Screen`.
final class ScreenService: DeviceObserver, ServicePart {
  /// For how long a hold waits for the first orientation of the device, in seconds: sensors have one after 0.1 to 0.3 s.
  private static let waitSeconds = 1.0

  private let connection: Connection
  private let device: DeviceService
  let authorizer: Authorizer
  private let sampler: Sampler
  private let keeper: StateKeeper
  private let restart: RestartKeeper
  /// What waits for the disk, in the order of each client's calls.
  let answers: SettledAnswers
  private let changes: AuthorizedChanges
  private var followIn: FollowIn
  private let log: ServiceLog
  /// Who turns the screen.
  let followers: ScreenFollowers
  private var natural: NaturalOrientation
  private var home: NaturalOrientation
  private var screen: HeldOrientation
  private let holds: OrientationHolds
  private var tabletMode = TabletMode.unknown
  /// What the interface did before a restart, or before the mode was unknown, until that is known; nil without either, and if the
  /// configuration has another initial orientation since.
  private var followingBefore: ScreenOrientation.Following?
  private var announced: ScreenProperties?
  /// Whether something had decided on the orientation by the last change: a hold that has ended since has, too.
  private var hasBeenDecided = false
  /// Ends the wait of holds for the first orientation of the device.
  private var waitEnds: Timer?
  private var object: ObjectSlot?

  /// Called after each change that is not the device's was announced; ``DeviceObserver/deviceAnnounced()`` follows those.
  var whenSettled: () -> Void = {}

  /// What was signalled last, and when the present orientation was taken.
  private var signalled: (orientation: InterfaceOrientation, lock: RotationLock)
  private var turned: (to: InterfaceOrientation, at: BootTime)

  /// Restores the saved state, and puts the object on the bus.
  init(
    connection: Connection, device: DeviceService, authorizer: Authorizer,
    sampler: Sampler, state: StateKeeper, restart: RestartKeeper,
    configuration: Configuration, log: ServiceLog
  ) throws(BusError) {
    self.connection = connection
    self.device = device
    self.authorizer = authorizer
    self.sampler = sampler
    keeper = state
    self.restart = restart
    answers = SettledAnswers(for: state, of: authorizer.callers)
    changes = AuthorizedChanges(by: authorizer, answers: answers)
    self.log = log
    let panel = DetectedNaturalOrientation(
      by: configuration.naturalOrientation, laptop: configuration.laptopOrientation)
    (natural, home) = (panel.orientation, panel.home)
    followIn = configuration.followIn
    let saved = state.state
    let lock: RotationLock = saved.isRotationLocked ? .locked : .unlocked
    let before = ShownBefore(restart.take(ShownBefore.word).first?.values ?? [])
    let initial = configuration.initialInterfaceOrientation
    // What clients saw before a restart, the device's half has announced by now, and does not repeat to the interface.
    device.set(lock)
    screen = HeldOrientation(
      ScreenOrientation(
        home: home.interface,
        chosen: saved.interfaceOrientation,
        initial: before.followed != nil && initial == before.initial ? nil : initial,
        followed: before.followed, upright: before.upright, device: device.properties.orientation,
        supported: saved.supported, lock: lock))
    followingBefore =
      saved.interfaceOrientation == nil && initial != before.initial ? nil : before.following
    // A lock, or a choice, that was not saved is lost; so is the orientation of the configuration that is not there any more.
    if screen.unheld.lasting == nil, !screen.unheld.isInitial, before.following == .device {
      screen.change { $0.attemptRotationToDevice() }
    }
    followers = ScreenFollowers(authorizer: authorizer, limits: configuration.limits)
    hasBeenDecided = before.followed != nil
    signalled = (before.shown ?? screen.current, lock)
    turned = (screen.current, .now)
    holds = OrientationHolds(of: authorizer.callers, permissions: authorizer.permissions)
    holds.whenChanged = { [unowned(unsafe) self] in holdsChanged() }
    keeper.whenSettled = { [unowned(unsafe) self] in
      announceProperties()
      answers.sendDue()
    }
    followers.whenChanged = { [unowned(unsafe) self] in
      restart.changed()
      device.clientsChanged()
      announceProperties()
    }
    waitEnds = try BusError.wrapping { () throws(SystemdError) in
      try connection.loop.timer { [unowned(unsafe) self] in endWait() }
    }
    let orientations = holds.restore(restart.take(OrientationHolds.word), shown: before.shown)
    followers.restore(restart.take(ScreenFollowers.word))
    screen.hold(holds.masks, on: device.present, since: orientations)
    turned.to = screen.current
    announced = properties
    restart.keep { [unowned(unsafe) self] in
      let before = ShownBefore(
        followed: isDecided && !screen.unheld.isInitial ? screen.unheld.current : nil,
        upright: screen.unheld.lastUpright,
        shown: screen.current, initial: initial,
        following: followingBefore ?? screen.unheld.following)
      return [RestartRecord(ShownBefore.word, before.values)] + holds.records(on: screen)
        + followers.records
    }
    object = try ObjectSlot(on: connection.bus, path: DBusNames.path, interface: .screen(self))
    device.add(self)
    if needsAccelerometer { device.clientsChanged() }
  }

  /// Tells clients that do not know of a restart what is so now.
  ///
  /// Without a restart, nobody has known anything else.
  func tellWhatChanged() {
    announced = properties
    guard restart.isRestart else { return signalled = (screen.current, screen.unheld.lock) }
    device.emitChange(of: ScreenProperties.table, in: DBusNames.screenInterface)
    emitSignals()
  }

  /// Uses another configuration from now on.
  func reconfigure(_ configuration: Configuration) {
    followIn = configuration.followIn
    followers.limit(to: configuration.limits)
    follow()
  }

  var properties: ScreenProperties {
    ScreenProperties(
      lock: screen.unheld.lock, orientation: screen.current, isDecided: isDecided,
      suggested: screen.suggested(on: device.present),
      transform: transform,
      supported: screen.unheld.supported, effective: screen.effective, holds: listedHolds,
      followers: followers.names, otherSensorProxy: followers.otherSensorProxy,
      responsiveness: sampler.responsiveness,
      isStateKept: keeper.isKept)
  }

  private var listedHolds: [ListedHold] {
    holds.effective.map {
      ListedHold(hold: $0, waits: screen.unheld.supported.isDisjoint(with: $0.request.mask))
    }
  }

  private var transform: OutputTransform { OutputTransform(showing: screen.current, natural: natural) }

  /// How the interface is shown; nil if nothing has decided that yet.
  var decidedTransform: OutputTransform? { isDecided ? transform : nil }

  /// Whether anything has decided on the orientation.
  private var isDecided: Bool { hasBeenDecided || !screen.isUndecided }

  // MARK: Calls of clients: the lock and the orientation

  func setRotationLock(_ call: consuming Message) throws(BusError) {
    let lock: RotationLock = try call.readBool() ? .locked : .unlocked
    try changes.perform(
      .setRotationLock, for: call, isChange: { [unowned(unsafe) self] _ in lock != screen.unheld.lock }
    ) {
      [unowned(unsafe) self] _ throws(BusError) in set(lock)
    }
  }

  func toggleRotationLock(_ call: consuming Message) throws(BusError) {
    var now = RotationLock.unlocked
    try changes.perform(
      .setRotationLock, for: call, isChange: { _ in true },
      results: { reply throws(BusError) in try reply.append(now == .locked) }
    ) {
      [unowned(unsafe) self] _ throws(BusError) in
      set(screen.unheld.lock.toggled)
      now = screen.unheld.lock
    }
  }

  func rotate(_ call: consuming Message) throws(BusError) {
    let orientation = try InterfaceOrientation(argumentOf: call)
    try changes.perform(
      .rotate, for: call,
      // What a hold shows now is a choice of the person only if it is asked for.
      isChange: { [unowned(unsafe) self] _ throws(BusError) in
        try BusError.wrapping { () throws(UnsupportedOrientation) in try screen.check(orientation) }
        return orientation != screen.current || orientation != screen.unheld.current || !isDecided
      }
    ) {
      [unowned(unsafe) self] _ throws(BusError) in
      try BusError.wrapping { () throws(UnsupportedOrientation) in try screen.rotate(to: orientation) }
      settle()
    }
  }

  func rotateToDevice(_ call: consuming Message) throws(BusError) {
    var now = screen.current
    try changes.perform(
      .rotate, for: call,
      isChange: { [unowned(unsafe) self] _ in screen.deviceCounterpart != screen.current },
      results: { reply throws(BusError) in try reply.append(now.rawValue) }
    ) {
      [unowned(unsafe) self] _ throws(BusError) in
      screen.attemptRotationToDevice()
      settle()
      now = screen.current
    }
  }

  func setSupportedInterfaceOrientations(_ call: consuming Message) throws(BusError) {
    let mask = try InterfaceOrientationMask(argumentOf: call)
    try changes.perform(
      .rotate, for: call, isChange: { [unowned(unsafe) self] _ in mask != screen.unheld.supported }
    ) {
      [unowned(unsafe) self] _ throws(BusError) in
      try BusError.wrapping { () throws(UnsupportedOrientation) in
        try screen.support(mask, on: device.present)
      }
      settle()
    }
  }

  func setResponsiveness(_ call: consuming Message) throws(BusError) {
    let word = try call.readString()
    let responsiveness = Responsiveness(rawValue: word)
    guard responsiveness != nil || word.isEmpty else {
      throw .invalidArguments(
        "\"\(word.printable)\" is none of calm, normal and quick; an empty text is what the configuration says."
      )
    }
    try changes.perform(
      .rotate, for: call,
      isChange: { [unowned(unsafe) self] _ in responsiveness != keeper.state.responsiveness }
    ) {
      [unowned(unsafe) self] _ throws(BusError) in
      var state = keeper.state
      state.responsiveness = responsiveness
      keeper.keep(state)
      log.responsivenessChanged(responsiveness)
      sampler.use(responsiveness)
      announceProperties()
    }
  }

  // MARK: Calls of clients: holds

  func holdInterfaceOrientations(_ call: consuming Message) throws(BusError) {
    let request = try OrientationHoldRequest(argumentsOf: call)
    var number: UInt32 = 0
    try changes.perform(
      .hold, for: call,
      isChange: { [unowned(unsafe) self] caller throws(BusError) in
        try check(request, of: caller)
        return true
      },
      results: { reply throws(BusError) in try reply.append(number) }
    ) {
      [unowned(unsafe) self] caller throws(BusError) in
      try check(request, of: caller)
      number = holds.add(request, of: caller)
      holdsChanged()
    }
  }

  private func check(_ request: OrientationHoldRequest, of caller: Caller) throws(BusError) {
    if holds.repeated(request, of: caller) != nil { return }
    try holds.checkRoom(for: caller)
  }

  func releaseInterfaceOrientations(_ call: consuming Message) throws(BusError) {
    let number = try call.readUInt32()
    // A hold that polkit still looks at comes first.
    try authorizer.inTurn(call) { [unowned(unsafe) self] call, caller throws(BusError) in
      try holds.remove(number, of: caller)
      holdsChanged()
      try call.reply().send()
    }
  }

  private func holdsChanged() {
    // The first one may have come, or count again, with the first subscription.
    if device.isDeciding, !screen.isHeld, !holds.effective.isEmpty, !screen.awaitsDevice {
      screen.awaitsDevice = true
      waitEnds?.arm(afterSeconds: Self.waitSeconds)
    }
    screen.hold(holds.masks, on: device.present)
    settle()
  }

  /// Has holds that have come with the first subscription count, however the device is held.
  private func endWait() {
    guard screen.awaitsDevice else { return }
    waitEnds?.cancel()
    screen.awaitsDevice = false
    screen.hold(holds.masks, on: device.present)
    settle()
  }

  // MARK: Events of the machine

  /// The switch of the lock was moved: hands on the device need no permission.
  func lockSwitchMoved(to lock: RotationLock) { set(lock) }

  /// The key of the lock was pressed.
  func lockKeyPressed() { set(screen.unheld.lock.toggled) }

  /// A convertible was folded to another mode.
  func folded(to mode: TabletModeFinding) {
    tabletMode = mode.mode
    follow()
  }

  private func follow() {
    let following: ScreenOrientation.Following = followIn.follows(in: tabletMode) ? .device : .nothing
    if tabletMode == .unknown {
      // It is no fold: what a person has chosen stays, if the mode is known again as it was.
      followingBefore = followingBefore ?? screen.unheld.following
      screen.change { $0.resume(following) }
    } else {
      let before = followingBefore ?? screen.unheld.following
      followingBefore = nil
      screen.change { $0.follow(following, since: before) }
    }
    settle()
  }

  /// A client that turns the screen needs to know where to.
  var needsAccelerometer: Bool { followers.areRegistered }

  func deviceAnnounced() {
    // A sensor that has failed decides nothing.
    if !device.isDeciding { endWait() }
  }

  func deviceTurned(to change: OrientationChange) {
    if screen.awaitsDevice, change.orientation != .unknown {
      screen.hold(holds.masks, on: device.present)
    }
    screen.change { $0.deviceTurned(to: change.orientation) }
    keep(at: change.time)
  }

  func devicesFound(_ scan: SensorScan) {
    let (natural, home) = (scan.natural.orientation, scan.natural.home)
    guard natural != self.natural || home != self.home else { return }
    (self.natural, self.home) = (natural, home)
    screen.change { $0.set(home: home.interface) }
    settle()
  }

  // MARK: Acting

  private func set(_ lock: RotationLock) {
    guard lock != screen.unheld.lock else { return }
    log.lockChanged(lock)
    device.set(lock)
    // Unlocked, the interface turns directly to the device's present orientation, not by way of the one in which it was locked.
    let present = device.properties.orientation
    screen.change {
      $0.deviceTurned(to: present)
      $0.set(lock)
    }
    keep(at: .now)
    // The device's half announces first, and this one with it.
    device.announce()
  }

  /// Saves the lasting state, and announces what differs from the last announcement.
  private func settle() {
    keep(at: .now)
    announceProperties()
    emitSignals()
    whenSettled()
  }

  private func keep(at time: BootTime) {
    if screen.current != turned.to { turned = (screen.current, time) }
    hasBeenDecided = isDecided
    restart.changed()
    var state = keeper.state
    state.isRotationLocked = screen.unheld.lock == .locked
    state.interfaceOrientation = screen.unheld.lasting
    state.supported = screen.unheld.supported
    keeper.keep(state)
  }

  // MARK: Announcing

  func announceProperties() {
    let now = properties
    guard connection.isNamed, let before = announced, now != before else { return }
    announced = now
    device.emitChange(
      of: ScreenProperties.table.changed(from: before, to: now), in: DBusNames.screenInterface)
  }

  func emitSignals() {
    guard connection.isNamed else { return }
    let (orientation, lock) = (screen.current, screen.unheld.lock)
    if lock != signalled.lock {
      device.emit("RotationLockDidChange", in: DBusNames.screenInterface) { signal throws(BusError) in
        try signal.append(lock == .locked)
        try signal.append(BootTime.now.microseconds)
      }
    }
    if orientation != signalled.orientation {
      device.emit("InterfaceOrientationDidChange", in: DBusNames.screenInterface) { signal throws(BusError) in
        try signal.append(orientation.rawValue)
        try signal.append(signalled.orientation.rawValue)
        try signal.append(turned.at.microseconds)
      }
    }
    signalled = (orientation, lock)
  }
}

/// How the interface was shown before a restart.
private struct ShownBefore {
  static let word = "interface"

  /// Its orientation without holds; nil if nothing had decided on it.
  var followed: InterfaceOrientation?
  /// The last orientation of the device in which it was upright.
  var upright: InterfaceOrientation?
  /// Its orientation.
  var shown: InterfaceOrientation?
  /// What the configuration said of it.
  var initial: InterfaceOrientation?
  /// Whether it followed its device.
  var following: ScreenOrientation.Following?
}

extension ShownBefore {
  init(_ values: [String]) {
    guard values.count == 5 else { return }
    let orientations = values.map { InterfaceOrientation(name: $0) }.map { $0 == .unknown ? nil : $0 }
    following = ScreenOrientation.Following(rawValue: values[4])
    (followed, upright, shown, initial) = (orientations[0], orientations[1], orientations[2], orientations[3])
  }

  var values: [String] {
    [followed, upright, shown, initial].map { ($0 ?? .unknown).name } + [(following ?? .device).rawValue]
  }
}
