// SPDX-License-Identifier: Apache-2.0

import Systemd

/// Answers calls when the state that they have changed is on the disk, or cannot be saved.
///
/// A client's calls are answered in their order. If nothing is being saved, they are answered at once.
final class SettledAnswers {
  /// How many answers may wait.
  static let limits = UserAccounts(perClient: 8, perUser: 16, inAll: 64)

  private let keeper: StateKeeper
  private var waiting: [SettledAnswer] = []

  /// Creates an empty list.
  ///
  /// - Parameters:
  ///   - keeper: whose state the calls change. Its `whenSettled` belongs to this object.
  ///   - callers: who calls; the list must outlive them.
  init(for keeper: StateKeeper, of callers: Callers) {
    self.keeper = keeper
    callers.watch(
      holders: { [unowned(unsafe) self] in waiting.map { $0.caller.client } },
      left: { [unowned(unsafe) self] client in waiting.removeAll { $0.caller.client == client } })
    keeper.whenSettled = { [unowned(unsafe) self] in sendDue() }
  }

  /// Checks whether the answer of one more call may wait.
  ///
  /// Call this before the call is carried out or waits for its authorization: from then on it has to be answered.
  ///
  /// - Throws: `BusError` LimitsExceeded if too many wait already.
  func checkRoom(for caller: Caller) throws(BusError) {
    guard !waiting.isEmpty else { return }
    let ofClient = waiting.reduce(0) { $0 + ($1.caller.client == caller.client ? 1 : 0) }
    do throws(UserAccounts.Excess) {
      try Self.limits.check(caller, among: waiting.map { $0.caller.user }, ofClient: ofClient)
    } catch {
      throw BusError(error, ofCallsThatWaitFor: "the disk")
    }
  }

  /// Answers a call when it is time.
  ///
  /// - Parameters:
  ///   - call: the call, whose changes are in the state by now.
  ///   - caller: who calls.
  ///   - refusal: why it was not carried out; nil if it was.
  func answer(_ call: consuming Message, of caller: Caller, with refusal: BusError? = nil) {
    // A refusal need not wait for the disk, only for the client's earlier answers.
    let version = refusal == nil ? keeper.version : waiting.last { $0.caller == caller }?.version ?? 0
    let answer = SettledAnswer(to: call, of: caller, refusal, version: version)
    guard version > keeper.settledVersion else { return answer.send() }
    waiting.append(answer)
  }

  private func sendDue() {
    let due = waiting.filter { $0.version <= keeper.settledVersion }
    waiting.removeAll { $0.version <= keeper.settledVersion }
    for answer in due { answer.send() }
  }
}

/// An answer that may wait.
private final class SettledAnswer {
  let caller: Caller
  /// The version of the state that has to be settled first.
  let version: UInt64
  private let call: Message
  private let refusal: BusError?

  init(to call: consuming Message, of caller: Caller, _ refusal: BusError?, version: UInt64) {
    (self.caller, self.refusal, self.version) = (caller, refusal, version)
    self.call = call
  }

  func send() {
    // It fails only if the connection is closed, and then the caller gets no answer anyway.
    do throws(BusError) {
      if let refusal { try call.reply(refusal) } else { try call.reply().send() }
    } catch {}
  }
}
