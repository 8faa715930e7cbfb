// SPDX-License-Identifier: Apache-2.0

import Orientation
import Systemd

/// The calls of `MeasureOrientation` that wait for the first orientation after the sensor was started.
final class PendingOrientationCalls {
  /// How long a caller waits, in seconds.
  ///
  /// Healthy sensors have a first reading after 0.1 to 0.3 s. A buffer that stays silent is replaced by polling after 1.5 s, which
  /// leaves time for a first orientation.
  private static let patienceSeconds = 3.0

  /// Called after a call has timed out, or its caller has left the bus.
  var whenDropped: () -> Void = {}

  private let calls: PendingCalls

  /// Creates an empty list.
  ///
  /// - Parameters:
  ///   - connection: what the calls come over; it must outlive the list.
  ///   - callers: who calls. They refer to this without owning it, which is safe because they call it only while the event loop runs.
  init(on connection: Connection, of callers: Callers) {
    calls = PendingCalls(on: connection, patienceSeconds: Self.patienceSeconds)
    calls.whenLate = { [unowned(unsafe) self] call in
      let message = "The sensor has given no orientation within \(Int(Self.patienceSeconds)) s."
      Self.answer(call, .failure(BusError.sensorUnavailable(message)))
      whenDropped()
    }
    callers.watch(
      holders: { [unowned(unsafe) self] in calls.callers.map { $0.client } },
      left: { [unowned(unsafe) self] in forget($0) })
  }

  /// Whether no call waits.
  var isEmpty: Bool { calls.isEmpty }

  /// Has a caller wait.
  ///
  /// - Parameters:
  ///   - call: the call. It is answered with an error after three seconds.
  ///   - caller: who calls.
  /// - Throws: `BusError` LimitsExceeded if too many calls wait already.
  func add(_ call: consuming Message, of caller: Caller) throws(BusError) {
    if let excess = Limits.callsForSensor.excess(of: caller, among: calls.callers) {
      throw BusError(excess, ofCallsThatWaitFor: "the orientation")
    }
    try calls.add(call, of: caller)
  }

  /// Drops the calls of a client that has left: without other clients, the sensor must stop.
  private func forget(_ client: String) {
    if !calls.take(of: client).isEmpty { whenDropped() }
  }

  /// Answers all calls that wait.
  func answerAll(_ answer: Result<DeviceOrientation, BusError>) {
    for call in calls.takeAll() { Self.answer(call, answer) }
  }

  private static func answer(_ pending: PendingCall, _ answer: Result<DeviceOrientation, BusError>) {
    switch answer {
    // It fails only if the caller has left meanwhile, and then nothing waits for the answer.
    case .success(let orientation): _ = try? pending.call.answer(orientation)
    case .failure(let error): pending.call.refuse(with: error)
    }
  }
}

extension Message {
  /// Answers a call of `MeasureOrientation`.
  func answer(_ orientation: DeviceOrientation) throws(BusError) {
    try answer { reply throws(BusError) in
      try reply.append(orientation.rawValue)
      try reply.append(orientation.name)
    }
  }
}
