// SPDX-License-Identifier: Apache-2.0

// Some of what programs do takes time: they read samples, claim a sensor, hold the screen. Meanwhile another user may come to the screen, to
// whom the first one's programs must mean nothing. So polkit's answer is kept for each program, and polkit is asked again whenever its
// answers may have changed. Until it has answered, its last answer holds, which takes as long as polkit needs for all programs of a user. A
// program that is not allowed any more is not ended: what it does has no effect until it is allowed again.

import Systemd

/// Which programs may go on with something.
final class StandingPermissions {
  /// A program, by its caller.
  private struct Program {
    let caller: Caller
    let subject: PolkitSubject
    let isStillThere: () -> Bool
    /// Nil until polkit has answered.
    var isAllowed: Bool?
    /// Whether polkit is being asked.
    var isAsked = false
    /// Whether polkit's answers may have changed since it was asked.
    var isOutdated = false
  }

  private let action: AuthorizedAction
  private let authorizer: ProgramAuthorizer
  private let whenChanged: (_ client: String) -> Void
  private var programs: [Program] = []

  /// Creates an empty list.
  ///
  /// - Parameters:
  ///   - action: what the programs do.
  ///   - authorizer: asks polkit. It refers to this without owning it, which is safe because it calls it only while the event loop runs.
  ///   - whenChanged: called when a program has become allowed, or not allowed.
  init(
    for action: AuthorizedAction, by authorizer: ProgramAuthorizer,
    whenChanged: @escaping (_ client: String) -> Void
  ) {
    self.action = action
    self.authorizer = authorizer
    self.whenChanged = whenChanged
    authorizer.watch { [unowned(unsafe) self] in askAgain() }
  }

  /// Whether a program is allowed; nil if polkit has not answered yet, or was not asked.
  func isAllowed(_ client: String) -> Bool? { index(of: client).flatMap { programs[$0].isAllowed } }

  /// Asks whether a program may begin, unless it is allowed already or polkit is being asked.
  ///
  /// - Parameters:
  ///   - subject: the program, as polkit knows it.
  ///   - caller: who it is.
  ///   - isStillThere: whether `subject` still means this program, when polkit has answered.
  func ask(about subject: PolkitSubject, of caller: Caller, isStillThere: @escaping () -> Bool) {
    guard let index = index(of: caller.client) else {
      programs.append(Program(caller: caller, subject: subject, isStillThere: isStillThere))
      return question(programs.count - 1)
    }
    guard programs[index].isAllowed != true, !programs[index].isAsked else { return }
    programs[index].isAllowed = nil
    question(index)
  }

  /// Records that polkit has allowed a client of the bus to begin.
  func grant(to caller: Caller) {
    let index: Int
    if let known = self.index(of: caller.client) {
      index = known
    } else {
      index = programs.count
      programs.append(Program(caller: caller, subject: .client(caller.client), isStillThere: { true }))
    }
    let wasDenied = programs[index].isAllowed == false
    programs[index].isAllowed = true
    if wasDenied { whenChanged(caller.client) }
  }

  /// Forgets a program that has left, or that does nothing any more.
  func forget(_ client: String) {
    guard let index = index(of: client) else { return }
    programs.remove(at: index)
    authorizer.forget(client, action)
  }

  private func index(of client: String) -> Int? { programs.firstIndex { $0.caller.client == client } }

  private func askAgain() { for index in programs.indices { askAgain(index) } }

  private func askAgain(_ index: Int) {
    if programs[index].isAsked { programs[index].isOutdated = true } else { question(index) }
  }

  private func question(_ index: Int) {
    (programs[index].isAsked, programs[index].isOutdated) = (true, false)
    let program = programs[index]
    authorizer.ask(about: program.subject, of: program.caller, for: action) {
      [unowned(unsafe) self] in answered($0, about: program.caller.client)
    }
  }

  private func answered(_ isAllowed: Bool, about client: String) {
    guard let index = index(of: client) else { return }
    programs[index].isAsked = false
    let before = programs[index].isAllowed
    let isOutdated = programs[index].isOutdated
    // If the program has left, polkit may have been asked about another one. A no holds at once, also if another answer follows.
    if !isOutdated || !isAllowed { programs[index].isAllowed = isAllowed && programs[index].isStillThere() }
    let isChanged = programs[index].isAllowed != before
    if isOutdated { question(index) }
    if isChanged { whenChanged(client) }
  }
}
