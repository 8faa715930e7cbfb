// SPDX-License-Identifier: Apache-2.0

import Orientation
import Systemd

/// The calls of `GetOrientation` that wait for the sensor's first word.
final class OrientationRequests {
  /// How long a caller waits, in seconds (DESIGN, section 5).
  private static let patienceSeconds = 3.0
  /// How many may wait: scripts ask one at a time.
  static let capacity = 64
  /// How many calls of one client may wait, so that none can keep the others out.
  static let callsPerClient = 8

  private let whenDropped: () -> Void
  private var departures: Departures?
  private var waiting: HeldCalls?

  /// Creates an empty list.
  ///
  /// - Parameters:
  ///   - connection: what the calls come over; it must outlive the list.
  ///   - whenDropped: called after the time of a caller ran out, or a caller has left.
  init(on connection: Connection, whenDropped: @escaping () -> Void) {
    self.whenDropped = whenDropped
    waiting = HeldCalls(on: connection, patienceSeconds: Self.patienceSeconds) {
      [unowned(unsafe) self] call in
      let message = "The sensor has not said anything for \(Int(Self.patienceSeconds)) s."
      Self.answer(call, .failure(BusError(name: ServiceErrorName.sensorUnavailable, message: message)))
      self.whenDropped()
    }
    departures = Departures(on: connection) { [unowned(unsafe) self] in forget($0) }
  }

  /// Whether nobody waits.
  var isEmpty: Bool { waiting?.isEmpty ?? true }

  /// Has a caller wait.
  ///
  /// - Parameter call: the call, answered with an error if the time runs out.
  /// - Throws: `BusError` LimitsExceeded where too many wait already.
  func add(_ call: consuming Message) throws(BusError) {
    let client = call.sender ?? ""
    try checkLimits(client)
    try departures?.listen()
    try waiting?.hold(call, of: client)
  }

  private func checkLimits(_ client: String) throws(BusError) {
    guard let waiting else { return }
    guard waiting.count(of: client) < Self.callsPerClient else {
      throw BusError(
        name: ServiceErrorName.limitsExceeded,
        message:
          "\(Self.callsPerClient) calls of this client wait for the orientation already; await their answers first."
      )
    }
    guard waiting.count < Self.capacity else {
      throw BusError(
        name: ServiceErrorName.limitsExceeded,
        message: "\(Self.capacity) callers wait for the orientation already; try again in a moment.")
    }
  }

  /// Drops the calls of a client that has left: the sensor must not run for nobody.
  private func forget(_ client: String) -> Departures.Interest {
    if waiting?.take(of: client).isEmpty == false { whenDropped() }
    return isEmpty ? .none : .some
  }

  /// Answers everybody who waits.
  func answerAll(_ answer: Result<DeviceOrientation, BusError>) {
    for request in waiting?.takeAll() ?? [] { Self.answer(request, answer) }
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
