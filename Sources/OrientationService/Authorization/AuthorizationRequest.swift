// SPDX-License-Identifier: Apache-2.0

import Systemd

/// A call that waits for its authorization.
final class AuthorizationRequest {
  /// Identifies it in calls to polkit; unique in this process.
  let number: UInt64
  let call: Message
  let caller: Caller
  let action: AuthorizedAction
  let interaction: Interaction
  private let answering: Authorizer.Answering
  private let act: Authorizer.Act

  /// What was decided; nil until then.
  var verdict: AuthorizationVerdict?
  /// The question to polkit.
  var question: Slot?
  /// Whether polkit is still looking for an answer.
  var isWithPolkit = false
  /// Whether polkit's answers may have changed since it was asked.
  var isOutdated = false
  /// Whether its client has left, so that only polkit's answer is awaited.
  var isAbandoned = false

  init(
    number: UInt64, caller: Caller, action: AuthorizedAction, interaction: Interaction,
    call: consuming Message, answering: Authorizer.Answering, act: @escaping Authorizer.Act
  ) {
    self.number = number
    self.call = call
    self.caller = caller
    self.action = action
    self.interaction = interaction
    self.answering = answering
    self.act = act
  }

  /// Does what was asked for, if it may be done, and answers.
  func finish() {
    do throws(BusError) {
      if case .byVerdict = answering { return try replyVerdict() }
      try carryOut()
      switch answering {
      case .byAuthorizer: try call.reply().send()
      case .byAct, .byVerdict: return
      case .whenSettled(let answers, let results):
        answers.answer(call.retained(), of: caller, results: results)
      }
    } catch {
      if case .whenSettled(let answers, _) = answering {
        return answers.answer(call.retained(), of: caller, refusal: error)
      }
      // An answer fails only if the bus connection is closed, and then the caller gets none anyway.
      _ = try? call.reply(error)
    }
  }

  private func replyVerdict() throws(BusError) {
    let word =
      switch verdict {
      case .authorized: "yes"
      case .refused(let error) where error.name == BusError.Name.interactiveAuthorizationRequired: "challenge"
      case .refused, nil: "no"
      }
    let reply = try call.reply()
    try reply.append(word)
    try reply.send()
  }

  private func carryOut() throws(BusError) {
    switch verdict {
    case .authorized:
      // The arguments have been read once, to validate them.
      try call.rewind()
      try act(call)
    case .refused(let error): throw error
    case nil: throw .notAuthorized("It has not been decided.", action)
    }
  }
}
