// SPDX-License-Identifier: Apache-2.0

// Some of what programs do takes time: they read samples, claim a sensor, hold the screen. Meanwhile another user may come to the screen, to
// whom the first one's programs must mean nothing. So polkit's answer is kept for each program, and polkit is asked again whenever its
// answers may have changed; about programs that read motion also without that, because a signal can be lost. Until it has answered, its last
// answer holds; if it does not in its time, the answer is no. A program that is not allowed any more is not ended: what it does has no
// effect until it is allowed again.
//
// polkit is asked asynchronously, as for calls (`Authorizer`), but there is no call to be answered, and the user is never asked: nobody has
// just asked for anything.

import IIO
import Orientation
import Systemd

/// Which programs may go on with something.
final class StandingPermissions {
  /// How long polkit may take, in seconds, as for calls.
  private static let patienceSeconds = 10.0
  /// How often polkit is asked about programs that read motion, in seconds.
  ///
  /// A user can have the bus drop the signals to this process, or not read from it, by calls whose answers nobody reads. The motion of
  /// whoever is at the screen must not be told to others because of that.
  private static let renewalSeconds = 20.0

  /// What a program does, and whether it may.
  private final class Program {
    let caller: Caller
    let action: AuthorizedAction
    let subject: PolkitSubject
    let isStillThere: () -> Bool
    /// Nil until polkit has answered.
    var isAllowed: Bool?
    /// Since when a question about it waits, to be asked or to be answered; nil if none does.
    var waitsSince: BootTime?
    /// Whether that has been asked.
    var isAsked = false
    var question: Slot?
    /// Whether nobody waits for the answer any more, and only polkit's work counts.
    var isForgotten = false
    /// Whether it is allowed to read motion, until polkit says otherwise.
    var readsMotion: Bool { action == .readMotion && isAllowed == true && !isForgotten }

    init(
      _ caller: Caller, _ action: AuthorizedAction, _ subject: PolkitSubject,
      isStillThere: @escaping () -> Bool
    ) {
      self.caller = caller
      self.action = action
      self.subject = subject
      self.isStillThere = isStillThere
    }
  }

  private let connection: Connection
  private let polkit: PolkitClient
  private var watchers: [(action: AuthorizedAction, whenChanged: (_ client: String) -> Void)] = []
  /// Those about which a question waits are in the order of the questions.
  private var programs: [Program] = []
  private var lastNumber: UInt64 = 0
  /// Whether questions that wait are looked at after the present event.
  private var isNextPosted = false
  private var renewal: Timer?

  /// Creates an empty list.
  ///
  /// - Parameters:
  ///   - connection: the loop.
  ///   - polkit: who is asked. It refers to this without owning it, which is safe because it calls it only while the event loop runs.
  /// - Throws: `BusError` if no timer can be made.
  init(on connection: Connection, polkit: PolkitClient) throws(BusError) {
    self.connection = connection
    self.polkit = polkit
    polkit.watch { [unowned(unsafe) self] in askAgain() }
    renewal = try BusError.wrapping { () throws(SystemdError) in
      try connection.loop.timer { [unowned(unsafe) self] in askAgain(onlyAboutMotion: true) }
    }
  }

  /// Calls a function when a program has become allowed to do something, or not allowed.
  func watch(_ action: AuthorizedAction, _ whenChanged: @escaping (_ client: String) -> Void) {
    watchers.append((action, whenChanged))
  }

  /// Whether a program is allowed to do something; nil if polkit has not answered yet, or was not asked.
  func isAllowed(_ client: String, _ action: AuthorizedAction) -> Bool? { find(client, action)?.isAllowed }

  /// Asks whether a program may begin, unless it is allowed already or polkit is being asked.
  ///
  /// - Parameters:
  ///   - subject: the program, as polkit knows it.
  ///   - caller: who it is.
  ///   - action: what it does.
  ///   - isStillThere: whether `subject` still means this program, when polkit has answered.
  func ask(
    about subject: PolkitSubject, of caller: Caller, for action: AuthorizedAction,
    isStillThere: @escaping () -> Bool
  ) {
    guard let program = find(caller.client, action) else {
      return question(Program(caller, action, subject, isStillThere: isStillThere))
    }
    guard program.isAllowed != true, program.waitsSince == nil else { return }
    program.isAllowed = nil
    question(program)
  }

  /// Records that polkit has allowed a client of the bus to begin.
  func grant(_ action: AuthorizedAction, to caller: Caller) {
    guard let program = find(caller.client, action) else {
      let program = Program(caller, action, .client(caller.client), isStillThere: { true })
      program.isAllowed = true
      return programs.append(program)
    }
    let wasDenied = program.isAllowed == false
    program.isAllowed = true
    if wasDenied { tell(of: program) }
  }

