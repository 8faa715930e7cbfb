// SPDX-License-Identifier: Apache-2.0

// The programs at the motion socket: who they are, what they ask for, and what polkit allows. A program whose request is invalid, or that
// is over a limit, gets a record that says so, and its connection is closed.

import CLinux
import IIO
import Orientation
import Systemd

/// The connections to the motion socket, on the main thread.
final class MotionReaders {
  /// How many connections there may be.
  static let limits = UserAccounts(perClient: 1, perUser: 64, inAll: 192)
  /// For how many users logind is asked at a time.
  ///
  /// The bus allows a connection 128 calls without a reply, of which polkit has up to 96 (``Authorizer``, ``ProcessAuthorizer``).
  static let questionLimit = 24
  /// How many connections there may be besides: of users that are not known yet, and those that the kernel has not closed yet.
  ///
  /// Others wait in its queue.
  static let passingLimit = 192
  /// How many requests of a connection are read at a time.
  private static let batch = 4

  private let connection: Connection
  private let authorizer: ProcessAuthorizer
  private let users: ProcessUsers
  private let whenChanged: () -> Void
  private var listener: MotionListener?
  private var readers: [MotionReader] = []
  /// Those whose user is not known yet.
  private var unidentified: [MotionReader] = []
  /// Those that were closed, until the kernel has done so: they count for their users, as they take descriptors.
  private var leaving: [(user: ConnectionUser, closing: MotionConnection.Closing)] = []
  private var budget = CallBudget()
  private var lastNumber: UInt64 = 0

  /// Accepts connections from here on.
  ///
  /// - Parameters:
  ///   - socket: the listening socket, which does not block.
  ///   - connection: the loop, and the bus of polkit and logind.
  ///   - authorizer: asks polkit. It refers to this without owning it.
  ///   - whenChanged: called after streams, or what is allowed to them, have changed.
  /// - Throws: `BusError` if the bus or the loop cannot be used.
  init(
    on socket: consuming OwnedFileDescriptor, connection: Connection, authorizer: ProcessAuthorizer,
    whenChanged: @escaping () -> Void
  ) throws(BusError) {
    self.connection = connection
    self.authorizer = authorizer
    self.whenChanged = whenChanged
    users = try ProcessUsers(on: connection)
    authorizer.whenChanged = { [unowned(unsafe) self] in askAgain() }
    do throws(SystemdError) {
      listener = try MotionListener(
        on: socket, loop: connection.loop, hasRoom: { [unowned(unsafe) self] in hasRoomForAnother },
        handle: { [unowned(unsafe) self] in accept($0) })
    } catch {
      throw BusError(code: error.code, operation: error.operation)
    }
  }

  /// All streams, as the sending thread sees them.
  var planned: [MotionPlan.Stream] { readers.flatMap { $0.planned } }

  /// Whether no program is connected.
  var isEmpty: Bool { readers.isEmpty }

  // MARK: Connections

  private func accept(_ descriptor: CInt) {
    let motionConnection = MotionConnection(adopting: descriptor)
    lastNumber += 1
    // A program that has left already costs others no time.
    guard !motionConnection.hasLeft else { return leave(motionConnection, of: .unknown) }
    // It fails only for something that is no socket.
    guard let peer = try? PacketPeer(of: descriptor) else { return leave(motionConnection, of: .unknown) }
    let user: ConnectionUser = peer.user == ProcessUsers.overflowUser ? .unknown : .user(peer.user)
    let caller = Caller(client: "motion-\(lastNumber)", user: user)
    let reader = MotionReader(motionConnection, peer: peer, caller: caller)
    guard user == .unknown else { return admit(reader) }
    unidentified.append(reader)
    identifyNext()
  }

  /// Whether another connection may be accepted.
  private var hasRoomForAnother: Bool { unidentified.count + leavingUsers.count < Self.passingLimit }

  /// Counts a connection until the kernel has closed it.
  private func leave(_ connection: MotionConnection, of user: ConnectionUser) {
    leaving.append((user, connection.closing))
  }

  /// Reads the requests of a program whose user is known, if the limits allow one more connection.
  private func admit(_ reader: MotionReader) {
    // To connect costs as much as a request.
    guard hasRoom(for: reader.caller), budget.take(of: reader.caller) else {
      return refuse(reader, .limitsExceeded)
    }
    readers.append(reader)
    listen(to: reader)
  }

