// SPDX-License-Identifier: Apache-2.0

import Systemd

/// A call whose answer waits.
final class HeldCall {
  /// Who called.
  let caller: Caller
  /// The call.
  let call: Message
  fileprivate var deadline: Timer?

  fileprivate init(_ call: consuming Message, of caller: Caller) {
    self.caller = caller
    self.call = call
  }
}

/// Calls whose answers wait for something, each for so long at most.
final class HeldCalls {
  private let connection: Connection
  private let patienceSeconds: Double
  private let whenLate: (HeldCall) -> Void
  private var calls: [HeldCall] = []

  /// Creates an empty list.
  ///
  /// - Parameters:
  ///   - connection: what the calls come over; it must outlive the list.
  ///   - patienceSeconds: how long a call waits.
  ///   - whenLate: called with a call whose time ran out, which is not held any more and has to be answered.
  init(on connection: Connection, patienceSeconds: Double, whenLate: @escaping (HeldCall) -> Void) {
    self.connection = connection
    self.patienceSeconds = patienceSeconds
    self.whenLate = whenLate
  }

  /// Whether nobody waits.
  var isEmpty: Bool { calls.isEmpty }

  /// How many calls of a client wait.
  func count(of client: String) -> Int {
    calls.reduce(0) { $0 + ($1.caller.client == client ? 1 : 0) }
  }

  /// Who waits, once for each call.
  var callers: [Caller] { calls.map { $0.caller } }

  /// Has a call wait.
  ///
  /// - Throws: `BusError` where there is no timer to be had.
  func hold(_ call: consuming Message, of caller: Caller) throws(BusError) {
    let held = HeldCall(call, of: caller)
    do throws(SystemdError) {
      held.deadline = try connection.loop.after(seconds: patienceSeconds) {
        [unowned(unsafe) self, unowned(unsafe) held] in
        guard let index = calls.firstIndex(where: { $0 === held }) else { return }
        whenLate(calls.remove(at: index))
      }
    } catch {
      throw BusError(code: error.code, operation: error.operation)
    }
    calls.append(held)
  }

  /// Takes all calls out, to be answered.
  func takeAll() -> [HeldCall] {
    defer { calls = [] }
    return calls
  }

  /// Takes the calls of a client out, to be answered or forgotten.
  @discardableResult
  func take(of client: String) -> [HeldCall] {
    defer { calls.removeAll { $0.caller.client == client } }
    return calls.filter { $0.caller.client == client }
  }
}
