// SPDX-License-Identifier: Apache-2.0

// Decides whether a program may go on with something that takes time (`StandingPermissions`). polkit is asked asynchronously, as for calls
// (`Authorizer`), but there is no call to be answered, and the user is never asked: nobody has just asked for anything.
//
// polkit signals that its answers may have changed; some versions do so when a session begins, ends, or leaves the screen, too, some have
// another signal for that. And logind signals that another session is on a screen. Whoever has asked asks again then.

import CLinux
import Systemd

/// Asks polkit about programs.
final class ProgramAuthorizer {
  /// How long polkit may take, in seconds, as for calls.
  private static let patienceSeconds = 10.0
  /// How many questions polkit is asked at a time; others wait for their turn.
  ///
  /// The bus allows a connection 128 calls without a reply.
  static let limit = 32
  /// How many of these there are at most about programs of one user: polkit may be slow with the questions about one.
  private static let limitOfUser = 8
  /// How many of these places only privileged users get.
  private static let reserve = 8

  /// A question that polkit has not answered.
  private final class Question {
    let number: UInt64
    let subject: PolkitSubject
    let caller: Caller
    let action: AuthorizedAction
    var isAsked = false
    var slot: Slot?
    /// Called with the answer; nil if nobody waits for it any more.
    var whenAnswered: ((_ isAllowed: Bool) -> Void)?

    init(
      _ number: UInt64, about subject: PolkitSubject, of caller: Caller, for action: AuthorizedAction,
      whenAnswered: @escaping (_ isAllowed: Bool) -> Void
    ) {
      self.number = number
      self.subject = subject
      self.caller = caller
      self.action = action
      self.whenAnswered = whenAnswered
    }
  }

  /// After which time polkit is asked once more, in seconds: logind signals a change before it has written what polkit reads.
  private static let secondQuestionSeconds = 1.0

  private let connection: Connection
  private let polkit: NameOwner
  private let logind: NameOwner
  private let privilegedUsers: [UInt32]
  private var waiting: [Question] = []
  private var lastNumber: UInt64 = 0
  private var polkitSignals: Slot?
  private var logindSignals: Slot?
  private var watchers: [() -> Void] = []
  private var timer: Timer?

  /// Creates an authorizer.
  ///
  /// - Parameters:
  ///   - connection: whose bus polkit is asked over.
  ///   - polkit: the owner of polkit's name.
  ///   - privilegedUsers: the users who may do everything if there is no polkit, as with ``Authorizer``.
  /// - Throws: `BusError` if the connection is closed.
  init(
    on connection: Connection, polkit: NameOwner, privilegedUsers: [UInt32] = [0, geteuid()]
  ) throws(BusError) {
    self.connection = connection
    self.polkit = polkit
    self.privilegedUsers = privilegedUsers
    logind = try NameOwner(of: Logind.service, on: connection.bus)
    polkitSignals = try connection.bus.match(
      "type='signal',sender='\(Polkit.service)',path='\(Polkit.path)',interface='\(Polkit.interface)'"
    ) { [unowned(unsafe) self] signal in
      if self.polkit.hasSent(signal) { changed() }
    }
    logindSignals = try connection.bus.match(
      "type='signal',sender='\(Logind.service)',path_namespace='/org/freedesktop/login1/seat',"
        + "interface='org.freedesktop.DBus.Properties',member='PropertiesChanged'"
    ) { [unowned(unsafe) self] signal in
      if logind.hasSent(signal) { changed() }
    }
    // What was asked while it restarted was refused; and if it is gone, it signals no changes. A question starts it again.
    polkit.whenChanged = { [unowned(unsafe) self] in changed() }
    logind.whenChanged = { [unowned(unsafe) self] in changed() }
    do throws(SystemdError) {
      timer = try connection.loop.timer { [unowned(unsafe) self] in askAgain() }
    } catch {
      throw BusError(code: error.code, operation: error.operation)
    }
  }

  /// Calls a function whenever earlier answers may not hold any more.
  func watch(_ askAgain: @escaping () -> Void) { watchers.append(askAgain) }

  private func changed() {
    askAgain()
    // It fails only if the loop has ended.
    _ = try? timer?.arm(afterSeconds: Self.secondQuestionSeconds)
  }

  private func askAgain() { for askAgain in watchers { askAgain() } }

  /// Asks whether a program may do something.
  ///
  /// - Parameters:
  ///   - subject: the program, as polkit knows it.
  ///   - caller: who it is.
  ///   - action: the action.
  ///   - whenAnswered: called once, later, unless the caller is forgotten before.
  func ask(
    about subject: PolkitSubject, of caller: Caller, for action: AuthorizedAction,
    then whenAnswered: @escaping (_ isAllowed: Bool) -> Void
  ) {
    lastNumber += 1
    waiting.append(Question(lastNumber, about: subject, of: caller, for: action, whenAnswered: whenAnswered))
    askNext()
  }

  /// Forgets the questions about an action of a client; those that polkit has been asked count until it has answered.
  func forget(_ client: String, _ action: AuthorizedAction) {
    waiting.removeAll { $0.caller.client == client && $0.action == action && !$0.isAsked }
    for question in waiting where question.caller.client == client && question.action == action {
      question.whenAnswered = nil
    }
  }

  /// Asks polkit as many of the questions that wait as may be asked at a time.
  private func askNext() {
    var users = waiting.compactMap { $0.isAsked ? $0.caller.user : nil }
    for question in waiting where !question.isAsked && users.count < Self.limit {
      guard mayBeAsked(question, beside: users) else { continue }
      question.isAsked = true
      users.append(question.caller.user)
      ask(question)
    }
  }

  /// Whether a question may be asked beside those about programs of these users.
  private func mayBeAsked(_ question: Question, beside users: [ConnectionUser]) -> Bool {
    if isPrivileged(question.caller) { return true }
    let ofUser = users.reduce(0) { $0 + ($1 == question.caller.user ? 1 : 0) }
    return users.count < Self.limit - Self.reserve && ofUser < Self.limitOfUser
  }

  private func isPrivileged(_ caller: Caller) -> Bool {
    caller.user.isOne(of: privilegedUsers)
  }

  private func ask(_ question: Question) {
    let number = question.number
    if case .process(let process, _) = question.subject, process <= 0 { return refuse(number) }
    do throws(BusError) {
      let message = try connection.bus.polkitQuestion(
        subject: question.subject, action: question.action, interaction: .notAllowed,
        cancellation: "program-\(number)")
      question.slot = try connection.bus.callAsync(message, timeoutSeconds: Self.patienceSeconds) {
        [unowned(unsafe) self] reply in
        guard let question = waiting.first(where: { $0.number == number }) else { return }
        let verdict = AuthorizationVerdict(
          PolkitAnswer(reply, of: polkit), action: question.action, interaction: .notAllowed)
        // Without polkit, only privileged users may, who could do it anyway.
        answer(
          question,
          verdict
            ?? AuthorizationVerdict(isPrivileged: isPrivileged(question.caller), action: question.action))
      }
    } catch {
      refuse(number)
    }
  }

  /// Refuses what cannot be asked, after the present event.
  private func refuse(_ number: UInt64) {
    connection.loop.post { [unowned(unsafe) self] in
      if let question = waiting.first(where: { $0.number == number }) { answer(question, nil) }
    }
  }

  private func answer(_ question: Question, _ verdict: AuthorizationVerdict?) {
    waiting.removeAll { $0 === question }
    let isAllowed = if case .authorized = verdict { true } else { false }
    question.whenAnswered?(isAllowed)
    askNext()
  }
}
