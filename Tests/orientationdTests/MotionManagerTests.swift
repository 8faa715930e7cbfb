// SPDX-License-Identifier: Apache-2.0

import Foundation
import MockDevices
import Orientation
import OrientationClient
import Synchronization
import TestSupport
import Testing

extension AppLoop {
  /// Waits until what it has seen fulfils a condition.
  fileprivate func wait(for what: String, until holds: ([Value]) -> Bool) throws {
    do {
      try TestSupport.wait(for: what) { holds(values) }
    } catch let failure as GaveUp {
      throw GaveUp(description: "\(failure.description); has seen: \(values.suffix(20))")
    }
  }
}

extension AppLoop where Value: Equatable {
  /// Waits until it has seen these values, and nothing else.
  fileprivate func wait(for expected: [Value]) throws {
    try wait(for: "\(expected)") { $0 == expected }
  }
}

/// The value of a sample that the fake socket sends at second 1.
private func reading(_ x: Double, _ y: Double, _ z: Double) -> MotionUpdate<AccelerometerData> {
  .value(
    AccelerometerData(
      timestamp: BootTime(nanoseconds: 1_000_000_000), acceleration: Acceleration(x: x, y: y, z: z)))
}

/// What keeps a loop until the test opens it.
private final class Gate: Sendable {
  private let isOpen = Mutex(false)

  func open() { isOpen.withLock { $0 = true } }

  func wait() async {
    while !isOpen.withLock({ $0 }) { try? await Task.sleep(for: .milliseconds(2)) }
  }
}

@Suite("An app that reads motion")
struct MotionManagerTests {
  private let interval = Duration.milliseconds(20)

  private func start(_ sensor: MotionSensor, _ milliseconds: Int64) -> MotionRequest {
    .start(sensor, interval: MotionInterval(nearestTo: milliseconds * 1000))
  }

  @Test("requests its sensor, and gets states, values and losses in their order")
  func updates() throws {
    let socket = try FakeMotionSocket()
    let loop = AppLoop(over: MotionManager(socket: socket.path).accelerometerUpdates(every: interval))
    let connection = try socket.accept()
    try connection.wait(forRequests: 1)
    #expect(connection.requests == [start(.accelerometer, 20)])
    try connection.send(.starting, of: .accelerometer)
    try connection.send(.active, of: .accelerometer)
    try connection.send(.accelerometer, 1, 2, 3)
    try connection.send(.accelerometer, 4, 5, 6, lost: 7)
    try loop.wait(for: [.state(.starting), .state(.active), reading(1, 2, 3), .lost(7), reading(4, 5, 6)])
    loop.cancel()
    try connection.waitForEnd()
  }

  @Test("has a sequence for each sensor, with the units of the socket")
  func sensors() throws {
    let socket = try FakeMotionSocket()
    let manager = MotionManager(socket: socket.path)
    let gyro = AppLoop(over: manager.gyroUpdates(every: .milliseconds(5)).values)
    var connection = try socket.accept()
    try connection.wait(forRequests: 1)
    #expect(connection.requests == [start(.gyroscope, 5)])
    try connection.send(.gyroscope, 1, 2, 3)
    let time = BootTime(nanoseconds: 1_000_000_000)
    try gyro.wait(for: [GyroData(timestamp: time, rotationRate: AngularVelocity(x: 1, y: 2, z: 3))])
    gyro.cancel()
    try connection.waitForEnd()

    let gravity = AppLoop(over: manager.gravityUpdates(every: .seconds(100)).values)
    connection = try socket.accept()
    try connection.wait(forRequests: 1)
    #expect(connection.requests == [start(.gravity, 10_000)])
    try connection.send(.gravity, 0, 9.5, 0)
    try gravity.wait(for: [GravityData(timestamp: time, gravity: Acceleration(x: 0, y: 9.5, z: 0))])
    gravity.cancel()
    try connection.waitForEnd()
  }