  /// Takes in what polkit has answered before a restart of the service, and asks it again.
  func restore(_ action: AuthorizedAction, of caller: Caller, isAllowed: Bool) {
    guard find(caller.client, action) == nil else { return }
    let program = Program(caller, action, .client(caller.client), isStillThere: { true })
    program.isAllowed = isAllowed
    question(program)
  }

  /// Forgets a program that has left, or that does nothing any more; a question that polkit was asked counts until it has answered.
  func forget(_ client: String, _ action: AuthorizedAction) {
    guard let program = find(client, action) else { return }
    if program.isAsked { program.isForgotten = true } else { programs.removeAll { $0 === program } }
    if programs.allSatisfy({ !$0.readsMotion }) { renewal?.cancel() }
  }

  private func find(_ client: String, _ action: AuthorizedAction) -> Program? {
    programs.first { $0.caller.client == client && $0.action == action && !$0.isForgotten }
  }

  private func tell(of program: Program) {
    for watcher in watchers where watcher.action == program.action {
      watcher.whenChanged(program.caller.client)
    }
  }

  // MARK: Questions

  private func askAgain(onlyAboutMotion: Bool = false) {
    for program in programs where !program.isForgotten && program.waitsSince == nil {
      if !onlyAboutMotion || program.readsMotion { question(program) }
    }
  }

  private func question(_ program: Program) {
    program.waitsSince = .now
    programs.removeAll { $0 === program }
    programs.append(program)
    // Once for many.
    guard !isNextPosted else { return }
    isNextPosted = true
    connection.loop.post { [unowned(unsafe) self] in
      isNextPosted = false
      askNext()
    }
  }

  /// Asks polkit as many of the questions that wait as may be asked at a time.
  ///
  /// One that has waited for as long as polkit may take is answered with no: until then, an earlier answer holds.
  private func askNext() {
    var users = programs.compactMap { $0.isAsked ? $0.caller.user : nil }
    var favoured: [ConnectionUser]?
    for program in programs where !program.isAsked {
      guard let start = program.waitsSince else { continue }
      guard BootTime.now.seconds(since: start) < Self.patienceSeconds else {
        refuse(program, triesAgain: true)
        continue
      }
      if favoured == nil, users.count >= Limits.programsForPolkit.inAll / 2 { favoured = FavouredUsers.now() }
      let excess = Limits.programsForPolkit.excess(
        of: program.caller, among: users, ofClient: 0, favoured: { favoured ?? [] })
      guard excess == nil else { continue }
      users.append(program.caller.user)
      ask(program)
    }
  }

  private func ask(_ program: Program) {
    if case .process(let process, _) = program.subject, process <= 0 { return refuse(program) }
    program.isAsked = true
    lastNumber += 1
    do throws(BusError) {
      program.question = try polkit.ask(
        about: program.subject, of: program.caller, for: program.action, interaction: .notAllowed,
        cancellation: "program-\(lastNumber)", patienceSeconds: Self.patienceSeconds
      ) { [unowned(unsafe) self, unowned(unsafe) program] answer, isOutdated in
        guard let program = programs.first(where: { $0 === program }) else { return }
        if !answer.isDecision { polkit.tryAgainLater() }
        let isAllowed = if case .authorized = answer { true } else { false }
        answered(program, isAllowed, isOutdated: isOutdated)
      }
    } catch {
      refuse(program)
    }
  }

  /// Refuses what cannot be asked, after the present event.
  private func refuse(_ program: Program, triesAgain: Bool = false) {
    program.isAsked = true
    connection.loop.post { [unowned(unsafe) self] in
      answered(program, false, isOutdated: false)
      // Not before: a repetition leaves out a program whose question still waits.
      if triesAgain { polkit.tryAgainLater() }
    }
  }

  private func answered(_ program: Program, _ isAllowed: Bool, isOutdated: Bool) {
    defer { askNext() }
    program.question = nil
    (program.waitsSince, program.isAsked) = (nil, false)
    guard !program.isForgotten else { return programs.removeAll { $0 === program } }
    let before = program.isAllowed
    // If the program has left, polkit may have been asked about another one. A no holds at once, also if another answer follows.
    if !isOutdated || !isAllowed { program.isAllowed = isAllowed && program.isStillThere() }
    if isOutdated { question(program) }
    if program.readsMotion, renewal?.isArmed == false { renewal?.arm(afterSeconds: Self.renewalSeconds) }
    if program.isAllowed != before { tell(of: program) }
  }
}
