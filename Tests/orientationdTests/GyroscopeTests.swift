// SPDX-License-Identifier: Apache-2.0

import Foundation
import MockDevices
import Orientation
import Systemd
import TestSupport
import Testing

private let gyroscopePath = "/sys/devices/platform/other/iio:device1"

/// A tablet with a chip that is polled, a gyroscope, and a daemon that serves the motion socket.
private final class TurningTablet {
  let socket: MotionSocket
  let rig: Rig

  init(
    axisConvention: String = "kernel", environment: [String: String] = [:], bus: PrivateBus? = nil,
    devices: (borrowing MockKernel) -> Void
  ) throws {
    socket = try MotionSocket()
    rig = try Rig(
      configuration: "AxisConvention=\(axisConvention)\n", environment: environment, bus: bus,
      motionSocket: socket.descriptor, devices: devices)
  }

  /// One whose gyroscope is another chip, which turns to the left by 0.5 rad/s.
  static func withGyroscope(
    environment: [String: String] = [:], change: (inout [String: String]) -> Void = { _ in }
  ) throws -> TurningTablet {
    var attributes = gyroscopeAttributes(z: "500")
    change(&attributes)
    return try TurningTablet(environment: environment) {
      $0.addDevice("iio:device0", attributes: chipAttributes())
      $0.addDevice("iio:device1", under: "platform/other", attributes: attributes)
    }
  }

  func attribute(_ name: String) -> String? { rig.kernel.attribute(name, of: gyroscopePath) }
}

/// The readings of the gyroscope.
private func rates(_ program: MotionProgram) -> [[Float]] {
  program.samples(of: .gyroscope).compactMap {
    if case .sample(let x, let y, let z) = $0.content { [x, y, z] } else { nil }
  }
}

@Suite("The gyroscope of the motion socket")
struct GyroscopeTests {
  @Test("is sent in rad/s without the accelerometer, and powered down after the last stream")
  func polled() throws {
    let tablet = try TurningTablet.withGyroscope()
    let program = try tablet.socket.connect()
    try program.start(.gyroscope, every: 10_000)
    try program.wait(forSamples: 10, of: .gyroscope)
    #expect(program.states.last == .active)
    #expect(rates(program).allSatisfy { $0 == [0, 0, 0.5] })
    #expect(tablet.attribute("in_anglvel_sampling_frequency") == "100.0")
    #expect(try tablet.rig.client.property("SensorStatus") == .text("idle"))
    program.send(.stop(.gyroscope))
    try program.wait(for: .stopped)
    try tablet.rig.client.wait(for: "the frequency from before") {
      tablet.attribute("in_anglvel_sampling_frequency") == "25.000000"
    }
  }

  @Test("runs at the rate of its fastest stream")
  func fastest() throws {
    let tablet = try TurningTablet.withGyroscope()
    let (slow, fast) = (try tablet.socket.connect(), try tablet.socket.connect())
    try slow.start(.gyroscope, every: 100_000)
    try slow.wait(forSamples: 1, of: .gyroscope)
    #expect(tablet.attribute("in_anglvel_sampling_frequency") == "25.0")
    try fast.start(.gyroscope, every: 5000)
    try fast.wait(forSamples: 5, of: .gyroscope)
    try tablet.rig.client.wait(for: "200 Hz") {
      tablet.attribute("in_anglvel_sampling_frequency") == "200.0"
    }
    try slow.wait(forSamples: 1, of: .gyroscope)
    fast.send(.stop(.gyroscope))
    try tablet.rig.client.wait(for: "25 Hz") {
      tablet.attribute("in_anglvel_sampling_frequency") == "25.0"
    }
    #expect(slow.lastingStates == [.active])
  }

  @Test("of a hub is read through its buffer, with the rates as the hub signs them")
  func hub() throws {
    let tablet = try TurningTablet(axisConvention: "proxy") {
      $0.addDevice("iio:device0", under: "platform/hub/a", attributes: hubAttributes())
      $0.addDevice("iio:device1", under: "platform/other", attributes: gyroscopeHubAttributes())
      $0.addDevice("trigger0", under: "platform/hub/a", attributes: hubTrigger)
      $0.addDevice("trigger1", under: "platform/other", attributes: ["name": "gyro_3d-dev1"])
    }
    let program = try tablet.socket.connect()
    try program.start(.gyroscope, every: 20_000)
    try tablet.rig.client.wait(for: "the buffer") { tablet.attribute("buffer/enable") == "1" }
    try tablet.rig.client.wait(for: "a sample") {
      tablet.rig.kernel.deliver(hubScan(1, -2, 500, nanoseconds: bootTime), to: "iio:device1")
      program.read()
      return rates(program).contains([0.001, -0.002, 0.5])
    }
    program.send(.stop(.gyroscope))
    try tablet.rig.client.wait(for: "the settings from before") {
      tablet.attribute("buffer/enable") == "0"
        && tablet.attribute("in_anglvel_sampling_frequency") == "10.000000"
    }
  }

