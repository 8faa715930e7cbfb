// SPDX-License-Identifier: Apache-2.0

import Systemd

/// A call that is not answered yet.
final class PendingCall {
  /// Who called.
  let caller: Caller
  /// The call.
  let call: Message
  fileprivate var deadline: Timer?

  init(_ call: consuming Message, of caller: Caller) {
    self.caller = caller
    self.call = call
  }
}

/// Calls whose answers wait for something, each with the same timeout.
final class PendingCalls {
  private let connection: Connection
  private let patienceSeconds: Double
  /// Called with a call that has waited for so long; it is not in the list any more and has to be answered.
  var whenLate: (PendingCall) -> Void = {
    $0.call.refuse(with: BusError(name: BusError.Name.noReply, message: "There was no answer in time."))
  }
  private var calls: [PendingCall] = []

  /// Creates an empty list.
  ///
  /// - Parameters:
  ///   - connection: what the calls come over; it must outlive the list.
  ///   - patienceSeconds: how long a call waits at most.
  init(on connection: Connection, patienceSeconds: Double) {
    (self.connection, self.patienceSeconds) = (connection, patienceSeconds)
  }

  /// Whether no call waits.
  var isEmpty: Bool { calls.isEmpty }

  /// How many calls of a client wait.
  func count(of client: String) -> Int {
    calls.count { $0.caller.client == client }
  }

  /// The callers, once for each call.
  var callers: [Caller] { calls.map { $0.caller } }

  /// Adds a call, and starts its timeout.
  ///
  /// - Throws: `BusError` if no timer can be made; the call is not in the list then.
  func add(_ call: consuming Message, of caller: Caller) throws(BusError) {
    let pending = PendingCall(call, of: caller)
    pending.deadline = try BusError.wrapping { () throws(SystemdError) in
      try connection.loop.after(seconds: patienceSeconds) {
        [unowned(unsafe) self, unowned(unsafe) pending] in
        guard let index = calls.firstIndex(where: { $0 === pending }) else { return }
        whenLate(calls.remove(at: index))
      }
    }
    calls.append(pending)
  }

  /// Removes all calls, for the caller of this to answer them.
  func takeAll() -> [PendingCall] {
    defer { calls = [] }
    return calls
  }

  /// Removes the calls of a client, for the caller of this to answer or to drop them.
  @discardableResult
  func take(of client: String) -> [PendingCall] {
    defer { calls.removeAll { $0.caller.client == client } }
    return calls.filter { $0.caller.client == client }
  }
}
