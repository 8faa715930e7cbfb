// SPDX-License-Identifier: Apache-2.0

// Decides whether a client may do what changes the screen for everybody. polkit is asked, and nobody waits for it but the
// client itself: its call is kept, and carried out or refused when the answer comes. Whatever is not a clear yes is a no.
//
// Calls of one client are carried out in the order in which they came, also where polkit answers a later one first (one
// may ask the user for a password, the next may not): lock and unlock, exchanged, would leave the screen locked.

import CLinux
import Systemd

/// Has clients' calls authorized, and carried out then.
final class Authorizer {
  /// Carries a call out, reading its arguments from the first on.
  ///
  /// What it throws is the caller's answer.
  typealias Act = (borrowing Message) throws(BusError) -> Void

  /// Who answers a call that was carried out.
  enum Answering {
    /// The authorizer, with an empty reply.
    case byAuthorizer
    /// What carries it out, now or later.
    case byAct
  }

  /// How long a question may take, in seconds.
  struct Patience {
    /// Where polkit decides by itself, which it does at once.
    ///
    /// It is well within the 25 s that callers wait (D-Bus's customary time).
    var withoutUser = 10.0
    /// Where somebody may have to type a password first.
    var withUser = 120.0
  }

  /// How many calls of one client may wait: programs have one or two at a time.
  static let callsPerClient = 8
  /// How many calls of all clients may wait.
  static let calls = 64
  /// How many of those may have the user asked, which takes long without anybody's fault.
  ///
  /// The rest is left to calls that are decided at once: clients that leave a dialogue open cannot keep them out.
  static let interactiveCalls = 32

  private let connection: Connection
  private let patience: Patience
  private let privilegedUsers: [UInt32]
  private var departures: Departures?
  private var waiting: [AuthorizationRequest] = []
  private var lastNumber: UInt64 = 0

  /// Creates an authorizer of calls that come over a connection.
  ///
  /// - Parameters:
  ///   - connection: whose bus polkit is asked over.
  ///   - patience: how long a question may take.
  ///   - privilegedUsers: who may do everything where there is no polkit: by default root, and the user of this process,
  ///     who could stop it anyway.
  init(
    on connection: Connection, patience: Patience = Patience(), privilegedUsers: [UInt32] = [0, geteuid()]
  ) {
    self.connection = connection
    self.patience = patience
    self.privilegedUsers = privilegedUsers
    departures = Departures(on: connection) { [unowned(unsafe) self] in forget($0) }
  }

  /// Whether a client has a call waiting that came before this one.
  ///
  /// This one then has to wait for its turn, even if it would change nothing now.
  func isWaiting(senderOf call: borrowing Message) -> Bool {
    guard let client = call.sender else { return false }
    return count(of: client) > 0
  }

  /// The number of calls that wait.
  var waitingCount: Int { waiting.count }

  /// Has a call carried out if its sender may have that, and answers it.
  ///
  /// - Parameters:
  ///   - call: the call, its arguments validated.
  ///   - action: what its sender needs to be allowed.
  ///   - answering: who answers the call once it was carried out.
  ///   - act: carries it out. It is not called where the sender has left the bus before the answer.
  /// - Throws: `BusError`: LimitsExceeded where too many calls wait, or the caller or the bus is gone. `call` is not
  ///   answered then.
  func authorize(
    _ call: consuming Message, for action: AuthorizedAction, answering: Answering = .byAuthorizer,
    then act: @escaping Act
  ) throws(BusError) {
    guard let client = call.sender else { throw .notAuthorized("The caller is unknown.", action) }
    try checkLimits(client)
    lastNumber += 1
    let request = AuthorizationRequest(
      number: lastNumber, client: client, action: action, interaction: interaction(for: call), call: call,
      answering: answering, act: act)
    // Before polkit is asked: it refuses who has left already.
    try departures?.listen()
    try askPolkit(about: request)
    waiting.append(request)
  }

  private func count(of client: String) -> Int {
    waiting.reduce(0) { $0 + ($1.client == client ? 1 : 0) }
  }

