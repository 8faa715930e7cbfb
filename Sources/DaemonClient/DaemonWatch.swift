// SPDX-License-Identifier: Apache-2.0

// How data flows. The program says what it wants: notifications, holds, the state of the screen. NameOwnerChanged reports each owner of
// the daemon's name, and each is told in this order: begin, hold, then read all properties, so that no change in between is missed. What
// this owner answers and signals comes back as events; the signals of other senders and late answers are ignored. The bus is asked only
// once, at the beginning, to start the daemon: one that is stopped later is not started again against the administrator's will.
//
// orientationctl has one loop, which waits for this too; in an app, DaemonConnection has this on the thread of the bus. So there is nothing of
// Swift's concurrency here.

package import Orientation
package import Systemd

/// A conversation with the daemon in an event loop, over restarts of the daemon, until the connection to the bus ends.
package final class DaemonWatch {
  /// What happens.
  package enum Event: Sendable {
    /// A daemon runs; what was known of the one before is void.
    case appeared
    /// All properties of the device were read.
    case device(DeviceSnapshot)
    /// Properties of the device have changed.
    case deviceChanged(from: DeviceSnapshot, to: DeviceSnapshot)
    /// The device was turned.
    case turned(DeviceOrientation, decidedAt: BootTime)
    /// All properties of the screen were read, or some have changed.
    case screen(ScreenSnapshot)
    /// A daemon that has started later has granted a hold, or has refused it with this error.
    case heldAgain(BusError?)
    /// A daemon is waited for.
    case waiting(Wait, Problem)
    /// The daemon has sent something that cannot be read: it may have another version.
    case misunderstood(Problem)
    /// The daemon refuses to notify this program, or to tell its state.
    case refused(Problem)
    /// The connection to the bus has ended, or is of no use.
    case disconnected(Problem)
  }

  /// Why a daemon is waited for.
  package enum Wait: Sendable {
    /// None runs, and the bus could not start one.
    case notStarted
    /// It has ended.
    case stopped
    /// It does not answer, and is asked again.
    case silent
  }

  /// What is wrong.
  package struct Problem: Sendable {
    /// What the bus or the daemon has reported.
    package let error: BusError
    /// A sentence for people.
    package let text: String
  }

  /// What is wanted of the daemon.
  package enum Interest {
    /// The screen, how the device is held, for which the sensor has to run, and when it was turned.
    case turns
    /// The screen only.
    case screen
    /// The screen, and the properties of the device while ``setWantsDevice(_:)`` says so.
    ///
    /// Questions have no time limit: a daemon that hangs answers them later.
    case wishes
  }

  /// How long a released hold waits for the answer that grants it, in seconds: as long as D-Bus does.
  package static let patienceSeconds = 25.0
  /// How long to wait before a call that takes something back is repeated, in seconds: the daemon counts calls per second.
  private static let cancelRetrySeconds = 1.0

  /// The unique name of the running daemon; nil while none runs.
  package private(set) var daemon: String?
  /// The device, as far as the running daemon has told.
  package private(set) var device = DeviceSnapshot()

  /// What the closures of calls refer to: they last until the answer, perhaps longer than this.
  private let me = Reference()
  private let bus: Bus
  private let place: Bus.Address
  private let loop: EventLoop
  private let interest: Interest
  private let holds: HeldOrientations
  private let tell: (Event) -> Void
  private var owner: NameOwner?
  private var orientationDidChange: Slot?
  private var propertiesChanged: Slot?
  private var disconnected: Slot?
  /// Whether the device is wanted.
  private var wantsDevice: Bool
  /// Whether the running daemon was called to begin, and has not refused.
  private var isBegun = false
  /// Whether the daemon was called to end the notifications, and has not answered yet.
  private var isEnding = false
  /// Whether a daemon that has ended was called to begin: the next one may have kept that.
  private var mayBeBegun = false
  /// Whether the daemon has refused a question since everything was asked.
  private var isRefused = false
  /// Counts the times that everything is asked anew: answers to questions before are out of date.
  private var inquiry = 0
  /// Whether the daemon has answered with all properties of the device and its sensor.
  private var isDeviceRead = false
  /// Nil until the daemon has answered with all properties, which contain every change that was announced before.
  private var screen: ScreenSnapshot?

  /// A weak reference, which Embedded Swift does not have.
  private final class Reference {
    unowned(unsafe) var watch: DaemonWatch?
  }

  /// Adds the match rules.
  ///
  /// - Parameters:
  ///   - place: the bus.
  ///   - bus: the connection to it, which the loop reads.
  ///   - interest: what is wanted of the daemon.
  ///   - loop: the loop of this thread.
  ///   - holds: those that this program has, also from an earlier connection.
  ///   - tell: receives what happens; it must not destroy the watch.
  /// - Throws: `BusError` if the bus does not work.
  package init(
    _ place: Bus.Address, _ bus: Bus, for interest: Interest, loop: EventLoop,
    holds: HeldOrientations = HeldOrientations(), tell: @escaping (Event) -> Void
  ) throws(BusError) {
    self.bus = bus
    self.place = place
    self.loop = loop
    self.interest = interest
    self.holds = holds
    self.tell = tell
    wantsDevice = interest == .turns
    me.watch = self
    owner = try NameOwner(of: DBusNames.service, on: self.bus)
    owner?.whenChanged { [unowned(unsafe) self] in ownerChanged() }
    if interest == .turns {
      orientationDidChange = try match("OrientationDidChange", of: DBusNames.deviceInterface) {
        [unowned(unsafe) self] signal throws(BusError) in try turned(signal)
      }
    }
    propertiesChanged = try match("PropertiesChanged", of: DaemonCall.propertiesInterface) {
      [unowned(unsafe) self] signal throws(BusError) in try changed(signal)
    }
    disconnected = try self.bus.onDisconnected { [unowned(unsafe) self] in
      forgetDaemon()
      holds.ended(.connection)
      tell(.disconnected(problem(.noBus, "the connection to the \(place.name) bus has ended")))
    }
  }

  deinit { me.watch = nil }

  /// Starts to tell; the bus starts the daemon if it does not run.
  package func start() {
    if let owner = owner?.uniqueName { return appeared(owner) }
    sending { () throws(BusError) in
      let call = try bus.methodCall(
        destination: "org.freedesktop.DBus", path: "/org/freedesktop/DBus", interface: "org.freedesktop.DBus",
        member: "StartServiceByName")
      try call.append(DBusNames.service)
      try call.append(0 as UInt32)
      try bus.callAsync(call) { [me] reply in
        guard let watch = me.watch, let error = reply.error, watch.daemon == nil else { return }
        let reason =
          error.name == BusError.Name.serviceUnknown ? "" : ", and could not be started: \(error.message)"
        let text =
          "orientationd does not run on the \(watch.place.name) bus\(reason); waiting for it "
          + "(\(watch.place.startHint))"
        watch.tell(.waiting(.notStarted, watch.problem(error, text)))
      }.detach()
    }
  }

  /// Begins or ends the notifications.
  package func setWantsDevice(_ wanted: Bool) {
    wantsDevice = wanted
    guard daemon != nil, wanted != isBegun else { return }
    if !wanted {
      isBegun = false
      forgetDevice()
      endNotifications()
    }
    inquire()
  }

  /// Asks again if the daemon has refused a question.
  package func askAgain() {
    if isRefused { inquire() }
  }

  /// Ends the subscription, without waiting for the answer.
  package func end() {
    guard let daemon else { return }
    self.daemon = nil
    if isBegun { endSubscription(to: daemon) }
  }

  private func endSubscription(to daemon: String) {
    // If this fails, the subscription ends when this client leaves the bus.
    do throws(BusError) {
      try bus.send(
        try DaemonCall.device("EndGeneratingDeviceOrientationNotifications").message(on: bus, to: daemon))
    } catch {}
  }

  /// Calls a method of the running daemon, without waiting for the answer.
  ///
  /// - Parameters:
  ///   - call: the call.
  ///   - answered: receives the answer, which may be an error.
  /// - Returns: whether it was called; not without a daemon.
  package func call(_ call: DaemonCall, answered: @escaping (borrowing Message) -> Void) -> Bool {
    guard let daemon else { return false }
    return sending { () throws(BusError) in try call.send(on: bus, to: daemon, answered: answered) }
  }

  /// Sends a call, and calls one of the handlers once.
  ///
  /// - Parameters:
  ///   - call: the call.
  ///   - destination: the bus starts a daemon that does not run only for the well-known name.
  ///   - answered: reads the answer.
  ///   - failed: receives the error of the call, or of the reading.
  package func send(
    _ call: DaemonCall, to destination: String = DBusNames.service,
    answered: @escaping (borrowing Message) throws(BusError) -> Void, failed: @escaping (BusError) -> Void
  ) {
    do throws(BusError) {
      try call.send(on: bus, to: destination) { reply in
        do throws(BusError) {
          if let error = reply.error { throw error }
          try answered(reply)
        } catch {
          failed(error)
        }
      }
    } catch {
      failed(error)
    }
  }

  // MARK: Signals

  private func match(
    _ member: String, of interface: String, _ handler: @escaping (borrowing Message) throws(BusError) -> Void
  ) throws(BusError) -> Slot {
    try bus.match(
      "type='signal',sender='\(DBusNames.service)',path='\(DBusNames.path)',interface='\(interface)',"
        + "member='\(member)'"
    ) { [unowned(unsafe) self] signal in if owner?.hasSent(signal) == true { read(signal, handler) } }
  }

  private func read(
    _ message: borrowing Message, _ body: (borrowing Message) throws(BusError) -> Void
  ) {
    do throws(BusError) {
      try body(message)
    } catch {
      let text = "the daemon sent something that this orientationctl does not understand: \(error)"
      tell(.misunderstood(problem(error, text)))
    }
  }

  private func turned(_ signal: borrowing Message) throws(BusError) {
    // The answer that is awaited has this orientation.
    guard isDeviceRead else { return }
    let raw = try signal.readUInt32()
    try signal.skip("u")
    let microseconds = try signal.readUInt64()
    tell(
      .turned(
        DeviceOrientation(rawValue: raw) ?? .unknown,
        decidedAt: BootTime(nanoseconds: Int64(clamping: microseconds) &* 1000)))
  }

  private func changed(_ signal: borrowing Message) throws(BusError) {
    switch try signal.readString() {
    case DBusNames.deviceInterface where wantsDevice, DBusNames.sensorInterface where wantsDevice:
      // As long as nothing was read, an answer is awaited that has this change.
      guard device != DeviceSnapshot() else { return }
      let before = device
      try device.update(from: signal)
      guard isDeviceRead else { return }
      tell(.deviceChanged(from: before, to: device))
      if let screen, device.tabletMode != before.tabletMode { show(screen) }
    case DBusNames.screenInterface:
      guard var changed = screen else { return }
      try changed.update(from: signal)
      show(changed)
    default: break
    }
  }

  private func show(_ shown: ScreenSnapshot) {
    var screen = shown
    screen.update(from: device)
    self.screen = screen
    tell(.screen(screen))
  }

  // MARK: The daemon starts and stops

  private func ownerChanged() {
    guard owner?.uniqueName != daemon else { return }
    if daemon != nil {
      mayBeBegun = isBegun || isEnding || mayBeBegun
      isEnding = false
      forgetDaemon()
      holds.ended(.daemon)
      tell(
        .waiting(
          .stopped, problem(.noDaemon, "orientationd has stopped; waiting for it to start again")))
    }
    if let owner = owner?.uniqueName { appeared(owner) }
  }

  private func forgetDevice() {
    device = DeviceSnapshot()
    isDeviceRead = false
  }

  private func forgetDaemon() {
    daemon = nil
    forgetDevice()
    screen = nil
    isBegun = false
    isRefused = false
    inquiry += 1
  }

  private func appeared(_ owner: String) {
    daemon = owner
    forgetDevice()
    screen = nil
    isBegun = false
    tell(.appeared)
    // One that has kept what this program had begun and held must hear first what it wants no more.
    releaseUnwanted()
    if mayBeBegun, !wantsDevice { endNotifications() }
    mayBeBegun = false
    inquire()
  }

  private func endNotifications() {
    isEnding = true
    takeBack(.device("EndGeneratingDeviceOrientationNotifications", authorization: .silentWithoutLimit)) {
      [me] isHeard in
      if isHeard { me.watch?.isEnding = false }
    }
  }

  private func inquire() {
    inquiry += 1
    isRefused = false
    guard wantsDevice, !isBegun else { return holdAndRead() }
    isBegun = true
    ask(.device("BeginGeneratingDeviceOrientationNotifications")) { [unowned(unsafe) self] _ in
      holdAndRead()
    } refused: { [unowned(unsafe) self] in
      isBegun = false
      holdAndRead()
    }
  }

  private func holdAndRead() {
    takeHolds()
    guard isBegun else { return readScreen() }
    ask(.allProperties(of: DBusNames.deviceInterface)) { [unowned(unsafe) self] reply in
      read(reply) { reply throws(BusError) in try device.update(from: reply) }
      askSensor()
    } refused: { [unowned(unsafe) self] in
      readScreen()
    }
  }

  /// Reads what there is of the sensor: another version may not have it.
  private func askSensor() {
    ask(.allProperties(of: DBusNames.sensorInterface), isOptional: true) { [unowned(unsafe) self] reply in
      read(reply) { reply throws(BusError) in try device.update(from: reply) }
      deviceIsRead()
    } refused: { [unowned(unsafe) self] in
      deviceIsRead()
    }
  }

  private func deviceIsRead() {
    isDeviceRead = true
    tell(.device(device))
    readScreen()
  }

  private func readScreen() {
    ask(.allProperties(of: DBusNames.screenInterface)) { [unowned(unsafe) self] reply in
      read(reply) { reply throws(BusError) in
        show(try ScreenSnapshot(from: reply))
      }
    }
  }

  // MARK: Questions

  /// Asks the running daemon.
  ///
  /// - Parameters:
  ///   - question: the call.
  ///   - isOptional: whether a refusal is nothing to tell of.
  ///   - answered: receives the answer, unless everything was asked anew since.
  ///   - refused: called after the error was told.
  private func ask(
    _ question: DaemonCall, isOptional: Bool = false, _ answered: @escaping (borrowing Message) -> Void,
    refused: @escaping () -> Void = {}
  ) {
    guard let daemon else { return }
    var question = question
    if interest == .wishes { question.authorization = .silentWithoutLimit }
    let inquiry = inquiry
    sending { () throws(BusError) in
      try question.send(on: bus, to: daemon) { [me] reply in
        guard let watch = me.watch, inquiry == watch.inquiry else { return }
        // Some buses deliver replies to no call of ours.
        guard !reply.isFromConnection || watch.owner?.hasSent(reply) == true else { return }
        guard let error = reply.error else { return answered(reply) }
        switch error.name {
        case BusError.Name.serviceUnknown, BusError.Name.nameHasNoOwner, BusError.Name.disconnected:
          break  // The daemon has stopped meanwhile; NameOwnerChanged reports that.
        // NoReply is what libsystemd reports after its timeout, and the bus after the daemon's end: it refuses what is asked then.
        case BusError.Name.timeout, BusError.Name.noReply:
          watch.tell(.waiting(.silent, watch.problem(error, "orientationd does not answer; asking again")))
          watch.waitForAnswer()
        default:
          if !isOptional {
            watch.isRefused = true
            watch.tell(.refused(watch.problem(error, "orientationd refuses the request: \(error)")))
          }
          refused()
        }
      }
    }
  }

  /// Begins anew once a daemon that does not answer tells something that it asks of nobody.
  ///
  /// It carries out later what waits for it, and counts that: so nothing else is repeated before.
  private func waitForAnswer() {
    inquiry += 1
    let goOn = { [unowned(unsafe) self] in
      guard let daemon else { return }
      if isBegun { endSubscription(to: daemon) }
      appeared(daemon)
    }
    ask(.allProperties(of: DBusNames.screenInterface), isOptional: true) { _ in
      goOn()
    } refused: {
      goOn()
    }
  }

  @discardableResult
  private func sending(_ body: () throws(BusError) -> Void) -> Bool {
    do throws(BusError) {
      try body()
      return true
    } catch {
      tell(.disconnected(problem(error, "cannot contact orientationd: \(error)")))
      return false
    }
  }

  private func problem(_ error: BusError, _ text: String) -> Problem { Problem(error: error, text: text) }
}

