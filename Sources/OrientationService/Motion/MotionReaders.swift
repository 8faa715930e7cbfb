// SPDX-License-Identifier: Apache-2.0

// The programs at the motion socket: who they are, what they ask for, and what polkit allows. A program whose request is invalid, or that
// is over a limit, gets a record that says so, and its connection is closed.

import CLinux
import IIO
import Orientation
import Systemd

/// The connections to the motion socket, on the main thread.
final class MotionReaders {
  /// For how many users logind is asked at a time.
  ///
  /// The bus allows a connection 128 calls without a reply, of which polkit has up to 96 (``Authorizer``, ``StandingPermissions``).
  static let questionLimit = 24
  /// How many connections there may be besides, of users that are not known yet; others wait in the kernel's queue.
  static let unidentifiedLimit = 192
  /// How many descriptors the daemon needs at most, besides those of connections that the kernel has not closed yet.
  private static let ownDescriptors = 1024
  /// How many requests of a connection are read at a time.
  private static let batch = 4

  private let connection: Connection
  private let whenChanged: () -> Void
  private let permissions: StandingPermissions
  private var listener: MotionListener?
  private var readers: [MotionReader] = []
  /// Those whose user is not known yet.
  private var unidentified: [MotionReader] = []
  /// How many connections may be kept that the kernel has not closed yet.
  private let unclosedLimit: Int
  private var budget = CallBudget()
  private var lastNumber: UInt64 = 0

  /// Accepts connections from here on.
  ///
  /// - Parameters:
  ///   - sockets: the listening socket, and the kernel's socket diagnostics.
  ///   - connection: the loop, and the bus of polkit and logind.
  ///   - permissions: what polkit allows.
  ///   - whenChanged: called after streams, or what is allowed to them, have changed.
  /// - Throws: `BusError` if the bus or the loop cannot be used.
  init(
    on sockets: consuming PassedSockets, connection: Connection, permissions: StandingPermissions,
    whenChanged: @escaping () -> Void
  ) throws(BusError) {
    self.connection = connection
    self.whenChanged = whenChanged
    self.permissions = permissions
    unclosedLimit = max(Int(clamping: descriptorLimit) - Self.ownDescriptors, Self.unidentifiedLimit)
    permissions.watch(.readMotion) { [unowned(unsafe) self] _ in self.whenChanged() }
    listener = try MotionListener(
      on: sockets, loop: connection.loop,
      hasRoom: { [unowned(unsafe) self] in hasRoomForAnother },
      handle: { [unowned(unsafe) self] in accept($0) })
  }

  /// All streams, as the sending thread sees them.
  var planned: [MotionPlan.Stream] {
    readers.flatMap { $0.planned(isAllowed: permissions.isAllowed($0.caller.client, .readMotion)) }
  }

  /// Whether no program is connected.
  var isEmpty: Bool { readers.isEmpty }

  // MARK: Connections

  private func accept(_ descriptor: CInt) {
    let motionConnection = MotionConnection(adopting: descriptor)
    lastNumber += 1
    // A program that has left already costs others no time. To ask who it is fails only for something that is no socket.
    guard !motionConnection.hasLeft, let peer = try? PacketPeer(of: descriptor) else {
      listener?.rest()
      return
    }
    let caller = Caller(client: "motion-\(lastNumber)", user: peer.user)
    let reader = MotionReader(motionConnection, peer: peer, caller: caller)
    guard !reader.isIdentified else { return admit(reader) }
    unidentified.append(reader)
    identifyNext()
  }

  /// Whether another connection may be accepted.
  ///
  /// Those that the kernel has not closed yet are as many as programs want, before Linux 6.16, and must not keep others out.
  private var hasRoomForAnother: Bool {
    unidentified.count < Self.unidentifiedLimit && DescriptorCloser.shared.count < unclosedLimit
  }

