// SPDX-License-Identifier: Apache-2.0

// Decides whether a process that is no client of the bus may do something. polkit is asked asynchronously, as for calls (`Authorizer`),
// but there is no call to be answered, and the user is never asked: a program that only reads must not cause dialogues.
//
// What was allowed may last for hours, while another user comes to the screen. So polkit's signal that its answers may have changed is
// passed on, and whoever has asked asks again. polkit sends it when a session begins, ends, or leaves the screen, too.

import CLinux
import Systemd

/// Asks polkit about processes.
final class ProcessAuthorizer {
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
    let process: Int32
    let caller: Caller
    let action: AuthorizedAction
    var isAsked = false
    var slot: Slot?
    /// Called with the answer; nil if nobody waits for it any more.
    var whenAnswered: ((_ isAllowed: Bool) -> Void)?

    init(
      _ number: UInt64, about process: Int32, of caller: Caller, for action: AuthorizedAction,
      whenAnswered: @escaping (_ isAllowed: Bool) -> Void
    ) {
      self.number = number
      self.process = process
      self.caller = caller
      self.action = action
      self.whenAnswered = whenAnswered
    }
  }

  /// Called when earlier answers may not hold any more.
  var whenChanged: () -> Void = {}

  private let connection: Connection
  private let polkit: NameOwner
  private let privilegedUsers: [UInt32]
  private var waiting: [Question] = []
  private var lastNumber: UInt64 = 0
  private var changes: Slot?

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
    changes = try connection.bus.polkitChanges { [unowned(unsafe) self] signal in
      if self.polkit.hasSent(signal) { whenChanged() }
    }
    // What was asked while it restarted was refused; and if it is gone, it signals no changes. A question starts it again.
    polkit.whenChanged = { [unowned(unsafe) self] in whenChanged() }
  }

  /// Asks whether a process may do something.
  ///
  /// - Parameters:
  ///   - process: the process.
  ///   - caller: who it is.
  ///   - action: the action.
  ///   - whenAnswered: called once, later, unless the caller is forgotten before.
  func ask(
    about process: Int32, of caller: Caller, for action: AuthorizedAction,
    then whenAnswered: @escaping (_ isAllowed: Bool) -> Void
  ) {
    lastNumber += 1
    waiting.append(Question(lastNumber, about: process, of: caller, for: action, whenAnswered: whenAnswered))
    askNext()
  }

  /// Forgets the questions of a client that has left; those that polkit has been asked count until it has answered.
  func forget(_ client: String) {
    waiting.removeAll { $0.caller.client == client && !$0.isAsked }
    for question in waiting where question.caller.client == client { question.whenAnswered = nil }
  }

  /// Asks polkit as many of the questions that wait as may be asked at a time.
  private func askNext() {
    while let next = waiting.first(where: { !$0.isAsked && mayBeAsked($0) }) {
      next.isAsked = true
      ask(next)
    }
  }

  private func mayBeAsked(_ question: Question) -> Bool {
    let users = waiting.compactMap { $0.isAsked ? $0.caller.user : nil }
    if case .user(let user) = question.caller.user, privilegedUsers.contains(user) {
      return users.count < Self.limit
    }
    let ofUser = users.reduce(0) { $0 + ($1 == question.caller.user ? 1 : 0) }
    return users.count < Self.limit - Self.reserve && ofUser < Self.limitOfUser
  }

  private func ask(_ question: Question) {
    let number = question.number
    guard case .user(let user) = question.caller.user, question.process > 0 else { return refuse(number) }
    do throws(BusError) {
      let message = try connection.bus.polkitQuestion(
        subject: .process(question.process, user: user), action: question.action, interaction: .notAllowed,
        cancellation: "process-\(number)")
      question.slot = try connection.bus.callAsync(message, timeoutSeconds: Self.patienceSeconds) {
        [unowned(unsafe) self] reply in
        guard let question = waiting.first(where: { $0.number == number }) else { return }
        let verdict = AuthorizationVerdict(
          PolkitAnswer(reply, of: polkit), action: question.action, interaction: .notAllowed)
        // Without polkit, only privileged users may, who could do it anyway.
        answer(
          question,
          verdict
            ?? AuthorizationVerdict(
              isPrivileged: privilegedUsers.contains(user), action: question.action))
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

extension Bus {
  /// Calls a handler for each signal of polkit that its answers may have changed.
  ///
  /// The handler must check who has sent it.
  fileprivate borrowing func polkitChanges(
    _ handler: @escaping (borrowing Message) -> Void
  ) throws(BusError) -> Slot {
    try match(
      "type='signal',sender='\(Polkit.service)',path='/org/freedesktop/PolicyKit1/Authority',"
        + "interface='org.freedesktop.PolicyKit1.Authority',member='Changed'", handler)
  }
}