// Holds. They are taken again from each later daemon, as one without a runtime folder has not kept them; one that has gives the same
// numbers again.
extension DaemonWatch {
  /// Takes a hold, and takes it again from each later daemon; the bus starts one if none runs.
  ///
  /// - Parameters:
  ///   - request: what to hold.
  ///   - answered: receives the hold, or why it is not granted. Answers of later daemons are events.
  package func hold(
    _ request: HoldRequest, answered: @escaping (Result<HeldOrientations.ID, BusError>) -> Void
  ) {
    holds.asksForNew()
    send(request.call) { [holds, me] reply throws(BusError) in
      answered(.success(holds.add(request, number: try reply.readUInt32())))
      me.watch?.releaseUnwanted()
    } failed: { [holds, me] error in
      holds.isRefusedNew()
      answered(.failure(error))
      me.watch?.releaseUnwanted()
    }
  }

  /// Releases a hold, and calls back when the daemon has heard that, or does not answer.
  package func release(_ hold: HeldOrientations.ID, answered: @escaping () -> Void) {
    var waiting: (() -> Void)? = answered
    let stopWaiting = {
      let answered = waiting
      waiting = nil
      answered?()
    }
    switch holds.remove(hold, whenAnswered: stopWaiting) {
    case .nothing:
      releaseUnwanted()
      stopWaiting()
    // The hold is released whenever the daemon grants it.
    case .later: later(seconds: Self.patienceSeconds, stopWaiting)
    case .release(let number):
      release(number: number, answered: stopWaiting)
      takeHolds()
    }
  }

