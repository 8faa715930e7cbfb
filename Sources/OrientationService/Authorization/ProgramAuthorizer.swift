// SPDX-License-Identifier: Apache-2.0

// Decides whether a program may go on with something that takes time (`StandingPermissions`). polkit is asked asynchronously, as for calls
// (`Authorizer`), but there is no call to be answered, and the user is never asked: nobody has just asked for anything.
//
// polkit signals that its answers may have changed; some versions do so when a session begins, ends, or leaves the screen, too, some have
// another signal for that. And logind signals that another session is on a screen. Whoever has asked asks again then.

import CLinux
import IIO
import Orientation
import Systemd

/// Asks polkit about programs.
final class ProgramAuthorizer {
  /// How long polkit may take, in seconds, as for calls.
  private static let patienceSeconds = 10.0
  /// How many questions polkit is asked at a time; others wait for their turn.
  ///
  /// The bus allows a connection 128 calls without a reply. polkit may be slow with the questions about the programs of one user.
  static let limits = UserAccounts(perClient: 8, perUser: 8, inAll: 32)
  /// How often the questions are repeated at most, in seconds.
  ///
  /// It is once more after each signal, too: logind signals a change before it has written what polkit reads.
  private static let repetitionSeconds = 1.0
  /// When they are repeated because an answer was neither yes nor no, in seconds.
  private static let secondAttemptSeconds = 10.0

  /// A question that polkit has not answered.
  private final class Question {
    let number: UInt64
    let subject: PolkitSubject
    let caller: Caller
    let action: AuthorizedAction
    let time = BootTime.now
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

  private let connection: Connection
  private let polkit: NameOwner
  private let privilegedUsers: [UInt32]
  private var waiting: [Question] = []
  private var lastNumber: UInt64 = 0
  private var polkitSignals: Slot?
  private var logindSignals: Slot?
  private var watchers: [() -> Void] = []
  private var timer: Timer?
  /// Whether answers may have changed since the questions were repeated.
  private var isChanged = false
  private var lastRepetition: BootTime?
  /// Whether questions that wait are looked at after the present event.
  private var isNextPosted = false

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
    polkitSignals = try connection.bus.match(
      "type='signal',sender='\(Polkit.service)',path='\(Polkit.path)',interface='\(Polkit.interface)'"
    ) { [unowned(unsafe) self] signal in
      if self.polkit.hasSent(signal) { changed() }
    }
    logindSignals = try connection.bus.match(
      "type='signal',sender='\(Logind.service)',path_namespace='/org/freedesktop/login1/seat',"
        + "interface='org.freedesktop.DBus.Properties',member='PropertiesChanged'"
    ) { [unowned(unsafe) self] signal in
      if self.connection.logind.hasSent(signal) { changed() }
    }
    // What was asked while it restarted was refused; and if it is gone, it signals no changes. A question starts it again.
    polkit.whenChanged { [unowned(unsafe) self] in changed() }
    connection.logind.whenChanged { [unowned(unsafe) self] in changed() }
    do throws(SystemdError) {
      timer = try connection.loop.timer { [unowned(unsafe) self] in repeatQuestions() }
    } catch {
      throw BusError(code: error.code, operation: error.operation)
    }
  }

  /// Calls a function whenever earlier answers may not hold any more.
  func watch(_ askAgain: @escaping () -> Void) { watchers.append(askAgain) }

  private func changed() {
    isChanged = true
    let wait = lastRepetition.map { Self.repetitionSeconds - BootTime.now.seconds(since: $0) } ?? 0
    if wait > 0 { timer?.arm(afterSeconds: wait) } else { repeatQuestions() }
  }

  private func repeatQuestions() {
    lastRepetition = .now
    let mustRepeat = isChanged
    isChanged = false
    for askAgain in watchers { askAgain() }
    if mustRepeat { timer?.arm(afterSeconds: Self.repetitionSeconds) }
  }

  /// Repeats the questions although nobody has signalled a change, because an answer was neither yes nor no.
  private func tryAgainLater() {
    if timer?.isArmed == false { timer?.arm(afterSeconds: Self.secondAttemptSeconds) }
  }

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
    // Once for many.
    guard !isNextPosted else { return }
    isNextPosted = true
    connection.loop.post { [unowned(unsafe) self] in
      isNextPosted = false
      askNext()
    }
  }

  /// Forgets the questions about an action of a client; those that polkit has been asked count until it has answered.
  func forget(_ client: String, _ action: AuthorizedAction) {
    waiting.removeAll { $0.caller.client == client && $0.action == action && !$0.isAsked }
    for question in waiting where question.caller.client == client && question.action == action {
      question.whenAnswered = nil
    }
  }

  /// Asks polkit as many of the questions that wait as may be asked at a time.
  ///
  /// One that has waited for as long as polkit may take is answered with no: until then, an earlier answer holds.
  private func askNext() {
    var users = waiting.compactMap { $0.isAsked ? $0.caller.user : nil }
    var favoured: [ConnectionUser]?
    for question in waiting where !question.isAsked {
      guard BootTime.now.seconds(since: question.time) < Self.patienceSeconds else {
        refuse(question.number)
        tryAgainLater()
        continue
      }
      if favoured == nil, users.count >= Self.limits.inAll / 2 { favoured = FavouredUsers.now() }
      do throws(UserAccounts.Excess) {
        try Self.limits.check(question.caller, among: users, ofClient: 0) { favoured ?? [] }
      } catch {
        continue
      }
      question.isAsked = true
      users.append(question.caller.user)
      ask(question)
    }
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
        let said = PolkitAnswer(reply, of: polkit)
        if !said.isDecision { tryAgainLater() }
        let verdict = AuthorizationVerdict(said, action: question.action, interaction: .notAllowed)
        // Without polkit, only privileged users may, who could do it anyway.
        answer(
          question,
          verdict
            ?? AuthorizationVerdict(
              isPrivileged: question.caller.user.isOne(of: privilegedUsers), action: question.action))
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