  @Test("that is part of the accelerometer's device is read with it")
  func shared() throws {
    let attributes = chipAttributes().merging(gyroscopeAttributes(z: "500")) { old, _ in old }
    let tablet = try TurningTablet { $0.addDevice("iio:device0", attributes: attributes) }
    try tablet.rig.client.begin()
    try tablet.rig.client.wait(for: "OrientationName", toBe: .text("portrait"))
    let program = try tablet.socket.connect()
    try program.start(.gyroscope, every: 10_000)
    try program.wait(forSamples: 5, of: .gyroscope)
    #expect(rates(program).allSatisfy { $0 == [0, 0, 0.5] })
    try program.start(.accelerometer, every: 10_000)
    try program.wait(forSamples: 20, of: .accelerometer)
    let last = try #require(program.samples(of: .accelerometer).last).time
    try tablet.rig.client.wait(for: "the rates of the last sample") {
      program.read()
      return program.samples(of: .gyroscope).contains { $0.time >= last }
    }
    let times = Set(program.samples(of: .gyroscope).map(\.time))
    let readTogether = program.samples(of: .accelerometer).filter { $0.time <= last }.suffix(10)
    // What is read apart never has the same stamp. But each stream has an interval of its own, so one of them may leave a sample out.
    #expect(readTogether.count { times.contains($0.time) } > readTogether.count / 2)
    program.send(.stop(.gyroscope))
    program.send(.stop(.accelerometer))
    try tablet.rig.client.wait(for: "SampleRate", toBe: .double(25))
    #expect(try tablet.rig.client.property("OrientationName") == .text("portrait"))
  }

  @Test("that is part of the accelerometer's device does not make that open again with each start and stop")
  func sharedAgainAndAgain() throws {
    let attributes = chipAttributes().merging(gyroscopeAttributes(z: "500")) { old, _ in old }
    let tablet = try TurningTablet { $0.addDevice("iio:device0", attributes: attributes) }
    let program = try tablet.socket.connect()
    try program.start(.accelerometer, every: 10_000)
    try program.start(.gyroscope, every: 10_000)
    try program.wait(forSamples: 1, of: .gyroscope)
    try program.wait(forSamples: 1, of: .accelerometer)
    // To open it sets its frequency.
    tablet.rig.kernel.set("in_accel_sampling_frequency", of: chipPath, to: "25.000000")
    for _ in 0..<5 {
      program.send(.stop(.gyroscope))
      try program.wait(for: .stopped)
      try program.wait(forSamples: 5, of: .accelerometer)
      try program.start(.gyroscope, every: 10_000)
      try program.wait(forSamples: 1, of: .gyroscope)
    }
    #expect(tablet.rig.kernel.attribute("in_accel_sampling_frequency", of: chipPath) == "25.000000")
  }

  @Test("that is part of the accelerometer's device and cannot be read fails alone, until it can be read")
  func sharedFailure() throws {
    let attributes = chipAttributes().merging(gyroscopeAttributes()) { old, _ in old }
    let tablet = try TurningTablet { $0.addDevice("iio:device0", attributes: attributes) }
    let program = try tablet.socket.connect()
    try program.start(.gyroscope, every: 10_000)
    try program.wait(forSamples: 1, of: .gyroscope)
    tablet.rig.kernel.set("in_anglvel_y_raw", of: chipPath, to: "none")
    try program.wait(for: .failed)
    #expect(try tablet.rig.client.property("SensorStatus") == .text("active"))
    tablet.rig.kernel.set("in_anglvel_y_raw", of: chipPath, to: "0")
    try program.wait(forSamples: 1, of: .gyroscope)
    #expect(program.states.last == .active)
  }