  @Test("gets the attitude from both sensors")
  func deviceMotion() throws {
    let socket = try FakeMotionSocket()
    let loop = AppLoop(over: MotionManager(socket: socket.path).deviceMotionUpdates(every: interval).values)
    let connection = try socket.accept()
    try connection.wait(forRequests: 2)
    #expect(connection.requests == [start(.accelerometer, 10), start(.gyroscope, 10)])
    for hundredths in 0..<100 {
      try connection.send(.gyroscope, 0, 0, 1, at: 1 + Double(hundredths) / 100)
      try connection.send(.accelerometer, 0, 0, 9.8, at: 1 + Double(hundredths) / 100)
    }
    try loop.wait(for: "50 values") { $0.count >= 50 }
    let last = try #require(loop.values.last)
    let attitude = try #require(last.attitude)
    #expect(abs(attitude.yaw - last.timestamp.seconds(since: BootTime(nanoseconds: 1_000_000_000))) < 0.01)
    #expect(abs(last.gravity.z - 9.8) < 0.05)
    try connection.send(.failed, of: .gyroscope)
    try connection.wait(forRequests: 3)
    #expect(connection.requests.last == start(.accelerometer, 20))
    loop.cancel()
    try connection.waitForEnd()
  }

  @Test("is notified of lost samples of both sensors of the attitude")
  func lostSamples() throws {
    let socket = try FakeMotionSocket()
    let loop = AppLoop(over: MotionManager(socket: socket.path).deviceMotionUpdates(every: interval))
    let connection = try socket.accept()
    for sensor in [MotionSensor.gyroscope, .accelerometer] {
      let seen = loop.values.count
      try connection.send(sensor, 0, 0, 1, lost: 3)
      try loop.wait(for: "a loss") { $0.dropFirst(seen).contains(.lost(3)) }
    }
    loop.cancel()
    try connection.waitForEnd()
  }

  @Test("whose loop is left by a break has closed its connection")
  func breaks() throws {
    let socket = try FakeMotionSocket()
    let manager = MotionManager(socket: socket.path)
    let task = AppTask { () -> AccelerometerData? in
      for await data in manager.accelerometerUpdates(every: .milliseconds(20)).values { return data }
      return nil
    }
    let connection = try socket.accept()
    try connection.send(.accelerometer, 1, 2, 3)
    try wait(for: "the end of the loop") { !task.values.isEmpty }
    try connection.waitForEnd()
    #expect(task.values.compactMap(\.self).map(\.acceleration.y) == [2])
  }

  @Test("opens no connection if it never begins a loop")
  func unused() throws {
    let socket = try FakeMotionSocket()
    let manager = MotionManager(socket: socket.path)
    _ = manager.accelerometerUpdates(every: interval)
    let loop = AppLoop(over: manager.gravityUpdates(every: interval))
    let connection = try socket.accept()
    try connection.wait(forRequests: 1)
    #expect(connection.requests == [start(.gravity, 20)])
    loop.cancel()
    try connection.waitForEnd()
  }

  @Test("goes on when the daemon has restarted, and is notified in between")
  func restart() throws {
    let socket = try FakeMotionSocket()
    let loop = AppLoop(over: MotionManager(socket: socket.path).accelerometerUpdates(every: interval))
    for _ in 0..<3 {
      let connection = try socket.accept()
      try connection.wait(forRequests: 1)
      let seen = loop.values.count
      try connection.send(.active, of: .accelerometer)
      try connection.send(.accelerometer, 1, 2, 3)
      try loop.wait(for: "a value") { $0.dropFirst(seen).contains(reading(1, 2, 3)) }
      connection.end()
      try loop.wait(for: "the end of the daemon") {
        if case .state(.unavailable(let error)) = $0.last { error.kind == .daemonUnavailable } else { false }
      }
    }
    loop.cancel()
  }

  @Test("asks for what it has asked for last when the daemon has restarted, such as without a gyroscope")
  func restartWithoutGyroscope() throws {
    let socket = try FakeMotionSocket()
    let manager = MotionManager(socket: socket.path)
    let loop = AppLoop(over: manager.deviceMotionUpdates(every: .milliseconds(100)))
    let connection = try socket.accept()
    try connection.wait(forRequests: 2)
    #expect(connection.requests == [start(.accelerometer, 10), start(.gyroscope, 10)])
    try connection.send(.noSensor, of: .gyroscope)
    try connection.wait(forRequests: 3)
    #expect(connection.requests.last == start(.accelerometer, 40))
    connection.end()
    let next = try socket.accept()
    try next.wait(forRequests: 2)
    #expect(next.requests == [start(.accelerometer, 40), start(.gyroscope, 10)])
    loop.cancel()
    try next.waitForEnd()
  }