  /// Releases what the daemon may have kept of holds that are not wanted any more.
  private func releaseUnwanted() {
    guard daemon != nil else { return }
    for number in holds.takeUnwanted() { release(number: number) {} }
  }

  private func release(number: UInt32, answered: @escaping () -> Void) {
    holds.releases(number)
    takeBack(.screen("ReleaseInterfaceOrientations", .uint32(number), authorization: .silent)) {
      [holds] isHeard in
      if isHeard { holds.hasReleased(number) }
      answered()
    }
  }

  /// Makes a call that takes something back, again and again if the daemon has too much to do.
  ///
  /// - Parameters:
  ///   - call: the call.
  ///   - answered: receives whether the daemon has heard it. One that has ended may not; the next one is told when it appears.
  private func takeBack(_ call: DaemonCall, answered: @escaping (_ isHeard: Bool) -> Void) {
    guard let daemon else { return answered(false) }
    send(call, to: daemon) { _ in
      answered(true)
    } failed: { [me] error in
      guard let watch = me.watch, error.name == BusError.Name.limitsExceeded else {
        return answered(!error.isWithoutAnswer)
      }
      watch.later(seconds: Self.cancelRetrySeconds) { [me] in
        guard let watch = me.watch, watch.daemon == daemon else { return answered(false) }
        watch.takeBack(call, answered: answered)
      }
    }
  }

