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
  /// Carries a call out, reading its arguments from the first on.
  ///
  /// An error that it throws is sent as the answer.
  typealias Act = (borrowing Message) throws(BusError) -> Void

  /// Who answers a call that was carried out.
  enum Answering {
    /// The authorizer, with an empty reply.
    case byAuthorizer
    /// The function that carries it out, now or later.
    case byAct
    /// These answers, once the state is saved, with these results. Refusals too, in the order of the client's calls.
    case whenSettled(SettledAnswers, SettledAnswers.Results)
    /// The authorizer, with the verdict: nothing is carried out.
    case byVerdict
  }

  /// How long a question may take, in seconds.
  struct Patience {
    /// If polkit decides without the user, which it does at once.
    ///
    /// This is well below the default timeout of D-Bus calls, 25 s.
    var withoutUser = 10.0
    /// If the user may have to type a password first.
    var withUser = 120.0
  }

  /// How many calls may wait: programs make one or two at a time.
  ///
  /// For the limit of a client all its calls count. For the other limits only those count that polkit has not decided yet: a call that
  /// merely waits for an earlier one of its own client takes no place from other clients.
  static let limits = UserAccounts(perClient: 8, perUser: 16, inAll: 64)
  /// How many of those may ask the user, which takes long.
  ///
  /// The rest is reserved for calls that are decided at once: clients that leave a dialogue open cannot block them.
  static let interactiveLimits = UserAccounts(perClient: 8, perUser: 8, inAll: 32)

  private let connection: Connection
  private let patience: Patience
  private let privilegedUsers: [UInt32]
  private let polkit: NameOwner
  /// Asks polkit about what takes longer than a call.
  let programs: ProgramAuthorizer
  private var waiting: [AuthorizationRequest] = []
  private var lastNumber: UInt64 = 0

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
    self.connection = connection
    self.patience = patience
    self.privilegedUsers = privilegedUsers
    polkit = try NameOwner(of: Polkit.service, on: connection.bus)
    programs = try ProgramAuthorizer(on: connection, polkit: polkit, privilegedUsers: privilegedUsers)
    callers.watch(
      holders: { [unowned(unsafe) self] in waiting.filter { !$0.isAbandoned }.map { $0.caller.client } },
      left: { [unowned(unsafe) self] in forget($0) })
    programs.watch { [unowned(unsafe) self] in askAgain() }
  }

  /// Whether a client has a call waiting, so that a further one has to wait for its turn, even if it would change nothing now.
  func isWaiting(_ caller: Caller) -> Bool { count(of: caller.client) > 0 }

  /// The number of calls that wait, and of questions to polkit whose clients have left.
  var waitingCounts: (calls: Int, abandoned: Int) {
    let abandoned = waiting.reduce(0) { $0 + ($1.isAbandoned ? 1 : 0) }
    return (waiting.count - abandoned, abandoned)
  }

  /// Carries a call out if polkit authorizes its sender, and answers it.
  ///
  /// - Parameters:
  ///   - call: the call, its arguments validated.
  ///   - caller: who calls.
  ///   - action: the action that has to be authorized.
  ///   - answering: who answers the call once it was carried out.
  ///   - act: carries it out. It is not called if the sender leaves the bus before polkit answers.
  /// - Throws: `BusError`: LimitsExceeded if too many calls wait, or the connection is closed. `call` is not answered then.
  func authorize(
    _ call: consuming Message, by caller: Caller, for action: AuthorizedAction,
    answering: Answering = .byAuthorizer, then act: @escaping Act
  ) throws(BusError) {
    try checkLimits(caller)
    lastNumber += 1
    let request = AuthorizationRequest(
      number: lastNumber, caller: caller, action: action, interaction: interaction(for: call, of: caller),
      call: call, answering: answering, act: act)
    try askPolkit(about: request)
    waiting.append(request)
  }

  /// Carries out a call that needs no authorization, once no earlier call of its client waits.
  ///
  /// - Parameters:
  ///   - call: the call.
  ///   - caller: who calls.
  ///   - act: carries it out, and answers it.
  /// - Throws: `BusError`: LimitsExceeded if too many calls of the client wait, or what `act` threw. `call` is not answered
  ///   then.
  func inTurn(
    _ call: consuming Message, by caller: Caller, then act: @escaping Act
  ) throws(BusError) {
    guard isWaiting(caller) else { return try act(call) }
    try checkLimits(caller)
    lastNumber += 1
    let request = AuthorizationRequest(
      number: lastNumber, caller: caller, action: .claimSensor, interaction: .notAllowed, call: call,
      answering: .byAct, act: act)
    request.verdict = .authorized
    waiting.append(request)
  }

  /// Answers whether a client may do something, without asking the user: "yes", "no" or "challenge" if the user would have to
  /// authenticate.
  ///
  /// - Throws: `BusError` LimitsExceeded if too many calls wait; `call` is not answered then.
  func answer(
    _ call: consuming Message, by caller: Caller, whetherMay action: AuthorizedAction
  ) throws(BusError) {
    try checkLimits(caller)
    lastNumber += 1
    let request = AuthorizationRequest(
      number: lastNumber, caller: caller, action: action, interaction: .notAllowed, call: call,
      answering: .byVerdict, act: { _ in })
    try askPolkit(about: request)
    waiting.append(request)
  }

  private func count(of client: String) -> Int {
    waiting.reduce(0) { $0 + ($1.caller.client == client ? 1 : 0) }
  }

  private func checkLimits(_ caller: Caller) throws(BusError) {
    let undecided = waiting.filter { $0.verdict == nil }.map { $0.caller.user }
    do throws(UserAccounts.Excess) {
      try Self.limits.check(caller, among: undecided, ofClient: count(of: caller.client))
    } catch {
      throw BusError(error, ofCallsThatWaitFor: "polkit")
    }
  }

  private func interaction(for call: borrowing Message, of caller: Caller) -> Interaction {
    guard call.allowsInteractiveAuthorization else { return .notAllowed }
    let interactive = waiting.filter { $0.interaction == .allowed && $0.verdict == nil }.map { $0.caller }
    let ofClient = interactive.reduce(0) { $0 + ($1.client == caller.client ? 1 : 0) }
    do throws(UserAccounts.Excess) {
      try Self.interactiveLimits.check(caller, among: interactive.map { $0.user }, ofClient: ofClient)
      return .allowed
    } catch {
      return .quotaExceeded
    }
  }

  // MARK: Callers that leave

  /// Drops all calls of a client that has left, and closes dialogues for a password.
  ///
  /// A question counts for its user until polkit has answered: the bus, which allows 128 calls without a reply, counts it too.
  /// Otherwise clients that ask and leave again and again could block the questions of all other users.
  private func forget(_ client: String) {
    waiting.removeAll { $0.caller.client == client && $0.verdict != nil }
    for request in waiting where request.caller.client == client {
      request.isAbandoned = true
      cancel(request)
    }
  }

  /// Cancels a question to polkit, which may be showing a dialogue.
  private func cancel(_ request: AuthorizationRequest) {
    guard request.isWithPolkit else { return }
    request.isWithPolkit = false
    // It fails only if the connection is closed, and then there is no question any more.
    do throws(BusError) {
      try connection.bus.send(try connection.bus.polkitCancellation(of: "\(request.number)"))
    } catch {}
  }

  // MARK: Questions and answers

  private func askPolkit(about request: AuthorizationRequest) throws(BusError) {
    let question = try connection.bus.polkitQuestion(
      subject: .client(request.caller.client), action: request.action, interaction: request.interaction,
      cancellation: "\(request.number)")
    let seconds = request.interaction == .allowed ? patience.withUser : patience.withoutUser
    let number = request.number
    request.question = try connection.bus.callAsync(question, timeoutSeconds: seconds) {
      [unowned(unsafe) self] reply in
      guard let request = waiting.first(where: { $0.number == number }) else { return }
      polkitSays(PolkitAnswer(reply, of: polkit), about: request)
    }
    (request.isWithPolkit, request.isOutdated) = (true, false)
  }

  /// Asks once more about calls that polkit is asked about, or that were allowed and wait for their turn: the answer may be another one now.
  private func askAgain() {
    for request in waiting where request.question != nil && !request.isAbandoned {
      if request.isWithPolkit {
        request.isOutdated = true
      } else if case .authorized = request.verdict {
        request.verdict = nil
        ask(again: request)
      }
    }
  }

  private func ask(again request: AuthorizationRequest) {
    do throws(BusError) { try askPolkit(about: request) } catch { decide(request, .refused(error)) }
  }

  private func polkitSays(_ answer: PolkitAnswer, about request: AuthorizationRequest) {
    if case .noReply = answer { cancel(request) }
    request.isWithPolkit = false
    guard !request.isAbandoned else { return waiting.removeAll { $0 === request } }
    if request.isOutdated, case .authorized = answer { return ask(again: request) }
    let verdict = AuthorizationVerdict(answer, action: request.action, interaction: request.interaction)
    // Without polkit, only privileged users may, who could do it anyway.
    decide(
      request,
      verdict
        ?? AuthorizationVerdict(
          isPrivileged: request.caller.user.isOne(of: privilegedUsers), action: request.action))
  }

  // MARK: Carrying out

  /// Finishes the calls that are decided and for which no earlier call of the same client waits.
  private func decide(_ request: AuthorizationRequest, _ verdict: AuthorizationVerdict) {
    request.verdict = verdict
    while let index = waiting.indices.first(where: isDue) { waiting.remove(at: index).finish() }
  }

  private func isDue(_ index: Int) -> Bool {
    let request = waiting[index]
    return request.verdict != nil && !waiting[..<index].contains { $0.caller.client == request.caller.client }
  }
}