  @Test("that cannot be read is a state, and is tried again")
  func failure() throws {
    let tablet = try TurningTablet.withGyroscope { $0["in_anglvel_y_raw"] = "none" }
    let program = try tablet.socket.connect()
    try program.start(.gyroscope, every: 10_000)
    try program.wait(for: .failed)
    try tablet.rig.waitForLog("the gyroscope does not work")
    tablet.rig.kernel.set("in_anglvel_y_raw", of: gyroscopePath, to: "0")
    try program.wait(forSamples: 1, of: .gyroscope)
    #expect(program.states.last == .active)
    try tablet.rig.waitForLog("the gyroscope works again")
  }

  @Test("whose buffer another program uses is polled, and keeps its settings")
  func takenBuffer() throws {
    let bus = try PrivateBus()
    // Otherwise a buffer that is on and that no program has open was left on.
    let neighbour = try Bus.open(.address(bus.address))
    try neighbour.requestName(ProxyClient.name)
    let tablet = try TurningTablet(bus: bus) {
      $0.addDevice("iio:device0", attributes: chipAttributes())
      let taken = gyroscopeHubAttributes().merging(["buffer/enable": "1"]) { $1 }
      $0.addDevice("iio:device1", under: "platform/other", attributes: taken)
    }
    let program = try tablet.socket.connect()
    try program.start(.gyroscope, every: 10_000)
    try program.wait(forSamples: 3, of: .gyroscope)
    #expect(tablet.attribute("in_anglvel_sampling_frequency") == "10.000000")
    try tablet.rig.waitForLog("polling the gyroscope instead")
    withExtendedLifetime(neighbour) {}
  }

  // umockdev tells of devices only out of a process that itself sees the mock kernel.
  @Test("that is unplugged or plugged in is a state")
  func hotplug() async {
    useMockKernel()
    await #expect(processExitsWith: .success) {
      let tablet = try TurningTablet { $0.addDevice("iio:device0", attributes: chipAttributes()) }
      let program = try tablet.socket.connect()
      try program.start(.gyroscope, every: 10_000)
      try program.wait(for: .noSensor)
      tablet.rig.kernel.addDevice(
        "iio:device1", under: "platform/other", attributes: gyroscopeAttributes())
      tablet.rig.kernel.tellUdev("add", of: gyroscopePath)
      try program.wait(forSamples: 3, of: .gyroscope)
      tablet.rig.kernel.tellUdev("remove", of: gyroscopePath)
      tablet.rig.kernel.remove(gyroscopePath)
      try program.wait(for: .noSensor)
    }
  }

  @Test("is closed while the machine sleeps")
  func sleep() throws {
    let tablet = try TurningTablet.withGyroscope()
    let logind = try MockLogind(on: tablet.rig.bus)
    let program = try tablet.socket.connect()
    try program.start(.gyroscope, every: 10_000)
    try program.wait(forSamples: 1, of: .gyroscope)
    try logind.tell(isAboutToSleep: true)
    try program.wait(for: .suspended)
    try tablet.rig.client.wait(for: "the frequency from before") {
      tablet.attribute("in_anglvel_sampling_frequency") == "25.000000"
    }
    try logind.tell(isAboutToSleep: false)
    try program.wait(forSamples: 1, of: .gyroscope)
    #expect(program.lastingStates.suffix(2) == [.suspended, .active])
  }

  @Test("keeps no settings of a daemon that was killed: the next one restores them")
  func killed() throws {
    let runtime = try TemporaryFolder()
    let tablet = try TurningTablet.withGyroscope(environment: ["RUNTIME_DIRECTORY": runtime.path])
    let program = try tablet.socket.connect()
    try program.start(.gyroscope, every: 5000)
    try program.wait(forSamples: 1, of: .gyroscope)
    #expect(tablet.attribute("in_anglvel_sampling_frequency") == "200.0")
    tablet.rig.daemon.send(SIGKILL)
    _ = try tablet.rig.daemon.exitCode()
    let next = try tablet.rig.startAnotherDaemon()
    try tablet.rig.client.wait(for: "the frequency from before") {
      tablet.attribute("in_anglvel_sampling_frequency") == "25.000000"
    }
    withExtendedLifetime(next) {}
  }

  @Test("is closed when the daemon ends")
  func end() throws {
    let tablet = try TurningTablet.withGyroscope()
    let program = try tablet.socket.connect()
    try program.start(.gyroscope, every: 5000)
    try program.wait(forSamples: 1, of: .gyroscope)
    #expect(try tablet.rig.end() == 0)
    #expect(tablet.attribute("in_anglvel_sampling_frequency") == "25.000000")
  }
}
