// SPDX-License-Identifier: Apache-2.0

import Systemd

/// Carries out clients' calls that change what is saved, each when polkit allows it, and answers them when the change is on the disk.
final class AuthorizedChanges {
  private let authorizer: Authorizer
  private let answers: SettledAnswers
  private var budget = CallBudget()

  /// Creates one.
  ///
  /// - Parameters:
  ///   - authorizer: knows the callers, and asks polkit.
  ///   - answers: what waits for the disk.
  init(by authorizer: Authorizer, answers: SettledAnswers) {
    (self.authorizer, self.answers) = (authorizer, answers)
  }

  /// Acts when polkit allows it, and replies when the change is on the disk.
  ///
  /// A call that changes nothing needs no permission, unless an earlier call of the client waits that may make it a change: a
  /// client's calls take effect in their order. So only then does `isChange` refuse a call before polkit is asked.
  ///
  /// - Parameters:
  ///   - action: what polkit has to allow.
  ///   - call: the call, its arguments validated.
  ///   - isChange: whether the call would change anything now, or why it is refused.
  ///   - results: appends what it returns.
  ///   - act: carries it out, or says why not.
  /// - Throws: `BusError`; `call` is not answered then.
  func perform(
    _ action: AuthorizedAction, for call: consuming Message,
    isChange: @escaping (_ caller: Caller) throws(BusError) -> Bool,
    results: @escaping SettledAnswers.Results = { _ in },
    act: @escaping (_ caller: Caller) throws(BusError) -> Void
  ) throws(BusError) {
    try authorizer.callers.identify(call) { [unowned(unsafe) self] call, caller throws(BusError) in
      try answers.checkRoom(for: caller)
      if !authorizer.isWaiting(caller), try !isChange(caller) {
        return answers.answer(call, of: caller, results: results)
      }
      guard budget.take(of: caller) else { throw BusError.tooFast("has made", "changes") }
      try authorizer.authorize(call, by: caller, for: action) {
        [unowned(unsafe) self] call throws(BusError) in
        try act(caller)
        answers.answer(call.retained(), of: caller, results: results)
      } refusing: { [unowned(unsafe) self] call, error in
        answers.answer(call.retained(), of: caller, refusal: error)
      }
    }
  }
}
