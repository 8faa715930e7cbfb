// SPDX-License-Identifier: Apache-2.0

import Orientation
import Systemd

/// The calls of `GetOrientation` that wait for the sensor's first word.
final class OrientationRequests {
  /// How long a caller waits, in seconds (DESIGN, section 5).
  private static let patienceSeconds = 3.0
  /// How many calls may wait: scripts ask one at a time.
  static let limits = UserAccounts(perClient: 8, perUser: 16, inAll: 64)

  private let whenDropped: () -> Void
  private let waiting: HeldCalls

  /// Creates an empty list.
  ///
  /// - Parameters:
  ///   - connection: what the calls come over; it must outlive the list.
  ///   - callers: who calls; the list must outlive them.
  ///   - whenDropped: called after the time of a caller ran out, or a caller has left.
  init(on connection: Connection, of callers: Callers, whenDropped: @escaping () -> Void) {
    self.whenDropped = whenDropped
    waiting = HeldCalls(on: connection, patienceSeconds: Self.patienceSeconds) { call in
      let message = "The sensor has not said anything for \(Int(Self.patienceSeconds)) s."
      Self.answer(call, .failure(BusError(name: ServiceErrorName.sensorUnavailable, message: message)))
      whenDropped()
    }
    callers.watch(
      holders: { [unowned(unsafe) self] in waiting.callers.map { $0.client } },
      left: { [unowned(unsafe) self] in forget($0) })
  }

  /// Whether nobody waits.
  var isEmpty: Bool { waiting.isEmpty }

  /// Has a caller wait.
  ///
  /// - Parameters:
  ///   - call: the call, answered with an error if the time runs out.
  ///   - caller: who calls.
  /// - Throws: `BusError` LimitsExceeded where too many wait already.
  func add(_ call: consuming Message, of caller: Caller) throws(BusError) {
    do throws(UserAccounts.Excess) {
      try Self.limits.check(
        caller, among: waiting.callers.map { $0.user }, ofClient: waiting.count(of: caller.client))
    } catch {
      throw BusError(error, ofCallsThatWaitFor: "the orientation")
    }
    try waiting.hold(call, of: caller)
  }

  /// Drops the calls of a client that has left: the sensor must not run for nobody.
  private func forget(_ client: String) {
    if !waiting.take(of: client).isEmpty { whenDropped() }
  }

  /// Answers everybody who waits.
  func answerAll(_ answer: Result<DeviceOrientation, BusError>) {
    for request in waiting.takeAll() { Self.answer(request, answer) }
  }

  private static func answer(_ request: HeldCall, _ answer: Result<DeviceOrientation, BusError>) {
    // A caller that has gone meanwhile needs no answer, which is all that can go wrong here.
    do throws(BusError) {
      switch answer {
      case .success(let orientation): try request.call.answer(orientation)
      case .failure(let error): try request.call.reply(error)
      }
    } catch {}
  }
}

extension Message {
  /// Answers a call of `GetOrientation`.
  func answer(_ orientation: DeviceOrientation) throws(BusError) {
    let reply = try reply()
    try reply.append(orientation.rawValue)
    try reply.append(orientation.name)
    try reply.send()
  }
}
