// SPDX-License-Identifier: Apache-2.0

import Systemd

/// Answers calls once the state that they have led to is on the disk, or cannot be.
///
/// A client's calls are answered in their order. Where nothing is being saved, they are at once.
final class SettledAnswers {
  /// How many answers may wait.
  static let limits = UserAccounts(perClient: 8, perUser: 16, inAll: 64)

  private let keeper: StateKeeper
  private var waiting: [SettledAnswer] = []

  /// Creates an empty list.
  ///
  /// - Parameters:
  ///   - keeper: whose state the calls change; nobody else may hear of its saves.
  ///   - callers: who calls; the list must outlive them.
  init(for keeper: StateKeeper, of callers: Callers) {
    self.keeper = keeper
    callers.watch(
      holders: { [unowned(unsafe) self] in waiting.map { $0.caller.client } },
      left: { [unowned(unsafe) self] client in waiting.removeAll { $0.caller.client == client } })
    keeper.whenSettled = { [unowned(unsafe) self] in sendDue() }
  }

  /// Makes sure that the answer of one more call may wait.
  ///
  /// To be asked before the call is carried out, or kept to be so: from then on it has to be answered.
  ///
  /// - Throws: `BusError` LimitsExceeded where too many wait already.
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
  ///   - call: the call; the state has what it changes.
  ///   - caller: who calls.
  ///   - refusal: why it was not carried out; nil where it was.
  func answer(_ call: consuming Message, of caller: Caller, with refusal: BusError? = nil) {
    // A refusal promises nothing, and waits only for its turn.
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
  /// The state that has to be settled first.
  let version: UInt64
  private let call: Message
  private let refusal: BusError?

  init(to call: consuming Message, of caller: Caller, _ refusal: BusError?, version: UInt64) {
    (self.caller, self.refusal, self.version) = (caller, refusal, version)
    self.call = call
  }

  func send() {
    // It can only fail to be sent where the bus is gone, and the caller with it.
    do throws(BusError) {
      if let refusal { try call.reply(refusal) } else { try call.reply().send() }
    } catch {}
  }
}