  /// Does something once after some time; at once if there are no descriptors left for a timer.
  private func later(seconds: Double, _ work: @escaping () -> Void) {
    var deadline: Deadline?
    deadline = Deadline(on: loop, seconds: seconds) {
      work()
      withExtendedLifetime(deadline) { deadline = nil }
    }
    if deadline?.isWaiting == false { work() }
  }

  /// Takes the holds that a daemon before had.
  package func takeHolds() {
    guard let daemon else { return }
    for (hold, request) in holds.missing {
      holds.requested(hold)
      send(request.call, to: daemon) { [me] reply throws(BusError) in
        me.watch?.answered(hold, by: daemon, number: try reply.readUInt32(), error: nil)
      } failed: { [me] error in
        me.watch?.answered(hold, by: daemon, number: nil, error: error)
      }
    }
  }

  private func answered(
    _ hold: HeldOrientations.ID, by daemon: String, number: UInt32?, error: BusError?
  ) {
    // All holds of one that has ended are requested again.
    guard daemon == self.daemon else { return }
    let released = holds.answered(hold, number: number)
    releaseUnwanted()
    if let released, let number {
      release(number: number, answered: released)
      takeHolds()
    } else if let released {
      released()
    } else {
      tell(.heldAgain(error))
    }
  }
}

extension BusError {
  /// Whether nobody has answered: the daemon has stopped, or does not answer.
  fileprivate var isWithoutAnswer: Bool {
    [Name.timeout, Name.noReply, Name.serviceUnknown, Name.nameHasNoOwner, Name.disconnected].contains(name)
  }

  /// The daemon has been stopped.
  static var noDaemon: BusError { BusError(name: Name.serviceUnknown, message: "it has ended") }
  /// There is no connection to a bus.
  package static var noBus: BusError {
    BusError(name: Name.disconnected, message: "there is no connection to the bus")
  }
}
