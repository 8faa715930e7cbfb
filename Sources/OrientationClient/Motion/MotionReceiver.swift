// SPDX-License-Identifier: Apache-2.0

import Orientation
import Systemd

/// Fills the buffer of a loop, on the thread of the bus, until it is ended.
actor MotionReceiver<Interpreter: MotionInterpreter> {
  private let path: String
  private let buffer: MotionBuffer<Interpreter.Value>
  private var interpreter: Interpreter
  private var session: MotionSession?
  private var isEnded = false

  nonisolated var unownedExecutor: UnownedSerialExecutor { BusExecutor.shared.asUnownedSerialExecutor() }

  /// Creates a receiver that is not connected yet.
  init(path: String, interpreter: Interpreter, buffer: MotionBuffer<Interpreter.Value>) {
    self.path = path
    self.interpreter = interpreter
    self.buffer = buffer
  }

  // The session belongs to the thread of the bus.
  isolated deinit {}

  /// Connects, unless it has been ended already: of two calls, the later one may come first.
  func begin() {
    guard !isEnded, session == nil else { return }
    let session = MotionSession(
      path: path, requests: interpreter.requests, loop: BusExecutor.shared.eventLoop()
    ) { [weak self] event in
      // On this thread, between jobs of the actor.
      self?.assumeIsolated { $0.handle(event) }
    }
    self.session = session
    session.connect()
  }

  /// Disconnects, for good.
  func end() {
    isEnded = true
    session = nil
  }

  private func handle(_ event: MotionSession.Event) {
    switch event {
    case .unavailable(let error):
      interpreter.disconnected()
      buffer.add(.state(.unavailable(error)))
    case .record(let record):
      guard let sensor = record.sensor else { return }
      take(record, of: sensor)
    }
  }

  private func take(_ record: MotionRecord, of sensor: MotionSensor) {
    let isMain = sensor == interpreter.sensor
    if record.lost > 0 { buffer.add(.lost(Int(record.lost))) }
    switch record.content {
    case .sample(let x, let y, let z):
      let vector = SIMD3(Double(x), Double(y), Double(z))
      guard x.isFinite, y.isFinite, z.isFinite else { return }
      if let value = interpreter.value(of: vector, at: record.time, from: sensor) {
        buffer.add(.value(value))
      }
    case .state(let state):
      let before = interpreter.requests
      interpreter.entered(state, of: sensor)
      for request in interpreter.requests where !before.contains(request) { session?.request(request) }
      if isMain, let state = MotionStreamState(state) { buffer.add(.state(state)) }
    }
  }
}
