// SPDX-License-Identifier: Apache-2.0

import CLinux
import IIO
import Orientation
import Testing

@testable import OrientationService

/// Both ends of a connection to the motion socket.
private final class Ends {
  let connection: MotionConnection
  private let program: CInt

  init() throws {
    var ends: (CInt, CInt) = (-1, -1)
    let result = withUnsafeMutableBytes(of: &ends) {
      socketpair(AF_UNIX, 1, 0, $0.assumingMemoryBound(to: CInt.self).baseAddress)
    }
    try #require(result == 0)
    connection = MotionConnection(adopting: ends.0)
    program = ends.1
  }

  deinit { close(program) }

  /// The records that have come and were not read.
  func records() -> [MotionRecord] {
    var records: [MotionRecord] = []
    while let record = record() { records.append(record) }
    return records
  }

  private func record() -> MotionRecord? {
    withUnsafeTemporaryAllocation(byteCount: MotionRecord.byteCount, alignment: 8) { bytes in
      guard let start = bytes.baseAddress else { return nil }
      let count = receiveBytes(program, start, size: bytes.count)
      return count == bytes.count ? MotionRecord(UnsafeRawBufferPointer(bytes)) : nil
    }
  }
}

/// A sending thread's work, turned by the test.
private struct SenderRig {
  let link: MotionLink
  var sender: MotionSender
  private var lastNumber: UInt64 = 0

  init() throws {
    link = try MotionLink()
    sender = MotionSender(link: link)
  }

  mutating func stream(
    of sensor: MotionSensor, every microseconds: UInt32, to ends: Ends, hold: MotionState? = nil
  ) throws -> MotionPlan.Stream {
    lastNumber += 1
    return MotionPlan.Stream(
      number: lastNumber, connection: ends.connection, sensor: sensor,
      interval: try #require(MotionInterval(microseconds: microseconds)), hold: hold)
  }

  mutating func use(_ streams: [MotionPlan.Stream], accelerometer: MotionState = .starting) {
    link.thread.want(MotionPlan(streams: streams, accelerometer: accelerometer))
    _ = sender.turn()
  }

  /// Samples of a tablet held upright, at a rate in hertz, from an index on.
  mutating func sample(_ indices: Range<Int>, rate: Double) {
    for index in indices {
      link.accelerometer.push(MotionSample(time: Self.time(index, rate), x: Float(index), y: 9.8, z: 0))
      _ = sender.turn()
    }
  }

  static func time(_ index: Int, _ rate: Double) -> BootTime {
    BootTime(nanoseconds: 1_000_000_000 + Int64(Double(index) / rate * 1e9))
  }
}

extension MotionRecord {
  fileprivate var state: MotionState? { if case .state(let state) = content { state } else { nil } }
  fileprivate var x: Float? { if case .sample(let x, _, _) = content { x } else { nil } }
}

@Suite("The thread that sends motion")
struct MotionSenderTests {
  @Test("sends the state first, then every sample that is due, with its time")
  func samples() throws {
    var rig = try SenderRig()
    let ends = try Ends()
    rig.use([try rig.stream(of: .accelerometer, every: 20_000, to: ends)])
    #expect(ends.records().map(\.state) == [.starting])
    rig.sample(0..<8, rate: 200)
    let records = ends.records()
    #expect(records.map(\.state) == [.active, nil, nil])
    #expect(records.compactMap(\.x) == [0, 4])
    #expect(records.last?.time == SenderRig.time(4, 200))
    #expect(records.allSatisfy { $0.sensor == .accelerometer && $0.lost == 0 })
  }

  @Test("sends every sample of a sensor that is as slow as the stream, however its times jitter")
  func jitter() throws {
    var rig = try SenderRig()
    let ends = try Ends()
    rig.use([try rig.stream(of: .accelerometer, every: 20_000, to: ends)])
    // As those of a hub at 200 Hz on a busy machine do: from half of the interval to twice of it.
    for index in 0..<50 {
      let stray = [0, 9, -1, 5, -4, 9, 0][index % 7] * Int64(1_000_000)
      let time = BootTime(nanoseconds: Int64(index) * 20_000_000 + stray)
      rig.link.accelerometer.push(MotionSample(time: time, x: Float(index), y: 0, z: 0))
    }
    _ = rig.sender.turn()
    #expect(ends.records().compactMap(\.x) == (0..<50).map(Float.init))
  }

  @Test("sends every sample of a sensor that is as slow as the stream, also if some come in bursts")
  func bursts() throws {
    var rig = try SenderRig()
    let ends = try Ends()
    rig.use([try rig.stream(of: .accelerometer, every: 5000, to: ends)])
    var (received, late, last): ([Float], Int64, Int64) = ([], 0, 0)
    for index in 0..<2000 {
      let taken = Int64(index) * 5_000_000
      // As on a machine that is busy for up to 60 ms at a time, and then deals with what has come meanwhile.
      if index % 80 == 40 { late = taken + [25, 40, 12, 60][index / 80 % 4] * 1_000_000 }
      last = max(taken, late, last + 300_000)
      rig.link.accelerometer.push(
        MotionSample(time: BootTime(nanoseconds: 1_000_000_000 + last), x: Float(index), y: 0, z: 0))
      _ = rig.sender.turn()
      received += ends.records().compactMap(\.x)
    }
    #expect(received == (0..<2000).map(Float.init))
  }