  @Test("is notified that no daemon runs, and goes on when one does")
  func noDaemon() throws {
    let socket = try FakeMotionSocket(isListening: false)
    let loop = AppLoop(over: MotionManager(socket: socket.path).accelerometerUpdates(every: interval))
    try loop.wait(for: "no daemon") {
      if case .state(.unavailable(let error)) = $0.first { error.kind == .daemonUnavailable } else { false }
    }
    try socket.listen()
    let connection = try socket.accept()
    try connection.send(.noSensor, of: .accelerometer)
    try loop.wait(for: "the state of the sensor") { $0.last == .state(.noSensor) }
    loop.cancel()
    try connection.waitForEnd()
  }

  @Test(
    "is notified why the daemon refuses it",
    arguments: [
      (MotionState.limitsExceeded, OrientationError.Kind.limitsExceeded),
      (.invalidRequest, .invalidArguments),
    ])
  func refused(state: MotionState, kind: OrientationError.Kind) throws {
    let socket = try FakeMotionSocket()
    let loop = AppLoop(over: MotionManager(socket: socket.path).gravityUpdates(every: interval))
    let connection = try socket.accept()
    // Its request is not read.
    try connection.send(state, of: nil)
    connection.end()
    try loop.wait(for: "the reason") {
      if case .state(.unavailable(let error)) = $0.first { error.kind == kind } else { false }
    }
    // It tries again.
    let next = try socket.accept()
    try next.wait(forRequests: 1)
    loop.cancel()
    try next.waitForEnd()
  }

  @Test("is notified once that it is denied, also if the daemon refuses each connection, and tries again")
  func refusedForGood() throws {
    let socket = try FakeMotionSocket()
    let loop = AppLoop(over: MotionManager(socket: socket.path).gravityUpdates(every: interval))
    for _ in 0..<3 {
      let connection = try socket.accept()
      try connection.send(.denied, of: nil)
      connection.end()
    }
    let connection = try socket.accept()
    try connection.send(.active, of: .gravity)
    try loop.wait(for: "the permission") { $0.last == .state(.active) }
    #expect(loop.values == [.state(.denied), .state(.active)])
    loop.cancel()
    try connection.waitForEnd()
  }

  @Test("tries again less and less often if it is refused after a first state")
  func backsOff() throws {
    let socket = try FakeMotionSocket()
    let loop = AppLoop(over: MotionManager(socket: socket.path).gravityUpdates(every: interval))
    var times: [ContinuousClock.Instant] = []
    for _ in 0..<4 {
      let connection = try socket.accept()
      times.append(.now)
      try connection.send(.starting, of: .gravity)
      connection.end()
    }
    // Pauses of 0.25, 0.5 and 1 s, at least.
    #expect(times[3] - times[0] >= .seconds(1.7))
    loop.cancel()
  }

  @Test("is notified that it cannot use the socket, instead of that no daemon runs")
  func unusableSocket() throws {
    let path = String(repeating: "x", count: 200)
    let loop = AppLoop(over: MotionManager(socket: path).gravityUpdates(every: interval))
    try loop.wait(for: "the reason") {
      if case .state(.unavailable(let error)) = $0.first {
        error
          == OrientationError(
            kind: .other("System.Error.ENAMETOOLONG"), message: "\(path): File name too long")
      } else {
        false
      }
    }
    loop.cancel()
  }

  @Test("ignores records that it does not know, and numbers that are none")
  func unknownRecords() throws {
    let socket = try FakeMotionSocket()
    let loop = AppLoop(over: MotionManager(socket: socket.path).accelerometerUpdates(every: interval).values)
    let connection = try socket.accept()
    try connection.send([UInt8](repeating: 0xff, count: 32))
    try connection.send([UInt8](repeating: 0, count: 32 * 300))
    try connection.send(.gyroscope, 1, 1, 1)
    try connection.send(.accelerometer, .nan, 0, 0)
    try connection.send(.accelerometer, 0, .infinity, 0)
    try connection.send(.accelerometer, 1, 2, 3)
    try loop.wait(for: "a value") { !$0.isEmpty }
    #expect(loop.values.map(\.acceleration) == [Acceleration(x: 1, y: 2, z: 3)])
    loop.cancel()
    try connection.waitForEnd()
  }

