// SPDX-License-Identifier: Apache-2.0

import CMotionProtocol
import Orientation
import Testing

@Suite("The protocol of the motion socket")
struct MotionProtocolTests {
  /// A request as a program in C sends it.
  private func request(
    version: UInt32 = MotionRequest.version, kind: UInt16 = 1, sensor: UInt16 = 1, interval: UInt32 = 20_000,
    reserved: UInt32 = 0
  ) -> orientationd_motion_request {
    orientationd_motion_request(
      version: version, kind: kind, sensor: sensor, interval_us: interval, reserved: reserved)
  }

  private func read(_ request: orientationd_motion_request) -> MotionRequest? {
    withUnsafeBytes(of: request) { MotionRequest($0) }
  }

  @Test("has the sizes and numbers of the C header")
  func header() {
    #expect(MemoryLayout<orientationd_motion_request>.size == MotionRequest.byteCount)
    #expect(MemoryLayout<orientationd_motion_record>.size == MotionRecord.byteCount)
    let sensors = [
      ORIENTATIOND_MOTION_ACCELEROMETER, ORIENTATIOND_MOTION_GYROSCOPE, ORIENTATIOND_MOTION_GRAVITY,
    ]
    #expect(sensors.map { UInt16($0.rawValue) } == MotionSensor.allCases.map(\.rawValue))
    let states = [
      ORIENTATIOND_MOTION_STARTING, ORIENTATIOND_MOTION_ACTIVE, ORIENTATIOND_MOTION_NO_SENSOR,
      ORIENTATIOND_MOTION_FAILED, ORIENTATIOND_MOTION_SUSPENDED, ORIENTATIOND_MOTION_WAITING,
      ORIENTATIOND_MOTION_STOPPED, ORIENTATIOND_MOTION_DENIED, ORIENTATIOND_MOTION_LIMITS_EXCEEDED,
      ORIENTATIOND_MOTION_INVALID_REQUEST,
    ]
    #expect(states.map { UInt32($0.rawValue) } == MotionState.allCases.map(\.rawValue))
  }

  @Test("reads the requests of a program in C")
  func requests() throws {
    let interval = try #require(MotionInterval(microseconds: 20_000))
    #expect(read(request()) == .start(.accelerometer, interval: interval))
    #expect(read(request(sensor: 3)) == .start(.gravity, interval: interval))
    #expect(read(request(kind: 2, sensor: 2, interval: 0)) == .stop(.gyroscope))
    for interval: UInt32 in [5000, 10_000_000] { #expect(read(request(interval: interval)) != nil) }
  }

  @Test("refuses a request with any field out of its limits, or of another size")
  func invalidRequests() {
    #expect(read(request(version: 0x324d_444f)) == nil)
    for kind: UInt16 in [0, 3, .max] { #expect(read(request(kind: kind)) == nil) }
    for sensor: UInt16 in [0, 4, .max] { #expect(read(request(sensor: sensor)) == nil) }
    for interval: UInt32 in [0, 4999, 10_000_001, .max] { #expect(read(request(interval: interval)) == nil) }
    #expect(read(request(reserved: 1)) == nil)
    #expect(read(request(kind: 2, interval: 1)) == nil)
    withUnsafeBytes(of: request()) { bytes in
      for count in 0..<16 { #expect(MotionRequest(UnsafeRawBufferPointer(rebasing: bytes[..<count])) == nil) }
    }
    withUnsafeBytes(of: (request(), request())) { #expect(MotionRequest($0) == nil) }
  }

  @Test("writes requests that are read as the same")
  func writtenRequests() throws {
    let interval = try #require(MotionInterval(microseconds: 5000))
    for sensor in MotionSensor.allCases {
      for request in [MotionRequest.start(sensor, interval: interval), .stop(sensor)] {
        withUnsafeTemporaryAllocation(byteCount: MotionRequest.byteCount + 1, alignment: 8) { bytes in
          let packet = UnsafeMutableRawBufferPointer(rebasing: bytes[1...])
          if let start = packet.baseAddress { request.write(to: start) }
          #expect(MotionRequest(UnsafeRawBufferPointer(packet)) == request)
        }
      }
    }
  }

  @Test("writes records that a program in C reads")
  func records() {
    let time = BootTime(nanoseconds: 0x0102_0304_0506_0708)
    let sample = written(
      MotionRecord(sensor: .gyroscope, lost: 7, time: time, content: .sample(x: 1, y: -2.5, z: 9.75)))
    #expect((sample.kind, sample.sensor, sample.lost) == (1, 2, 7))
    #expect((sample.x, sample.y, sample.z) == (1, -2.5, 9.75))
    #expect((sample.time_ns, sample.code) == (0x0102_0304_0506_0708, 0))
    let state = written(MotionRecord(sensor: nil, time: time, content: .state(.denied)))
    #expect((state.kind, state.sensor, state.lost, state.code) == (2, 0, 0, 8))
    #expect((state.x, state.y, state.z) == (0, 0, 0))
  }

  private func written(_ record: MotionRecord) -> orientationd_motion_record {
    var result = orientationd_motion_record()
    withUnsafeMutableBytes(of: &result) { if let start = $0.baseAddress { record.write(to: start) } }
    withUnsafeBytes(of: result) { #expect(MotionRecord($0) == record) }
    return result
  }

  @Test("reads no record of an unknown kind, sensor, state or size")
  func invalidRecords() {
    func isRead(_ change: (inout orientationd_motion_record) -> Void) -> Bool {
      var record = orientationd_motion_record()
      (record.kind, record.sensor, record.code) = (2, 1, 1)
      change(&record)
      return withUnsafeBytes(of: record) { MotionRecord($0) != nil }
    }
    #expect(isRead { _ in })
    #expect(!isRead { $0.kind = 3 })
    #expect(!isRead { $0.sensor = 4 })
    #expect(!isRead { $0.code = 11 })
    withUnsafeBytes(of: orientationd_motion_record()) { bytes in
      #expect(MotionRecord(UnsafeRawBufferPointer(rebasing: bytes[..<31])) == nil)
    }
  }
}
