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
      try carryOut()
      switch answering {
      case .byAuthorizer: try call.reply().send()
      case .byAct: return
      case .whenSettled(let answers): answers.answer(call.retained(), of: caller)
      }
    } catch {
      if case .whenSettled(let answers) = answering {
        return answers.answer(call.retained(), of: caller, with: error)
      }
      // An answer fails only if the bus connection is closed, and then the caller gets none anyway.
      _ = try? call.reply(error)
    }
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
