// SPDX-License-Identifier: Apache-2.0

// Decides whether a client may do what needs an authorization. polkit is asked asynchronously: the call is kept, and carried out or
// refused when the answer comes. Only a clear yes is a yes.
//
// Calls of one client are carried out in the order in which they came, even if polkit answers a later one first (one may ask
// the user for a password, the next may not). If lock and unlock were exchanged, the screen would stay locked.

import CLinux
import Systemd

/// Carries out clients' calls once they are authorized.
final class Authorizer {
  /// Carries a call out, reading its arguments from the first on, and answers it, now or later.
  ///
  /// An error that it throws is sent as the answer.
  typealias Act = (borrowing Message) throws(BusError) -> Void
  /// Answers a call that was not carried out.
  typealias Refuse = (borrowing Message, BusError) -> Void

  /// How long a question may take, in seconds.
  struct Patience {
    /// If polkit decides without the user, which it does at once.
    ///
    /// It is asked twice, and twice this is below the default timeout of D-Bus calls, 25 s.
    var withoutUser = 10.0
    /// If the user may have to type a password first.
    var withUser = 120.0
  }

  /// Who calls.
  let callers: Callers
  private let patience: Patience
  private let polkit: PolkitClient
  /// What takes longer than a call.
  let permissions: StandingPermissions
  private(set) var waiting: [AuthorizationRequest] = []
  private var lastNumber: UInt64 = 0
  private var questionBudget = CallBudget()

  /// Creates an authorizer of calls that come over a connection.
  ///
  /// - Parameters:
  ///   - connection: whose bus polkit is asked over.
  ///   - callers: who calls. They refer to this without owning it, which is safe because they call it only while the event loop runs.
  ///   - patience: how long a question may take.
  ///   - privilegedUsers: the users who may do everything if there is no polkit: by default root and the user of this process,
  ///     who could stop it anyway.
  /// - Throws: `BusError` if the connection is closed.
  init(
    on connection: Connection, of callers: Callers, patience: Patience = Patience(),
    privilegedUsers: [UInt32] = [0, geteuid()]
  ) throws(BusError) {
    (self.callers, self.patience) = (callers, patience)
    polkit = try PolkitClient(on: connection, privilegedUsers: privilegedUsers)
    permissions = try StandingPermissions(on: connection, polkit: polkit)
    callers.watch(
      holders: { [unowned(unsafe) self] in waiting.filter { !$0.isAbandoned }.map { $0.caller.client } },
      left: { [unowned(unsafe) self] in forget($0) })
    polkit.watch { [unowned(unsafe) self] in askAgain() }
  }

  /// Whether a client has a call waiting, so that a further one has to wait for its turn, even if it would change nothing now.
  func isWaiting(_ caller: Caller) -> Bool { count(of: caller.client) > 0 }

  /// Carries a call out if polkit authorizes its sender.
  ///
  /// - Parameters:
  ///   - call: the call, its arguments validated.
  ///   - caller: who calls.
  ///   - action: the action that has to be authorized.
  ///   - mayAskUser: whether the user may be asked to authenticate, if the call allows it.
  ///   - act: carries it out. It is not called if the sender leaves the bus before polkit answers.
  ///   - refuse: answers it otherwise; by default with the error.
  /// - Throws: `BusError`: LimitsExceeded if too many calls wait, or the connection is closed. `call` is not answered then.
  func authorize(
    _ call: consuming Message, by caller: Caller, for action: AuthorizedAction, mayAskUser: Bool = true,
    then act: @escaping Act, refusing refuse: @escaping Refuse = { $0.refuse(with: $1) }
  ) throws(BusError) {
    let interaction = mayAskUser ? interaction(for: call, of: caller) : .notAllowed
    let request = try request(call, by: caller, for: action, interaction, act, refuse)
    try askPolkit(about: request, for: action)
    waiting.append(request)
  }

  /// Carries out a call that needs no authorization, once no earlier call of its client waits.
  ///
  /// - Parameters:
  ///   - call: the call.
  ///   - act: carries it out, and answers it.
  /// - Throws: `BusError`: LimitsExceeded if too many calls of the client wait, or what `act` threw. `call` is not answered
  ///   then.
  func inTurn(
    _ call: consuming Message, then act: @escaping (borrowing Message, Caller) throws(BusError) -> Void
  ) throws(BusError) {
    try callers.identify(call) { [unowned(unsafe) self] call, caller throws(BusError) in
      guard isWaiting(caller) else { return try act(call, caller) }
      let request = try request(
        call, by: caller, for: nil, .notAllowed, { call throws(BusError) in try act(call, caller) },
        { $0.refuse(with: $1) })
      request.answer = .authorized
      waiting.append(request)
    }
  }

  /// Answers whether the caller may do something, without asking the user: "yes", "no" or "challenge" if the user would have to
  /// authenticate.
  ///
  /// - Throws: `BusError` LimitsExceeded if too many calls wait; `call` is not answered then.
  func answer(_ call: consuming Message, whetherMay action: AuthorizedAction) throws(BusError) {
    try callers.identify(call) { [unowned(unsafe) self] call, caller throws(BusError) in
      guard questionBudget.take(of: caller) else { throw BusError.tooFast("has asked", "questions") }
      try authorize(call, by: caller, for: action, mayAskUser: false) { call throws(BusError) in
        try call.answer { reply throws(BusError) in try reply.append("yes") }
      } refusing: { call, error in
        let isChallenge = error.name == BusError.Name.interactiveAuthorizationRequired
        _ = try? call.answer { reply throws(BusError) in try reply.append(isChallenge ? "challenge" : "no") }
      }
    }
  }