  /// Reads the requests of a program whose user is known, if the limits allow one more connection.
  private func admit(_ reader: MotionReader) {
    // To connect costs as much as a request.
    guard Limits.motionConnections.excess(of: reader.caller, among: readers.map { $0.caller }) == nil,
      budget.take(of: reader.caller)
    else {
      return refuse(reader, .limitsExceeded)
    }
    readers.append(reader)
    listen(to: reader)
  }

  /// Asks logind for the users of as many programs as may be asked for at a time; their requests wait meanwhile.
  private func identifyNext() {
    var asked = unidentified.count { $0.question != nil }
    while asked < Self.questionLimit, let next = unidentified.first(where: { $0.question == nil }) {
      asked += 1
      identify(next)
    }
  }

  private func identify(_ reader: MotionReader) {
    let client = reader.caller.client
    reader.question = try? connection.askUser(ofProcess: reader.peer.process) { [unowned(unsafe) self] user in
      guard let index = unidentified.firstIndex(where: { $0.caller.client == client }) else { return }
      let reader = unidentified.remove(at: index)
      reader.question = nil
      defer { identifyNext() }
      // polkit cannot be asked about a user who is not known, or about a process whose number may be another one's.
      guard user != .unknown, let listener,
        reader.peer.hasConnected(
          of: user, over: reader.connection.descriptor, diagnostics: listener.diagnostics)
      else { return refuse(reader, .denied) }
      reader.become(user)
      admit(reader)
    }
    // It is nil only if the connection to the bus is closed.
    if reader.question == nil { unidentified.removeAll { $0 === reader } }
  }

  private func listen(to reader: MotionReader) {
    let client = reader.caller.client
    reader.requests = try? connection.loop.onReadable(reader.connection.descriptor) {
      [unowned(unsafe) self] in
      if let reader = find(client) { handleRequests(of: reader) }
    }
    if reader.requests == nil { remove(reader) }
  }

  private func find(_ client: String) -> MotionReader? { readers.first { $0.caller.client == client } }

  /// Closes a connection, and says why.
  private func refuse(_ reader: MotionReader, _ state: MotionState, of sensor: MotionSensor? = nil) {
    // A socket that is closed with requests in it gives its other end an error after what was sent to it, instead of an end.
    reader.connection.dropRequests()
    listener?.rest()
    // It has no effect if the program does not read.
    _ = reader.connection.send(MotionRecord(sensor: sensor, time: .now, content: .state(state)))
    reader.connection.end()
    remove(reader)
  }

  private func remove(_ reader: MotionReader) {
    let hadStreams = !reader.streams.isEmpty
    // A program that has closed only its own half, and does not read, is not waited for.
    reader.connection.end()
    readers.removeAll { $0 === reader }
    permissions.forget(reader.caller.client, .readMotion)
    reader.requests = nil
    reader.question = nil
    if hadStreams || readers.isEmpty { whenChanged() }
  }

  // MARK: Requests

  private func handleRequests(of reader: MotionReader) {
    var isChanged = false
    defer { if isChanged { whenChanged() } }
    for _ in 0..<Self.batch {
      switch reader.nextRequest() {
      case .none: return
      case .end: return remove(reader)
      case .invalid: return refuse(reader, .invalidRequest)
      case .request(let request):
        guard budget.take(of: reader.caller) else {
          return refuse(reader, .limitsExceeded, of: request.sensor)
        }
        handle(request, of: reader)
        isChanged = true
      }
    }
  }

  private func handle(_ request: MotionRequest, of reader: MotionReader) {
    switch request {
    case .stop(let sensor):
      reader.stop(sensor)
      if reader.streams.isEmpty { permissions.forget(reader.caller.client, .readMotion) }
    case .start(let sensor, let interval):
      lastNumber += 1
      reader.start(
        MotionPlan.Stream(
          number: lastNumber, connection: reader.connection, sensor: sensor, interval: interval))
      guard case .user(let user) = reader.caller.user else { return }
      permissions.ask(about: .process(reader.peer.process, user: user), of: reader.caller, for: .readMotion) {
        [unowned(unsafe) reader] in reader.peer.isAlive()
      }
    }
  }
}
