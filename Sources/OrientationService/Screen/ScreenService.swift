// SPDX-License-Identifier: Apache-2.0

// The screen half of the service: the interface's orientation, which follows the device, clients and switches. Each
// D-Bus method has the same order: validate, do nothing if nothing changes, authorize, act, persist, announce,
// reply. The announcement does not wait for the disk, the reply does.

import Orientation
import SensorSetup
import Systemd

/// Serves `org.orientationd1.Screen`.
final class ScreenService: DeviceObserver, ServicePart {
  private let connection: Connection
  private let device: DeviceService
  private let callers: Callers
  private let authorizer: Authorizer
  private let keeper: StateKeeper
  private let answers: SettledAnswers
  private var followIn: FollowIn
  private let log: ServiceLog
  private var natural: NaturalOrientation
  private var screen: ScreenOrientation
  private var tabletMode = TabletMode.unknown
  private var announced: ScreenProperties?
  private var budget = CallBudget()
  private var object: ObjectSlot?

  /// Restores the saved state, and puts the object on the bus.
  init(
    connection: Connection, callers: Callers, device: DeviceService, authorizer: Authorizer,
    state: StateKeeper,
    configuration: Configuration, log: ServiceLog
  ) throws(BusError) {
    self.connection = connection
    self.device = device
    self.callers = callers
    self.authorizer = authorizer
    keeper = state
    answers = SettledAnswers(for: state, of: callers)
    self.log = log
    natural = DetectedNaturalOrientation(by: configuration.naturalOrientation).orientation
    followIn = configuration.followIn
    let saved = state.state
    let lock: RotationLock = saved.isRotationLocked ? .locked : .unlocked
    screen = ScreenOrientation(
      natural: natural.interface,
      chosen: saved.interfaceOrientation ?? configuration.initialInterfaceOrientation,
      supported: saved.supported, lock: lock)
    device.set(lock)
    announced = properties
    device.add(self)
    object = try ObjectSlot(on: connection.bus, path: DBusNames.path, interface: .screen(self))
  }

  /// Uses another configuration from now on.
  func reconfigure(_ configuration: Configuration) {
    followIn = configuration.followIn
    follow()
  }

  var properties: ScreenProperties {
    ScreenProperties(
      lock: screen.lock, orientation: screen.current,
      transform: OutputTransform(showing: screen.current, natural: natural),
      supported: screen.supported, tabletMode: tabletMode)
  }

  // MARK: What clients ask for

  func setRotationLock(_ call: consuming Message) throws(BusError) {
    let lock: RotationLock = try call.readBool() ? .locked : .unlocked
    try perform(.setRotationLock, for: call, isChange: { [unowned(unsafe) self] in lock != screen.lock }) {
      [unowned(unsafe) self] () throws(BusError) in set(lock)
    }
  }

  func setInterfaceOrientation(_ call: consuming Message) throws(BusError) {
    let orientation = try InterfaceOrientation(argumentOf: call)
    try BusError.wrapping { () throws(UnsupportedOrientation) in try screen.check(orientation) }
    try perform(.rotate, for: call, isChange: { [unowned(unsafe) self] in orientation != screen.current }) {
      [unowned(unsafe) self] () throws(BusError) in
      try BusError.wrapping { () throws(UnsupportedOrientation) in try screen.rotate(to: orientation) }
      settle()
    }
  }

  func attemptRotationToDeviceOrientation(_ call: consuming Message) throws(BusError) {
    try perform(
      .rotate, for: call,
      isChange: { [unowned(unsafe) self] in screen.deviceCounterpart != screen.current }
    ) {
      [unowned(unsafe) self] () throws(BusError) in
      screen.attemptRotationToDevice()
      settle()
    }
  }

  func setSupportedInterfaceOrientations(_ call: consuming Message) throws(BusError) {
    let mask = try InterfaceOrientationMask(argumentOf: call)
    try perform(.rotate, for: call, isChange: { [unowned(unsafe) self] in mask != screen.supported }) {
      [unowned(unsafe) self] () throws(BusError) in
      try BusError.wrapping { () throws(UnsupportedOrientation) in try screen.support(mask) }
      settle()
    }
  }

  /// Acts when polkit allows it, and replies when the change is on the disk.
  ///
  /// A call that changes nothing needs no authorization, unless an earlier call of the client waits, after which it may be a
  /// change: a client's calls take effect in their order.
  private func perform(
    _ action: AuthorizedAction, for call: consuming Message, isChange: @escaping () -> Bool,
    act: @escaping () throws(BusError) -> Void
  ) throws(BusError) {
    try callers.identify(call) { [unowned(unsafe) self] call, caller throws(BusError) in
      try answers.checkRoom(for: caller)
      guard isChange() || authorizer.isWaiting(caller) else { return answers.answer(call, of: caller) }
      guard budget.take(of: caller) else { throw BusError.tooFast("has made", "changes") }
      try authorizer.authorize(call, by: caller, for: action, answering: .whenSettled(answers)) {
        _ throws(BusError) in try act()
      }
    }
  }

  // MARK: Switches and sensor

  /// A switch was moved or a key pressed, which needs no authorization: the user holds the device.
  func handle(_ event: HardwareSwitches.Event) {
    switch event {
    case .rotationLock(let lock): set(lock)
    case .rotationLockToggled: set(screen.lock.toggled)
    case .tabletMode(let mode):
      tabletMode = mode
      follow()
    }
  }

  private func follow() {
    screen.follow(followIn.follows(in: tabletMode) ? .device : .nothing)
    settle()
  }

  func deviceTurned(to orientation: DeviceOrientation) {
    screen.deviceTurned(to: orientation)
    settle()
  }

  func panelFound(_ natural: NaturalOrientation) {
    guard natural != self.natural else { return }
    self.natural = natural
    screen.set(natural: natural.interface)
    settle()
  }

  // MARK: Acting

  private func set(_ lock: RotationLock) {
    guard lock != screen.lock else { return }
    log.lockChanged(lock)
    device.set(lock)
    // When unlocked, the interface takes the device's present orientation at once, without the held one in between.
    screen.deviceTurned(to: device.properties.orientation)
    screen.set(lock)
    settle()
    device.announce()
  }

  /// Saves what has to survive a restart, and announces what differs from the last announcement.
  private func settle() {
    keeper.keep(
      SavedState(
        isRotationLocked: screen.lock == .locked, interfaceOrientation: screen.lasting,
        supported: screen.supported))
    let now = properties
    guard let before = announced, now != before else { return }
    announced = now
    do throws(BusError) {
      try connection.bus.emitPropertiesChanged(
        path: DBusNames.path, interface: DBusNames.screenInterface, names: now.changedNames(since: before))
    } catch {
      log.cannotAnnounce(error)
    }
  }
}
