// SPDX-License-Identifier: Apache-2.0

import Foundation
import MockDevices
import Orientation
import TestSupport
import Testing

/// A tablet with a daemon that serves the motion socket.
private final class MotionTablet {
  let socket: MotionSocket
  let rig: Rig
  let polkit: MockPolkit?

  init(
    _ behaviour: MockPolkit.Behaviour? = nil, hasSensor: Bool = true, sensor: String = "auto",
    environment: [String: String] = [:]
  ) throws {
    socket = try MotionSocket()
    let bus = try PrivateBus()
    polkit = try behaviour.map { try MockPolkit(on: bus, $0) }
    rig = try Rig(
      sensor: sensor, configuration: "AxisConvention=kernel\n", environment: environment, bus: bus,
      motionSocket: socket.descriptor
    ) {
      if hasSensor { $0.addDevice("iio:device0", attributes: chipAttributes()) }
    }
  }

  var client: Client { rig.client }
}

@Suite("The motion socket")
struct MotionTests {
  @Test("sends samples in the screen's axes, with the sensor's state before them")
  func samples() throws {
    let tablet = try MotionTablet()
    let program = try tablet.socket.connect()
    try program.start(.accelerometer, every: 20_000)
    try program.wait(forSamples: 20, of: .accelerometer)
    #expect(program.lastingStates.last == .active)
    for record in program.samples(of: .accelerometer) {
      guard case .sample(let x, let y, let z) = record.content else { continue }
      #expect(x == 0 && abs(y - 9.807) < 0.01 && z == 0)
      #expect(record.lost == 0)
    }
    let times = program.samples(of: .accelerometer).map(\.time)
    #expect(zip(times, times.dropFirst()).allSatisfy { $0 < $1 })
  }

  @Test("runs the sensor as fast as a stream needs, and powers it down after the last one")
  func power() throws {
    let tablet = try MotionTablet()
    #expect(try tablet.client.property("SensorStatus") == .text("idle"))
    let program = try tablet.socket.connect()
    try program.start(.accelerometer, every: 5000)
    try program.wait(forSamples: 5, of: .accelerometer)
    try tablet.client.wait(for: "SampleRate", toBe: .double(200))
    try tablet.client.wait(for: "SensorStatus", toBe: .text("active"))
    // The program is no subscriber.
    #expect(try tablet.client.property("GeneratesDeviceOrientationNotifications") == .boolean(false))
    #expect(try tablet.client.property("OrientationName") == .text("unknown"))
    program.send(.stop(.accelerometer))
    try program.wait(for: .stopped)
    try tablet.client.wait(for: "SensorStatus", toBe: .text("idle"))
  }

  @Test("powers the sensor down when the program ends")
  func programEnds() throws {
    let tablet = try MotionTablet()
    do {
      let program = try tablet.socket.connect()
      try program.start(.gravity, every: 100_000)
      try program.wait(forSamples: 1, of: .gravity)
    }
    try tablet.client.wait(for: "SensorStatus", toBe: .text("idle"))
  }

  @Test("powers the sensor down when the program says that it reads no more")
  func programStopsReading() throws {
    let tablet = try MotionTablet()
    let program = try tablet.socket.connect()
    try program.start(.gravity, every: 20_000)
    try program.wait(forSamples: 1, of: .gravity)
    program.stopReading()
    try tablet.client.wait(for: "SensorStatus", toBe: .text("idle"))
  }

  @Test("leaves the orientation to subscribers, who see no difference")
  func subscribers() throws {
    let tablet = try MotionTablet()
    try tablet.client.begin()
    try tablet.client.wait(for: "OrientationName", toBe: .text("portrait"))
    let program = try tablet.socket.connect()
    try program.start(.accelerometer, every: 5000)
    try program.wait(forSamples: 5, of: .accelerometer)
    #expect(try tablet.client.property("OrientationName") == .text("portrait"))
    tablet.rig.kernel.set("in_accel_x_raw", of: chipPath, to: "-1024")
    tablet.rig.kernel.set("in_accel_y_raw", of: chipPath, to: "0")
    try tablet.client.wait(for: "OrientationName", toBe: .text("landscapeRight"))
    program.send(.stop(.accelerometer))
    try tablet.client.wait(for: "SampleRate", toBe: .double(25))
    #expect(try tablet.client.property("OrientationName") == .text("landscapeRight"))
  }