  private func count(of client: String) -> Int { waiting.count { $0.caller.client == client } }

  /// The users of the questions that polkit has not answered: the bus counts also the one that was asked again.
  private var unanswered: [ConnectionUser] {
    waiting.filter { $0.answer == nil }.flatMap {
      repeatElement($0.caller.user, count: $0.hasWaitedInVain ? 2 : 1)
    }
  }

  /// Makes a request, if the limits allow another call to wait.
  private func request(
    _ call: consuming Message, by caller: Caller, for action: AuthorizedAction?, _ interaction: Interaction,
    _ act: @escaping Act, _ refuse: @escaping Refuse
  ) throws(BusError) -> AuthorizationRequest {
    let ofClient = count(of: caller.client)
    if let excess = Limits.callsForPolkit.excess(of: caller, among: unanswered, ofClient: ofClient) {
      throw BusError(excess, ofCallsThatWaitFor: "polkit")
    }
    lastNumber += 1
    return AuthorizationRequest(
      number: lastNumber, caller: caller, action: action, interaction: interaction, call: call, act: act,
      refuse: refuse)
  }

  private func interaction(for call: borrowing Message, of caller: Caller) -> Interaction {
    guard call.allowsInteractiveAuthorization else { return .notAllowed }
    let interactive = waiting.filter { $0.interaction == .allowed && $0.answer == nil }.map { $0.caller }
    return Limits.callsForPerson.excess(of: caller, among: interactive) == nil ? .allowed : .quotaExceeded
  }

  // MARK: Callers that leave

  /// Drops all calls of a client that has left, and closes dialogues for a password.
  ///
  /// A question counts for its user until polkit has answered: the bus, which allows 128 calls without a reply, counts it too.
  /// Otherwise clients that ask and leave again and again could block the questions of all other users.
  private func forget(_ client: String) {
    waiting.removeAll { $0.caller.client == client && $0.answer != nil }
    for request in waiting where request.caller.client == client && !request.isAbandoned {
      request.isAbandoned = true
      polkit.cancel(request.cancellation)
    }
  }

  // MARK: Questions and answers

  private func askPolkit(
    about request: AuthorizationRequest, for action: AuthorizedAction
  ) throws(BusError) {
    let number = request.number
    request.question = try polkit.ask(
      about: .client(request.caller.client), of: request.caller, for: action,
      interaction: request.interaction, cancellation: request.cancellation,
      patienceSeconds: request.interaction == .allowed ? patience.withUser : patience.withoutUser
    ) { [unowned(unsafe) self] answer, isOutdated in
      guard let request = waiting.first(where: { $0.number == number }) else { return }
      polkitSays(answer, isOutdated: isOutdated, about: request)
    }
  }

  /// Asks once more about calls that were allowed and wait for their turn: the answer may be another one now.
  private func askAgain() {
    let allowed = waiting.filter { if case .authorized = $0.answer { $0.action != nil } else { false } }
    // All at first: a question that cannot be asked decides its call, and what waits for that must not go on with an old answer.
    for request in allowed { request.answer = nil }
    for request in allowed { ask(again: request) }
  }

  private func ask(again request: AuthorizationRequest) {
    guard let action = request.action else { return }
    do throws(BusError) { try askPolkit(about: request, for: action) } catch {
      decide(request, .error(error))
    }
  }

  private func polkitSays(
    _ answer: PolkitAnswer, isOutdated: Bool, about request: AuthorizationRequest
  ) {
    request.question = nil
    guard !request.isAbandoned else { return waiting.removeAll { $0 === request } }
    if case .noReply = answer {
      polkit.cancel(request.cancellation)
      // polkit may have been restarted, or this process stopped for as long. Few programs repeat a call that was refused. But no user
      // is asked twice, and what was asked stays within the limits.
      if !request.hasWaitedInVain, request.interaction != .allowed,
        Limits.callsForPolkit.excess(of: request.caller, among: unanswered, ofClient: 0) == nil
      {
        request.hasWaitedInVain = true
        return ask(again: request)
      }
    }
    if isOutdated, case .authorized = answer { return ask(again: request) }
    decide(request, answer)
  }

  // MARK: Carrying out

  /// Finishes the calls that are decided and for which no earlier call of the same client waits.
  private func decide(_ request: AuthorizationRequest, _ answer: PolkitAnswer) {
    request.answer = answer
    while let index = waiting.indices.first(where: isDue) { waiting.remove(at: index).finish() }
  }

  private func isDue(_ index: Int) -> Bool {
    let request = waiting[index]
    // After a change, polkit is asked once more about what it has allowed, but not always at once.
    if case .authorized = request.answer, request.action != nil, polkit.isChanged { return false }
    return request.answer != nil && !waiting[..<index].contains { $0.caller.client == request.caller.client }
  }
}