  /// Whether the limits allow one more connection.
  ///
  /// Those that are being closed count for their own users only: who holds them up takes nothing from others.
  private func hasRoom(for caller: Caller) -> Bool {
    let leaving = leavingUsers.filter { $0 == caller.user }
    do throws(UserAccounts.Excess) {
      try Self.limits.check(caller, among: readers.map { $0.caller.user } + leaving, ofClient: 0)
      return true
    } catch {
      return false
    }
  }

  /// The users of connections that are being closed.
  private var leavingUsers: [ConnectionUser] {
    leaving.removeAll { $0.closing.isDone }
    return leaving.map { $0.user }
  }

  /// Asks logind for the users of as many programs as may be asked for at a time; their requests wait meanwhile.
  private func identifyNext() {
    var asked = unidentified.reduce(0) { $0 + ($1.question == nil ? 0 : 1) }
    while asked < Self.questionLimit, let next = unidentified.first(where: { $0.question == nil }) {
      asked += 1
      identify(next)
    }
  }

  private func identify(_ reader: MotionReader) {
    let client = reader.caller.client
    reader.question = try? users.find(reader.peer.process) { [unowned(unsafe) self] user in
      guard let index = unidentified.firstIndex(where: { $0.caller.client == client }) else { return }
      let reader = unidentified.remove(at: index)
      reader.question = nil
      defer { identifyNext() }
      // polkit cannot be asked about a user who is not known, or about a process whose number may be another one's.
      guard user != .unknown, reader.peer.isAlive() else { return refuse(reader, .denied) }
      reader.become(user)
      admit(reader)
    }
    // It is nil only if the connection to the bus is closed.
    guard reader.question == nil else { return }
    unidentified.removeAll { $0 === reader }
    leave(reader.connection, of: .unknown)
  }

  private func listen(to reader: MotionReader) {
    let client = reader.caller.client
    reader.requests = try? EventLoopReference(connection.loop).onReadable(reader.connection.descriptor) {
      [unowned(unsafe) self] in
      if let reader = find(client) { handleRequests(of: reader) }
    }
    if reader.requests == nil { remove(reader) }
  }

  private func find(_ client: String) -> MotionReader? { readers.first { $0.caller.client == client } }

  /// Closes a connection, and says why.
  private func refuse(_ reader: MotionReader, _ state: MotionState, of sensor: MotionSensor? = nil) {
    // A socket that is closed with packets in it gives its other end an error before what was sent to it.
    reader.connection.dropPackets()
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
    leave(reader.connection, of: reader.caller.user)
    authorizer.forget(reader.caller.client)
    reader.requests = nil
    reader.question = nil
    if hadStreams || readers.isEmpty { whenChanged() }
  }

  // MARK: Requests

  private func handleRequests(of reader: MotionReader) {
    var isChanged = false
    defer { if isChanged { whenChanged() } }
    for _ in 0..<Self.batch {
      switch reader.nextPacket() {
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
    case .stop(let sensor): reader.stop(sensor)
    case .start(let sensor, let interval):
      lastNumber += 1
      let stream = MotionReader.Stream(number: lastNumber, sensor: sensor, interval: interval)
      reader.start(stream)
      ask(about: stream.action, of: reader)
    }
  }

  // MARK: Authorization

  /// Asks polkit, unless it has allowed this already or is being asked.
  private func ask(about action: AuthorizedAction, of reader: MotionReader) {
    guard reader[action].isAllowed != true, !reader[action].isAsked else { return }
    reader[action].isAllowed = nil
    question(about: action, of: reader)
  }

  private func question(about action: AuthorizedAction, of reader: MotionReader) {
    let client = reader.caller.client
    (reader[action].isAsked, reader[action].isOutdated) = (true, false)
    authorizer.ask(about: reader.peer.process, of: reader.caller, for: action) {
      [unowned(unsafe) self] isAllowed in
      guard let reader = find(client) else { return }
      reader[action].isAsked = false
      let isOutdated = reader[action].isOutdated
      // If the process has ended, polkit may have been asked about another one. A no holds at once, also if another answer follows.
      if !isOutdated || !isAllowed { reader[action].isAllowed = isAllowed && reader.peer.isAlive() }
      if isOutdated { question(about: action, of: reader) }
      whenChanged()
    }
  }

  /// Asks polkit again about every stream, because its answers may have changed.
  ///
  /// Until it has answered, its last answer holds.
  private func askAgain() {
    for reader in readers {
      for action in [AuthorizedAction.readGravity, .readMotion] {
        if reader[action].isAsked {
          reader[action].isOutdated = true
        } else if reader.streams.contains(where: { $0.action == action }) {
          question(about: action, of: reader)
        } else {
          reader[action].isAllowed = nil
        }
      }
    }
  }
}
