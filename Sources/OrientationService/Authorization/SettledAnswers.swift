// SPDX-License-Identifier: Apache-2.0

import Systemd

/// Answers calls when the state that they have changed is on the disk, or cannot be saved.
///
/// A client's calls are answered in their order. If nothing is being saved, they are answered at once.
final class SettledAnswers {
  /// Appends the results of a call to its answer, when that is sent.
  typealias Results = (borrowing Message) throws(BusError) -> Void

  private let keeper: StateKeeper
  private var waiting: [SettledAnswer] = []

  /// Creates an empty list.
  ///
  /// - Parameters:
  ///   - keeper: whose state the calls change; whoever sets its `whenSettled` calls ``sendDue()``.
  ///   - callers: who calls. They refer to this without owning it, which is safe because they call it only while the event loop runs.
  init(for keeper: StateKeeper, of callers: Callers) {
    self.keeper = keeper
    callers.watch(
      holders: { [unowned(unsafe) self] in waiting.map { $0.pending.caller.client } },
      left: { [unowned(unsafe) self] client in waiting.removeAll { $0.pending.caller.client == client } })
  }

  /// Checks whether the answer of one more call may wait.
  ///
  /// Call this before the call is carried out or waits for its authorization: from then on it has to be answered.
  ///
  /// - Throws: `BusError` LimitsExceeded if too many wait already.
  func checkRoom(for caller: Caller) throws(BusError) {
    if let excess = Limits.answersForDisk.excess(of: caller, among: waiting.map { $0.pending.caller }) {
      throw BusError(excess, ofCallsThatWaitFor: "the disk")
    }
  }

  /// Answers a call when it is time.
  ///
  /// - Parameters:
  ///   - call: the call, whose changes are in the state by now.
  ///   - caller: who calls.
  ///   - results: appends what it returns.
  func answer(_ call: consuming Message, of caller: Caller, results: @escaping Results) {
    send(SettledAnswer(pending: PendingCall(call, of: caller), version: keeper.version, results: results))
  }

  /// Answers a call that was not carried out, after the client's earlier ones: it need not wait for the disk itself.
  func answer(_ call: consuming Message, of caller: Caller, refusal: BusError) {
    let version = waiting.last { $0.pending.caller == caller }?.version ?? 0
    send(
      SettledAnswer(pending: PendingCall(call, of: caller), version: version) { _ throws(BusError) in
        throw refusal
      })
  }

  private func send(_ answer: SettledAnswer) {
    guard answer.version > keeper.settledVersion else { return answer.send() }
    waiting.append(answer)
  }

  /// Sends the answers whose states are settled.
  func sendDue() {
    let due = waiting.filter { $0.version <= keeper.settledVersion }
    waiting.removeAll { $0.version <= keeper.settledVersion }
    for answer in due { answer.send() }
  }
}

/// An answer that may wait.
private struct SettledAnswer {
  let pending: PendingCall
  /// The version of the state that has to be settled first.
  let version: UInt64
  let results: SettledAnswers.Results

  func send() {
    do throws(BusError) {
      try pending.call.answer(results)
    } catch {
      pending.call.refuse(with: error)
    }
  }
}