  @Test("takes records that come in parts, and ends with a part of one")
  func parts() throws {
    let socket = try FakeMotionSocket()
    let loop = AppLoop(over: MotionManager(socket: socket.path).accelerometerUpdates(every: interval).values)
    let connection = try socket.accept()
    var bytes: [UInt8] = []
    for number in 1...7 {
      var record = [UInt8](repeating: 0, count: MotionRecord.byteCount)
      let sample = MotionRecord(
        sensor: .accelerometer, time: BootTime(nanoseconds: Int64(number)),
        content: .sample(x: Float(number), y: 0, z: 0))
      record.withUnsafeMutableBytes { if let start = $0.baseAddress { sample.write(to: start) } }
      bytes += record
    }
    // In single bytes, over the borders of records, and several at once.
    for size in [UInt8](repeating: 1, count: 32) + [31, 2, 40, 77] {
      try connection.send(Array(bytes.prefix(Int(size))))
      bytes.removeFirst(Int(size))
      try connection.waitUntilRead()
    }
    try loop.wait(for: "all but the last") { $0.count == 5 }
    try connection.send(Array(bytes.dropLast()))
    try connection.waitUntilRead()
    connection.end()
    let next = try socket.accept()
    try next.send(.accelerometer, 8, 0, 0)
    try loop.wait(for: "a value of the next connection") { $0.last?.acceleration.x == 8 }
    #expect(loop.values.map(\.acceleration.x) == [1, 2, 3, 4, 5, 6, 8])
    loop.cancel()
  }

  @Test("that does not read for a while gets the newest values, and how many it has missed")
  func slow() throws {
    let socket = try FakeMotionSocket()
    let manager = MotionManager(socket: socket.path)
    let gate = Gate()
    let loop = AppTask { () -> [MotionUpdate<AccelerometerData>] in
      var updates: [MotionUpdate<AccelerometerData>] = []
      for await update in manager.accelerometerUpdates(every: .milliseconds(5)) {
        updates.append(update)
        await gate.wait()
        if case .value(let data) = update, data.acceleration.x == 2000 { return updates }
      }
      return updates
    }
    let connection = try socket.accept()
    for number in 1...2000 { try connection.send(.accelerometer, Float(number), 0, 0) }
    // All have been read: the kernel's queue holds fewer than this.
    try connection.waitUntilRead()
    gate.open()
    try wait(for: "the end of the loop") { !loop.values.isEmpty }
    let updates = try #require(loop.values.first)
    let numbers: [Int] = updates.compactMap {
      if case .value(let data) = $0 { Int(data.acceleration.x) } else { nil }
    }
    let lost = updates.reduce(0) { if case .lost(let count) = $1 { $0 + count } else { $0 } }
    #expect(numbers.count + lost == 2000)
    #expect(lost > 1000)
    #expect(Array(numbers.suffix(200)) == Array(1801...2000))
  }

  @Test("gets the daemon's samples, and states while there is no permission or the daemon is away")
  func realDaemon() throws {
    let socket = try MotionSocket()
    let bus = try PrivateBus()
    let polkit = try MockPolkit(on: bus, .allow)
    let rig = try Rig(configuration: "AxisConvention=kernel\n", bus: bus, motionSocket: socket.descriptor) {
      $0.addDevice("iio:device0", attributes: chipAttributes())
    }
    let loop = AppLoop(over: MotionManager(socket: socket.path).accelerometerUpdates(every: interval))
    try loop.wait(for: "values") { updates in
      updates.contains {
        if case .value(let data) = $0 { abs(data.acceleration.y - 9.807) < 0.01 } else { false }
      }
    }
    #expect(loop.values.contains(.state(.active)))
    try polkit.change(to: .deny)
    try loop.wait(for: "denied") { $0.last == .state(.denied) }
    try polkit.change(to: .allow)
    try loop.wait(for: "values again") { if case .value = $0.last { true } else { false } }
    #expect(try rig.end() == 0)
    try loop.wait(for: "the end of the daemon") {
      if case .state(.unavailable) = $0.last { true } else { false }
    }
    loop.cancel()
  }

  @Test(
    "gets gravity and acceleration of a device without a gyroscope, and powers the sensor down at the end")
  func realDeviceMotion() throws {
    let socket = try MotionSocket()
    let rig = try Rig(configuration: "AxisConvention=kernel\n", motionSocket: socket.descriptor) {
      $0.addDevice("iio:device0", attributes: chipAttributes())
    }
    let loop = AppLoop(over: MotionManager(socket: socket.path).deviceMotionUpdates(every: interval).values)
    try loop.wait(for: "values") { $0.count >= 10 }
    for motion in loop.values {
      #expect(motion.attitude == nil)
      #expect(abs(motion.gravity.y - 9.807) < 0.05 && abs(motion.userAcceleration.y) < 0.05)
    }
    loop.cancel()
    try rig.client.wait(for: "SensorStatus", toBe: .text("idle"))
  }
}