  private func checkLimits(_ client: String) throws(BusError) {
    guard count(of: client) < Self.callsPerClient else {
      throw BusError(
        name: ServiceErrorName.limitsExceeded,
        message:
          "\(Self.callsPerClient) calls of this client wait for polkit already; await their answers first.")
    }
    guard waiting.count < Self.calls else {
      throw BusError(
        name: ServiceErrorName.limitsExceeded,
        message: "\(Self.calls) calls wait for polkit already; try again in a moment.")
    }
  }

  private func interaction(for call: borrowing Message) -> Interaction {
    guard call.allowsInteractiveAuthorization else { return .notAllowed }
    let interactive = waiting.reduce(0) { $0 + ($1.interaction == .allowed ? 1 : 0) }
    return interactive < Self.interactiveCalls ? .allowed : .crowdedOut
  }

  // MARK: Callers that leave

  /// Drops all calls of a client that has left, so that their room is free and a dialogue for a password goes away.
  private func forget(_ client: String) -> Departures.Interest {
    let dropped = waiting.filter { $0.client == client }
    waiting.removeAll { $0.client == client }
    for request in dropped { cancel(request) }
    return waiting.isEmpty ? .none : .some
  }

  /// Has polkit stop looking for an answer: it may be showing a dialogue.
  private func cancel(_ request: AuthorizationRequest) {
    guard request.isWithPolkit else { return }
    request.isWithPolkit = false
    // Where the bus is gone, so is the question.
    do throws(BusError) {
      try connection.bus.send(try connection.bus.polkitCancellation(of: "\(request.number)"))
    } catch {}
  }

  // MARK: Questions and answers

  private func askPolkit(about request: AuthorizationRequest) throws(BusError) {
    let question = try connection.bus.polkitQuestion(
      client: request.client, action: request.action, interaction: request.interaction,
      cancellation: "\(request.number)")
    let seconds = request.interaction == .allowed ? patience.withUser : patience.withoutUser
    try ask(question, about: request, seconds: seconds) { [unowned(unsafe) self] request, reply in
      polkitSays(PolkitAnswer(reply), about: request)
    }
    request.isWithPolkit = true
  }

  private func polkitSays(_ answer: PolkitAnswer, about request: AuthorizationRequest) {
    if case .silence = answer { cancel(request) }
    request.isWithPolkit = false
    let verdict = AuthorizationVerdict(answer, action: request.action, interaction: request.interaction)
    guard let verdict else { return askUser(of: request) }
    decide(request, verdict)
  }

  /// Without polkit, only those may who could do it anyway.
  private func askUser(of request: AuthorizationRequest) {
    do throws(BusError) {
      let number = request.number
      request.question = try connection.bus.askUser(of: request.client) { [unowned(unsafe) self] user in
        guard let request = waiting.first(where: { $0.number == number }) else { return }
        decide(request, AuthorizationVerdict(isPrivileged: isPrivileged(user), action: request.action))
      }
    } catch {
      decide(request, .refused(error))
    }
  }

  private func isPrivileged(_ user: ConnectionUser) -> Bool {
    switch user {
    case .user(let id): privilegedUsers.contains(id)
    case .unknown, .gone: false
    }
  }

  /// Sends a question about a call.
  ///
  /// The handler is not called where the call is not waiting any more.
  private func ask(
    _ question: borrowing Message, about request: AuthorizationRequest, seconds: Double,
    _ handler: @escaping (AuthorizationRequest, borrowing Message) -> Void
  ) throws(BusError) {
    let number = request.number
    request.question = try connection.bus.callAsync(question, timeoutSeconds: seconds) {
      [unowned(unsafe) self] reply in
      guard let request = waiting.first(where: { $0.number == number }) else { return }
      handler(request, reply)
    }
  }

  // MARK: Carrying out

  /// Finishes what is decided, as far as no earlier call of the same client waits.
  private func decide(_ request: AuthorizationRequest, _ verdict: AuthorizationVerdict) {
    request.verdict = verdict
    while let index = waiting.indices.first(where: isDue) { waiting.remove(at: index).finish() }
  }

  private func isDue(_ index: Int) -> Bool {
    let request = waiting[index]
    return request.verdict != nil && !waiting[..<index].contains { $0.client == request.client }
  }
}
