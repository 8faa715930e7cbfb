// SPDX-License-Identifier: Apache-2.0

// polkit is asked asynchronously: about calls (`Authorizer`), and about programs that go on with something (`StandingPermissions`). Its
// D-Bus interface, as far as it is used here:
// https://polkit.pages.freedesktop.org/polkit/eggdbus-interface-org.freedesktop.PolicyKit1.Authority.html
//
// polkit signals that its answers may have changed; some versions do so when a session begins, ends, or leaves the screen, too, some have
// another signal for that. And logind signals that another session is on a screen. Whoever has asked asks again then.

import IIO
import Orientation
import Systemd

/// Whether the user may be asked to authenticate.
enum Interaction {
  /// The caller allows it.
  case allowed
  /// The caller does not allow it.
  case notAllowed
  /// The caller allows it, but too many calls that may ask the user wait already.
  case quotaExceeded
}

/// Asks polkit, and notices that its answers may have changed.
final class PolkitClient {
  private static let service = "org.freedesktop.PolicyKit1"
  private static let path = "/org/freedesktop/PolicyKit1/Authority"
  private static let interface = "org.freedesktop.PolicyKit1.Authority"
  /// How often the questions are repeated at most, in seconds.
  ///
  /// It is once more after each signal, too: logind signals a change before it has written what polkit reads.
  private static let repetitionSeconds = 1.0
  /// When they are repeated because an answer was neither yes nor no, in seconds.
  private static let secondAttemptSeconds = 10.0

  private let connection: Connection
  private let polkit: NameOwner
  private let privilegedUsers: [UInt32]
  private var polkitSignals: Slot?
  private var logindSignals: Slot?
  private var watchers: [() -> Void] = []
  private var timer: Timer?
  /// Whether answers may have changed since the questions were repeated: they are repeated within a second.
  private(set) var isChanged = false
  private var lastRepetition: BootTime?
  /// How often they were repeated: an answer to a question from before is out of date.
  private var repetitions = 0

  /// Creates a client of the polkit on a bus.
  ///
  /// - Parameters:
  ///   - connection: the bus.
  ///   - privilegedUsers: the users who may do everything if there is no polkit.
  /// - Throws: `BusError` if the connection is closed.
  init(on connection: Connection, privilegedUsers: [UInt32]) throws(BusError) {
    self.connection = connection
    self.privilegedUsers = privilegedUsers
    polkit = try NameOwner(of: Self.service, on: connection.bus)
    polkitSignals = try connection.bus.match(
      "type='signal',sender='\(Self.service)',path='\(Self.path)',interface='\(Self.interface)'"
    ) { [unowned(unsafe) self] signal in
      if polkit.hasSent(signal) { changed() }
    }
    logindSignals = try connection.bus.match(
      "type='signal',sender='\(Logind.service)',path_namespace='/org/freedesktop/login1/seat',"
        + "interface='org.freedesktop.DBus.Properties',member='PropertiesChanged'"
    ) { [unowned(unsafe) self] signal in
      if self.connection.logind.hasSent(signal) { changed() }
    }
    // What was asked while it restarted may have been refused; and if it is gone, it signals no changes. A question starts it again.
    polkit.whenChanged { [unowned(unsafe) self] in changed() }
    connection.logind.whenChanged { [unowned(unsafe) self] in changed() }
    timer = try BusError.wrapping { () throws(SystemdError) in
      try connection.loop.timer { [unowned(unsafe) self] in repeatQuestions() }
    }
  }

  // MARK: Questions

  /// Asks whether a caller may do something.
  ///
  /// - Parameters:
  ///   - subject: the caller, as polkit knows it.
  ///   - caller: who it is.
  ///   - action: the action.
  ///   - interaction: whether the user may be asked, for whom the answer then waits.
  ///   - cancellation: identifies the question; unique among those that wait.
  ///   - patienceSeconds: how long polkit may take.
  ///   - whenAnswered: called once; also with whether polkit's answers may have changed since it was asked.
  /// - Returns: the slot; destroying it drops the answer.
  /// - Throws: `BusError` if the connection is closed.
  func ask(
    about subject: PolkitSubject, of caller: Caller, for action: AuthorizedAction,
    interaction: Interaction, cancellation: String, patienceSeconds: Double,
    then whenAnswered: @escaping (PolkitAnswer, _ isOutdated: Bool) -> Void
  ) throws(BusError) -> Slot {
    let question = try methodCall("CheckAuthorization")
    try question.append(subject)
    try question.append(action.rawValue)
    try question.append(.array, "{ss}") { _ in }
    // AllowUserInteraction, the only flag.
    try question.append(interaction == .allowed ? 1 : 0 as UInt32)
    try question.append(cancellation)
    let asked = repetitions
    return try connection.bus.callAsync(question, timeoutSeconds: patienceSeconds) {
      [unowned(unsafe) self] reply in
      let isOutdated = asked != repetitions
      let answer = PolkitAnswer(reply, of: polkit)
      // Without polkit, only privileged users may, who could do it anyway.
      if case .absent = answer, caller.user.isOne(of: privilegedUsers) {
        return whenAnswered(.authorized, isOutdated)
      }
      whenAnswered(answer, isOutdated)
    }
  }

  /// Cancels a question, for which polkit may be showing a dialogue.
  func cancel(_ cancellation: String) {
    // It fails only if the connection is closed, and then there is no question any more.
    do throws(BusError) {
      let call = try methodCall("CancelCheckAuthorization")
      try call.append(cancellation)
      // If polkit has ended meanwhile, there is no question to cancel.
      try call.forbidAutoStart()
      try connection.bus.send(call)
    } catch {}
  }

  private func methodCall(_ member: String) throws(BusError) -> Message {
    try connection.bus.methodCall(
      destination: Self.service, path: Self.path, interface: Self.interface, member: member)
  }

  // MARK: Other answers

  /// Calls a function whenever earlier answers may not hold any more.
  func watch(_ askAgain: @escaping () -> Void) { watchers.append(askAgain) }

  /// Repeats the questions although nobody has signalled a change, because an answer was neither yes nor no.
  func tryAgainLater() {
    if timer?.isArmed == false { timer?.arm(afterSeconds: Self.secondAttemptSeconds) }
  }

  private func changed() {
    isChanged = true
    let wait = lastRepetition.map { Self.repetitionSeconds - BootTime.now.seconds(since: $0) } ?? 0
    if wait > 0 { timer?.arm(afterSeconds: wait) } else { repeatQuestions() }
  }

  private func repeatQuestions() {
    lastRepetition = .now
    repetitions += 1
    let mustRepeat = isChanged
    isChanged = false
    for askAgain in watchers { askAgain() }
    if mustRepeat { timer?.arm(afterSeconds: Self.repetitionSeconds) }
  }
}
