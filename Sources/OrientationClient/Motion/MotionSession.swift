// SPDX-License-Identifier: Apache-2.0

import CLinux
package import Orientation
package import Systemd

/// A conversation with the daemon about streams of motion, which is begun again whenever the connection ends.
///
/// It belongs to the thread of its loop. It ends when it is destroyed.
package final class MotionSession {
  /// What it reports.
  package enum Event: Sendable {
    /// The daemon has sent a record.
    case record(MotionRecord)
    /// There is no connection, for this reason; it is tried again.
    case unavailable(OrientationError)
  }

  /// The pause before the first new attempt, in seconds; each further one is twice as long.
  private static let shortestPause = 0.25
  /// The longest pause, in seconds.
  private static let longestPause = 10.0
  /// The pause before the next attempt while the queue of connections is full, in seconds.
  private static let pauseForPlace = 0.02
  /// How many attempts there are before that is reported: two seconds.
  private static let mostAttemptsForPlace = 100

  private let path: String
  private var requests: [MotionRequest]
  private let loop: EventLoop
  private let handle: (Event) -> Void
  private var socket: MotionSocket?
  private var readable: EventSource?
  private var retry: Timer?
  private var pause = MotionSession.shortestPause
  private var attemptsForPlace = 0
  /// The pause after the daemon has said that there are too many connections or requests, in seconds, at least.
  private static let pauseAfterExcess = 2.0
  /// Why the daemon closes the connection; nil if that was reported as the state of each stream, which lasts until the daemon allows them.
  private var reasonOfEnd: OrientationError? = .ended

  /// Creates a session that is not connected yet.
  ///
  /// - Parameters:
  ///   - path: the socket.
  ///   - requests: what is requested after each connection.
  ///   - loop: waits for records.
  ///   - handle: receives what happens; it must not destroy the session.
  package init(
    path: String, requests: [MotionRequest], loop: EventLoop,
    handle: @escaping (Event) -> Void
  ) {
    self.path = path
    self.requests = requests
    self.loop = loop
    self.handle = handle
  }

  // The loop forgets the descriptor before it is closed.
  deinit { readable = nil }

  /// Connects, and requests the streams.
  package func connect() {
    reasonOfEnd = .ended
    // Before the socket, for a loop without another timer: the first one needs a descriptor.
    if retry == nil { retry = try? loop.timer { [weak self] in self?.connect() } }
    do throws(OrientationError) {
      guard let socket = try MotionSocket.connect(to: path) else { return try waitForPlace() }
      attemptsForPlace = 0
      for request in requests { socket.send(request) }
      try waitForRecords(of: socket.descriptor)
      self.socket = consume socket
    } catch {
      disconnected(by: error)
    }
  }

  /// Connects again soon: a place in the queue becomes free when the daemon has accepted others.
  private func waitForPlace() throws(OrientationError) {
    attemptsForPlace += 1
    guard attemptsForPlace <= Self.mostAttemptsForPlace else {
      attemptsForPlace = 0
      throw OrientationError(connectingTo: path, code: EAGAIN)
    }
    retry?.arm(afterSeconds: Self.pauseForPlace)
  }

  /// Requests something else of a sensor that is requested already, such as another interval.
  package func request(_ request: MotionRequest) {
    // A later connection begins with it: the caller does not ask again unless its wish changes.
    requests = requests.map { $0.sensor == request.sensor ? request : $0 }
    socket?.send(request)
  }

  private func waitForRecords(of descriptor: CInt) throws(OrientationError) {
    do throws(SystemdError) {
      readable = try loop.onReadable(descriptor) { [weak self] in self?.read() }
    } catch {
      throw OrientationError(connectingTo: path, code: error.code)
    }
  }

  private func read() {
    guard let (records, isEnd) = socket?.receive() else { return }
    for record in records { take(record) }
    if isEnd { ended() }
  }

  private func take(_ record: MotionRecord) {
    switch record.content {
    case .state(.limitsExceeded):
      reasonOfEnd = OrientationError(
        kind: .limitsExceeded,
        message: "this user has too many connections for motion, or makes too many requests")
      pause = max(pause, Self.pauseAfterExcess)
    case .state(.invalidRequest):
      reasonOfEnd = OrientationError(
        kind: .invalidArguments, message: "orientationd has another version of the protocol for motion")
    case .state(.denied) where record.sensor == nil:
      reasonOfEnd = nil
      // It holds for all streams.
      for case .start(let sensor, _) in requests {
        handle(.record(MotionRecord(sensor: sensor, time: record.time, content: record.content)))
      }
    case .sample:
      pause = Self.shortestPause
      handle(.record(record))
    default: handle(.record(record))
    }
  }

  private func ended() {
    guard let reasonOfEnd else { return connectLater() }
    disconnected(by: reasonOfEnd)
  }

  private func disconnected(by error: OrientationError) {
    // The descriptor is closed before the app is notified.
    connectLater()
    handle(.unavailable(error))
  }

  private func connectLater() {
    readable = nil
    socket = nil
    retry?.arm(afterSeconds: pause)
    pause = min(2 * pause, Self.longestPause)
  }
}

extension OrientationError {
  /// The daemon has closed the connection.
  package static var ended: Self { Self(kind: .daemonUnavailable, message: "it has ended") }
}
