// SPDX-License-Identifier: Apache-2.0

import Orientation
import Systemd

/// The calls of `GetOrientation` that wait for the sensor's first word.
final class OrientationRequests {
  /// How long a caller waits, in seconds (DESIGN, section 5).
  private static let patienceSeconds = 3.0
  /// How many may wait: scripts ask one at a time.
  private static let capacity = 64

  private final class Request {
    let call: Message
    var deadline: Timer?

    init(_ call: consuming Message) { self.call = call }
  }

  private var waiting: [Request] = []

  /// Whether nobody waits.
  var isEmpty: Bool { waiting.isEmpty }

  /// Has a caller wait.
  ///
  /// - Parameters:
  ///   - call: the call, answered with an error if the time runs out.
  ///   - loop: what counts the time.
  ///   - whenExpired: called after the time ran out.
  /// - Throws: `BusError` LimitsExceeded where too many wait already.
  func add(
    _ call: consuming Message, loop: borrowing EventLoop, whenExpired: @escaping () -> Void
  ) throws(BusError) {
    guard waiting.count < Self.capacity else {
      throw BusError(
        name: ServiceErrorName.limitsExceeded,
        message: "\(Self.capacity) callers wait for the orientation already; try again in a moment.")
    }
    let request = Request(call)
    do throws(SystemdError) {
      request.deadline = try loop.after(seconds: Self.patienceSeconds) {
        [unowned(unsafe) self, unowned(unsafe) request] in
        let message = "The sensor has not said anything for \(Int(Self.patienceSeconds)) s."
        waiting.removeAll { candidate in
          guard candidate === request else { return false }
          Self.answer(
            candidate, .failure(BusError(name: ServiceErrorName.sensorUnavailable, message: message)))
          return true
        }
        whenExpired()
      }
    } catch {
      throw BusError(code: error.code, operation: error.operation)
    }
    waiting.append(request)
  }

  /// Answers everybody who waits.
  func answerAll(_ answer: Result<DeviceOrientation, BusError>) {
    let answered = waiting
    waiting = []
    for request in answered { Self.answer(request, answer) }
  }

  private static func answer(_ request: Request, _ answer: Result<DeviceOrientation, BusError>) {
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
