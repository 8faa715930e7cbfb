// SPDX-License-Identifier: Apache-2.0

import Systemd

/// A call that waits for its authorization.
final class AuthorizationRequest {
  /// Identifies it in calls to polkit; unique in this process.
  let number: UInt64
  let caller: Caller
  /// What has to be authorized; nil for a call that only waits for its turn.
  let action: AuthorizedAction?
  let interaction: Interaction
  private let call: Message
  private let act: Authorizer.Act
  private let refuse: Authorizer.Refuse

  /// polkit's answer; nil until it has decided.
  var answer: PolkitAnswer?
  /// The question to polkit, which is still looking for an answer.
  var question: Slot?
  /// Whether a question about it was not answered: then polkit was asked once more, and the next one without an answer is the last.
  var hasWaitedInVain = false
  /// Whether its client has left, so that only polkit's answer is awaited.
  var isAbandoned = false

  init(
    number: UInt64, caller: Caller, action: AuthorizedAction?, interaction: Interaction,
    call: consuming Message, act: @escaping Authorizer.Act, refuse: @escaping Authorizer.Refuse
  ) {
    self.number = number
    self.call = call
    self.caller = caller
    self.action = action
    self.interaction = interaction
    self.act = act
    self.refuse = refuse
  }

  /// Identifies the question; another one after a question that polkit may still be looking at.
  var cancellation: String { hasWaitedInVain ? "\(number)-again" : "\(number)" }

  /// Does what was asked for, if it may be done.
  func finish() {
    do throws(BusError) {
      if let action, let refusal = (answer ?? .denied).refusal(of: action, interaction) { throw refusal }
      // The arguments have been read once, to validate them.
      try call.rewind()
      try act(call)
    } catch {
      refuse(call, error)
    }
  }
}