  @Test("sends samples at the stream's interval, also if a sensor needs time after its first one")
  func lateStart() throws {
    var rig = try SenderRig()
    let ends = try Ends()
    rig.use([try rig.stream(of: .accelerometer, every: 20_000, to: ends)])
    rig.sample(0..<1, rate: 200)
    rig.sample(100..<300, rate: 200)
    #expect(ends.records().compactMap(\.x).count == 51)
  }

  @Test("counts what was dropped of a sensor that is slower than the stream as the sensor's samples")
  func droppedOfSlowSensor() throws {
    var rig = try SenderRig()
    let ends = try Ends()
    rig.use([try rig.stream(of: .accelerometer, every: 5000, to: ends)])
    rig.sample(0..<20, rate: 25)
    _ = ends.records()
    // There is room for 128 samples; 100 that follow are dropped.
    for index in 20..<248 {
      rig.link.accelerometer.push(MotionSample(time: SenderRig.time(index, 25), x: Float(index), y: 0, z: 0))
    }
    var received: [MotionRecord] = []
    _ = rig.sender.turn()
    received += ends.records()
    rig.sample(248..<250, rate: 25)
    received += ends.records()
    let lost = received.map(\.lost).reduce(0, +)
    let count = received.compactMap(\.x).count
    #expect(count + Int(lost) == 230)
  }

  @Test("sends samples of a sensor that has become faster at the stream's interval again after a moment")
  func faster() throws {
    var rig = try SenderRig()
    let ends = try Ends()
    rig.use([try rig.stream(of: .accelerometer, every: 20_000, to: ends)])
    func received(_ indices: Range<Int>, rate: Double) -> Int {
      indices.reduce(0) { count, index in
        rig.sample(index..<index + 1, rate: rate)
        return count + ends.records().compactMap(\.x).count
      }
    }
    #expect(received(0..<100, rate: 25) == 100)
    // 4 s at 200 Hz, from where the others have ended; the stream is to get a fourth of them.
    let count = received(800..<1600, rate: 200)
    #expect(count >= 200 && count <= 230)
  }

  @Test("says once that a gyroscope of the accelerometer's device cannot be read, until it can")
  func failingGyroscope() throws {
    var rig = try SenderRig()
    let ends = try Ends()
    let streams = [
      try rig.stream(of: .gyroscope, every: 5000, to: ends),
      try rig.stream(of: .accelerometer, every: 5000, to: ends),
    ]
    let plan = MotionPlan(
      streams: streams, accelerometer: .active, gyroscope: .active, sharesGyroscope: true)
    rig.link.thread.want(plan)
    _ = rig.sender.turn()
    #expect(ends.records().map(\.state) == [.active, .active])
    for _ in 0..<3 {
      rig.link.sharedGyroscope.fail()
      _ = rig.sender.turn()
    }
    #expect(ends.records().map(\.state) == [.failed])
    // Another plan does not make it work.
    rig.link.thread.want(plan)
    rig.sample(0..<2, rate: 200)
    #expect(ends.records().map(\.sensor) == [.accelerometer, .accelerometer])
    // What a thread of another device still had to give is not sent.
    rig.link.gyroscope.push(MotionSample(time: SenderRig.time(2, 200), x: 9, y: 9, z: 9))
    rig.link.sharedGyroscope.push(MotionSample(time: SenderRig.time(2, 200), x: 1, y: 2, z: 3))
    _ = rig.sender.turn()
    let records = ends.records()
    #expect(records.map(\.state) == [.active, nil])
    #expect(records.last?.x == 1)
  }

  @Test("serves several streams of a sensor, each at its own interval")
  func intervals() throws {
    var rig = try SenderRig()
    let (quick, slow) = (try Ends(), try Ends())
    rig.use([
      try rig.stream(of: .accelerometer, every: 5000, to: quick),
      try rig.stream(of: .accelerometer, every: 100_000, to: slow),
    ])
    rig.sample(0..<40, rate: 200)
    #expect(quick.records().compactMap(\.x) == (0..<40).map(Float.init))
    #expect(slow.records().compactMap(\.x) == [0, 20])
  }

  @Test("counts what a program loses that does not read, up to the next record that it gets")
  func slowReader() throws {
    var rig = try SenderRig()
    let (slow, quick) = (try Ends(), try Ends())
    rig.use([
      try rig.stream(of: .accelerometer, every: 5000, to: slow),
      try rig.stream(of: .accelerometer, every: 5000, to: quick),
    ])
    var count = 0
    for block in 0..<25 {
      rig.sample(block * 40..<(block + 1) * 40, rate: 200)
      count += quick.records().compactMap(\.x).count
    }
    #expect(count == 1000)
    let before = slow.records().compactMap(\.x)
    // The queue is in order, from the oldest on, and bounded.
    #expect(before == (0..<before.count).map(Float.init))
    #expect(before.count > 40 && before.count < 200)
    rig.sample(1000..<1001, rate: 200)
    let after = slow.records()
    #expect(after.map(\.lost) == [UInt32(1000 - before.count)])
    rig.sample(1001..<1002, rate: 200)
    #expect(slow.records().map(\.lost) == [0])
  }

