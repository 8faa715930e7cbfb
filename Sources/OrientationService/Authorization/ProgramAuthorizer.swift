// SPDX-License-Identifier: Apache-2.0

// Decides whether a program may go on with something that takes time (`StandingPermissions`). polkit is asked asynchronously, as for calls
// (`Authorizer`), but there is no call to be answered, and the user is never asked: nobody has just asked for anything.

import IIO
import Orientation
import Systemd

/// Asks polkit about programs.
final class ProgramAuthorizer {
  /// How long polkit may take, in seconds, as for calls.
  private static let patienceSeconds = 10.0

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
  private let polkit: PolkitClient
  private var waiting: [Question] = []
  private var lastNumber: UInt64 = 0
  /// Whether questions that wait are looked at after the present event.
  private var isNextPosted = false

  /// Creates an authorizer.
  ///
  /// - Parameters:
  ///   - connection: the loop.
  ///   - polkit: who is asked.
  init(on connection: Connection, polkit: PolkitClient) {
    self.connection = connection
    self.polkit = polkit
  }

  /// Calls a function whenever earlier answers may not hold any more.
  func watch(_ askAgain: @escaping () -> Void) { polkit.watch(askAgain) }

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
        polkit.tryAgainLater()
        continue
      }
      if favoured == nil, users.count >= Limits.programsForPolkit.inAll / 2 { favoured = FavouredUsers.now() }
      let excess = Limits.programsForPolkit.excess(
        of: question.caller, among: users, ofClient: 0, favoured: { favoured ?? [] })
      guard excess == nil else { continue }
      question.isAsked = true
      users.append(question.caller.user)
      ask(question)
    }
  }

  private func ask(_ question: Question) {
    let number = question.number
    if case .process(let process, _) = question.subject, process <= 0 { return refuse(number) }
    do throws(BusError) {
      question.slot = try polkit.ask(
        about: question.subject, of: question.caller, for: question.action, interaction: .notAllowed,
        cancellation: "program-\(number)", patienceSeconds: Self.patienceSeconds
      ) { [unowned(unsafe) self] said, verdict in
        guard let question = waiting.first(where: { $0.number == number }) else { return }
        if !said.isDecision { polkit.tryAgainLater() }
        answer(question, verdict)
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
