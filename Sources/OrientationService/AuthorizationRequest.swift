// SPDX-License-Identifier: Apache-2.0

import Systemd

/// A call that waits for its authorization.
final class AuthorizationRequest {
  /// What polkit calls it by: no two of a process have the same.
  let number: UInt64
  let call: Message
  /// The caller's unique name.
  let client: String
  let action: AuthorizedAction
  let interaction: Interaction
  private let answering: Authorizer.Answering
  private let act: Authorizer.Act

  /// What was decided; nil until then.
  var verdict: AuthorizationVerdict?
  /// What waits for the answer of polkit, or then of the bus.
  var question: Slot?
  /// Whether polkit is still looking for an answer.
  var isWithPolkit = false

  init(
    number: UInt64, client: String, action: AuthorizedAction, interaction: Interaction,
    call: consuming Message, answering: Authorizer.Answering, act: @escaping Authorizer.Act
  ) {
    self.number = number
    self.call = call
    self.client = client
    self.action = action
    self.interaction = interaction
    self.answering = answering
    self.act = act
  }

  /// Does what was asked for, if it may be done, and answers.
  func finish() {
    do throws(BusError) {
      try carryOut()
      if answering == .byAuthorizer { try call.reply().send() }
    } catch {
      // An answer can only fail to be sent where the bus is gone, and the caller with it.
      _ = try? call.reply(error)
    }
  }

  private func carryOut() throws(BusError) {
    switch verdict {
    case .authorized:
      // Its arguments have been validated, so they have been read once.
      try call.rewind()
      try act(call)
    case .refused(let error): throw error
    case nil: throw .notAuthorized("It has not been decided.", action)
    }
  }
}