  @Test("counts what was dropped before it was awake, at its place between the samples")
  func lateThread() throws {
    var rig = try SenderRig()
    let ends = try Ends()
    rig.use([try rig.stream(of: .accelerometer, every: 50_000, to: ends)])
    _ = ends.records()
    // There is room for 128 samples.
    for index in 0..<400 {
      rig.link.accelerometer.push(MotionSample(time: SenderRig.time(index, 200), x: Float(index), y: 0, z: 0))
    }
    _ = rig.sender.turn()
    rig.sample(400..<411, rate: 200)
    let samples = ends.records().filter { $0.x != nil }
    #expect(samples.compactMap(\.x) == (0..<13).map { Float($0 * 10) } + [400, 410])
    #expect(samples.map(\.lost) == [UInt32](repeating: 0, count: 13) + [27, 0])
  }

  @Test("sends the latest state when there is room again, before any sample")
  func stateOfSlowReader() throws {
    var rig = try SenderRig()
    let ends = try Ends()
    let stream = try rig.stream(of: .accelerometer, every: 5000, to: ends)
    rig.use([stream])
    rig.sample(0..<400, rate: 200)
    rig.use([stream], accelerometer: .failed)
    rig.use([stream], accelerometer: .suspended)
    _ = ends.records()
    _ = rig.sender.turn()
    #expect(ends.records().map(\.state) == [.suspended])
    rig.use([stream], accelerometer: .starting)
    rig.sample(400..<401, rate: 200)
    #expect(ends.records().map(\.state) == [.starting, .active, nil])
  }

  @Test("sends no sample to a stream that is not allowed, nor of a sensor that is suspended")
  func holds() throws {
    var rig = try SenderRig()
    let ends = try Ends()
    var stream = try rig.stream(of: .accelerometer, every: 5000, to: ends, hold: .waiting)
    rig.use([stream], accelerometer: .active)
    rig.sample(0..<5, rate: 200)
    #expect(ends.records().map(\.state) == [.waiting])
    stream.hold = .denied
    rig.use([stream], accelerometer: .active)
    rig.sample(5..<10, rate: 200)
    #expect(ends.records().map(\.state) == [.denied])
    stream.hold = nil
    rig.use([stream], accelerometer: .active)
    rig.sample(10..<11, rate: 200)
    #expect(ends.records().map(\.state) == [.active, nil])
    rig.use([stream], accelerometer: .suspended)
    rig.sample(11..<15, rate: 200)
    #expect(ends.records().map(\.state) == [.suspended])
  }

  @Test("says that a stream has ended, but not when only its interval changes")
  func ends() throws {
    var rig = try SenderRig()
    let ends = try Ends()
    rig.use([try rig.stream(of: .accelerometer, every: 5000, to: ends)])
    rig.sample(0..<1, rate: 200)
    _ = ends.records()
    rig.use([try rig.stream(of: .accelerometer, every: 50_000, to: ends)], accelerometer: .active)
    rig.sample(1..<2, rate: 200)
    #expect(ends.records().isEmpty)
    rig.sample(2..<12, rate: 200)
    #expect(ends.records().compactMap(\.x) == [10])
    rig.use([], accelerometer: .suspended)
    #expect(ends.records().map(\.state) == [.stopped])
    let mustEnd = rig.sender.turn()
    #expect(!mustEnd)
    rig.link.thread.requestStop()
    let mustEndAfterwards = rig.sender.turn()
    #expect(mustEndAfterwards)
  }

  @Test("sends gravity without the vibrations of the accelerometer's readings")
  func gravity() throws {
    var rig = try SenderRig()
    let ends = try Ends()
    rig.use([try rig.stream(of: .gravity, every: 20_000, to: ends)])
    for index in 0..<200 {
      let shake: Float = index % 2 == 0 ? 3 : -3
      rig.link.accelerometer.push(
        MotionSample(time: SenderRig.time(index, 200), x: shake, y: 9.8 + shake, z: 0))
      _ = rig.sender.turn()
      for record in ends.records() where index > 100 {
        guard case .sample(let x, let y, let z) = record.content else { continue }
        #expect(record.sensor == .gravity)
        #expect(abs(x) < 0.3 && abs(y - 9.8) < 0.3 && z == 0)
      }
    }
  }

  @Test("goes on with the others if a program has closed its connection")
  func closed() throws {
    var rig = try SenderRig()
    let ends = try Ends()
    do {
      let gone = try Ends()
      rig.use([
        try rig.stream(of: .accelerometer, every: 5000, to: gone),
        try rig.stream(of: .accelerometer, every: 5000, to: ends),
      ])
    }
    rig.sample(0..<3, rate: 200)
    #expect(ends.records().compactMap(\.x) == [0, 1, 2])
  }
}