  @Test("leaves a simulated tablet to turn as it does without readers")
  func simulated() throws {
    let tablet = try MotionTablet(sensor: "simulated")
    try tablet.client.begin()
    try tablet.client.wait(for: "OrientationName", toBe: "landscapeLeft")
    let program = try tablet.socket.connect()
    try program.start(.accelerometer, every: 10_000)
    try tablet.client.wait(for: "SampleRate", toBe: 100.0)
    try tablet.client.wait(for: "another orientation") {
      try tablet.client.property("OrientationName") != "landscapeLeft"
    }
    #expect(try tablet.client.property("OrientationName") == "faceUp")
  }

  // umockdev tells of devices only out of a process that itself sees the mock kernel.
  @Test("says that there is no sensor, and uses one that comes")
  func hotplug() async {
    useMockKernel()
    await #expect(processExitsWith: .success) {
      let tablet = try MotionTablet(hasSensor: false)
      let program = try tablet.socket.connect()
      try program.start(.accelerometer, every: 20_000)
      try program.start(.gyroscope, every: 20_000)
      try program.wait(for: .noSensor)
      tablet.rig.kernel.addDevice("iio:device0", attributes: chipAttributes())
      tablet.rig.kernel.tellUdev("add", of: chipPath)
      try program.wait(forSamples: 3, of: .accelerometer)
      #expect(program.samples(of: .gyroscope).isEmpty)
    }
  }

  @Test("asks polkit about the process once, with one action for all sensors")
  func actions() throws {
    let tablet = try MotionTablet(.allow)
    let program = try tablet.socket.connect()
    try program.start(.gravity, every: 16_667)
    try program.wait(forSamples: 1, of: .gravity)
    try program.start(.gravity, every: 16_000)
    try program.wait(forSamples: 1, of: .gravity)
    try program.start(.accelerometer, every: 1_000_000)
    try program.wait(forSamples: 1, of: .accelerometer)
    let questions = try #require(try tablet.polkit?.questions)
    #expect(questions.map(\.action) == ["org.orientationd1.motion"])
    for question in questions {
      #expect(question.subjectKind == "unix-process")
      #expect(question.subjectName == "\(getpid()):0:\(geteuid())")
      #expect(question.flags == "0")
    }
  }

  @Test(
    "sends nothing to a program that polkit does not allow, and does not power the sensor",
    arguments: [.deny, .challenge, .hang, .error("org.example.No"), .malformed("a string")]
      as [MockPolkit.Behaviour])
  func denied(behaviour: MockPolkit.Behaviour) throws {
    let tablet = try MotionTablet(behaviour)
    let program = try tablet.socket.connect()
    try program.start(.gravity, every: 20_000)
    if case .hang = behaviour {
      try program.wait(for: .waiting)
    } else {
      try program.wait(for: .denied)
    }
    #expect(try tablet.client.property("SensorStatus") == .text("idle"))
    #expect(program.samples(of: .gravity).isEmpty)
  }

  @Test("stops a stream that polkit does not allow any more, and continues it when it does again")
  func revoked() throws {
    let tablet = try MotionTablet(.allow)
    let program = try tablet.socket.connect()
    try program.start(.accelerometer, every: 20_000)
    try program.wait(forSamples: 1, of: .accelerometer)
    try tablet.polkit?.change(to: .deny)
    try program.wait(for: .denied)
    try tablet.client.wait(for: "SensorStatus", toBe: .text("idle"))
    try tablet.polkit?.change(to: .allow)
    try program.wait(forSamples: 1, of: .accelerometer)
  }

  @Test("stops a stream that polkit does not allow any more, also if no signal says so: one can be lost")
  func lostSignal() throws {
    let tablet = try MotionTablet(.allow)
    let program = try tablet.socket.connect()
    try program.start(.accelerometer, every: 20_000)
    try program.wait(forSamples: 5, of: .accelerometer)
    try tablet.polkit?.behave(.deny)
    try program.wait(for: .denied)
  }

  @Test("closes the connection of a program whose request is invalid, and says so")
  func invalid() throws {
    let tablet = try MotionTablet()
    let valid = MotionProgram.bytes(of: .stop(.gravity))
    for bytes: [UInt8] in [
      [UInt8](repeating: 0, count: 16), valid + [UInt8](repeating: 0, count: 16), [0] + valid,
      [UInt8](repeating: 1, count: 100_000),
    ] {
      let program = try tablet.socket.connect()
      program.send(bytes)
      try program.waitForEnd()
      #expect(program.states == [.invalidRequest])
      #expect(program.records.first?.sensor == nil)
    }
  }

  @Test("takes requests that come in parts, and several at once")
  func parts() throws {
    let tablet = try MotionTablet()
    let program = try tablet.socket.connect()
    let interval = try #require(MotionInterval(microseconds: 20_000))
    let requests = [
      MotionRequest.start(.gravity, interval: interval), .start(.accelerometer, interval: interval),
    ]
    .map(MotionProgram.bytes)
    for byte in requests[0].dropLast() {
      program.send([byte])
      try program.waitUntilReceived()
    }
    #expect(try tablet.client.property("SensorStatus") == .text("idle"))
    program.send([requests[0][15]] + requests[1])
    try program.wait(forSamples: 1, of: .gravity)
    try program.wait(forSamples: 1, of: .accelerometer)
    let ends = [MotionRequest.stop(.gravity), .stop(.accelerometer)].flatMap(MotionProgram.bytes)
    // Not at the border of a request; more than are read at a time.
    program.send(requests[0] + Array(ends[..<24]))
    try program.waitUntilReceived()
    program.send(Array(ends[24...]) + ends + ends)
    try tablet.client.wait(for: "SensorStatus", toBe: .text("idle"))
    program.read()
    #expect(!program.isClosed && program.states.suffix(2).allSatisfy { $0 == .stopped })
  }

  @Test("closes a connection that ends with a part of a request, without a word")
  func half() throws {
    let tablet = try MotionTablet()
    let program = try tablet.socket.connect()
    program.send(Array(MotionProgram.bytes(of: .stop(.gravity)).dropLast()))
    program.stopSending()
    try program.waitForEnd()
    #expect(program.records.isEmpty)
  }

  @Test("closes a connection of which the kernel has taken only a part of a record")
  func partOfRecord() throws {
    let faults = try DriverFaults()
    let tablet = try MotionTablet(environment: faults.environment)
    let (program, other) = (try tablet.socket.connect(), try tablet.socket.connect())
    try program.start(.accelerometer, every: 20_000)
    try program.wait(forSamples: 3, of: .accelerometer)
    faults.set([DriverFault(.send, "accepted", .brings(bytes: 8))])
    try program.waitForEnd()
    try tablet.client.wait(for: "SensorStatus", toBe: .text("idle"))
    faults.set([])
    try other.start(.accelerometer, every: 20_000)
    try other.wait(forSamples: 3, of: .accelerometer)
  }

  @Test("closes the connection of a program that asks too often, and leaves others theirs")
  func flood() throws {
    let tablet = try MotionTablet()
    let other = try tablet.socket.connect()
    try other.start(.gravity, every: 100_000)
    try other.wait(forSamples: 1, of: .gravity)
    let program = try tablet.socket.connect()
    for index in 0..<200 { try program.start(.gravity, every: 20_000 + UInt32(index)) }
    try program.waitForEnd()
    #expect(program.states.last == .limitsExceeded)
    try other.wait(forSamples: 1, of: .gravity)
  }

  @Test("refuses more connections of a user than the limit")
  func connections() throws {
    let tablet = try MotionTablet()
    let programs = try (0..<64).map { _ in try tablet.socket.connect() }
    for program in programs { try program.start(.gravity, every: 100_000) }
    for program in programs { try program.wait(forSamples: 1, of: .gravity) }
    let another = try tablet.socket.connect()
    try another.waitForEnd()
    #expect(another.states == [.limitsExceeded])
    // Each subscriber on the bus has its own account.
    try tablet.client.begin()
    try tablet.client.wait(for: "OrientationName", toBe: .text("portrait"))
  }

  @Test("ends in time while programs do not read")
  func end() throws {
    let tablet = try MotionTablet()
    let program = try tablet.socket.connect()
    try program.start(.accelerometer, every: 5000)
    try program.wait(forSamples: 1, of: .accelerometer)
    #expect(try tablet.rig.end() == 0)
    try program.waitForEnd()
  }

  @Test("sends states while the machine sleeps, and samples afterwards")
  func sleep() throws {
    let tablet = try MotionTablet()
    let logind = try MockLogind(on: tablet.rig.bus)
    let program = try tablet.socket.connect()
    try program.start(.accelerometer, every: 20_000)
    try program.wait(forSamples: 1, of: .accelerometer)
    try logind.tell(isAboutToSleep: true)
    try program.wait(for: .suspended)
    try logind.tell(isAboutToSleep: false)
    try program.wait(forSamples: 1, of: .accelerometer)
    #expect(program.lastingStates.suffix(2) == [.suspended, .active])
  }
}
