// SPDX-License-Identifier: Apache-2.0

import Glibc
import IIO
import MockDevices
import Orientation
import Testing

@Suite("A sensor of another machine")
struct RemoteSourceTests {
  init() { useMockKernel() }

  @Test("delivers scaled samples through Debian's iiod, and follows the sensor")
  func samples() async {
    await #expect(processExitsWith: .success) {
      let kernel = MockKernel()
      kernel.addDevice("iio:device0", attributes: chipAttributes(x: "-12", y: "1024", z: "7"))
      let server = try NetworkServer()
      let sensor = try networkSensor(server.host)
      expectEqual(sensor.displayName, "kxcjk1013 (iio:device0)")
      expectEqual(sensor.sign, .specificForce)
      expectEqual(sensor.sysfsPath, nil)
      var source = try PolledSource(sensor, at: IIOAddress(host: server.host), rate: 100)
      let wakeUp = try WakeUpEvent()
      let first = try source.next(interruptedBy: wakeUp)
      expectEqual(first?.acceleration, Acceleration(x: -12 * 0.009577, y: 1024 * 0.009577, z: 7 * 0.009577))
      kernel.set("in_accel_y_raw", of: chipPath, to: "-1000")
      try expectEqual(source.next(interruptedBy: wakeUp)?.acceleration.y, -1000 * 0.009577)
      wakeUp.signal()
      try expectEqual(source.next(interruptedBy: wakeUp) == nil, true)
    }
  }

  @Test("has the scale that is the device's applied, as of Chromebooks")
  func deviceScale() async {
    await #expect(processExitsWith: .success) {
      let kernel = MockKernel()
      var attributes = chipAttributes(y: "1000")
      attributes["in_accel_scale"] = nil
      attributes["scale"] = "0.01"
      kernel.addDevice("iio:device0", attributes: attributes)
      let server = try NetworkServer()
      var source = try server.source()
      try expectEqual(source.next(interruptedBy: try WakeUpEvent())?.acceleration.y, 10)
    }
  }

  @Test("that says something other than a number ends with the text")
  func notANumber() async {
    await #expect(processExitsWith: .success) {
      let kernel = MockKernel()
      kernel.addDevice("iio:device0", attributes: chipAttributes())
      let server = try NetworkServer()
      var source = try server.source()
      let wakeUp = try WakeUpEvent()
      kernel.set("in_accel_y_raw", of: chipPath, to: "up")
      let path = "\(server.host): in_accel_y_raw"
      #expect(throws: SourceError.malformed(path: path, text: "up", reason: "a number was expected")) {
        _ = try source.next(interruptedBy: wakeUp)
      }
    }
  }

  @Test("is lost when iiod ends, and not there without one")
  func connectionLost() async {
    await #expect(processExitsWith: .success) {
      let kernel = MockKernel()
      kernel.addDevice("iio:device0", attributes: chipAttributes())
      let server = try NetworkServer()
      let host = server.host
      let sensor = try networkSensor(host)
      var source = try server.source()
      let wakeUp = try WakeUpEvent()
      try expectEqual(source.next(interruptedBy: wakeUp) != nil, true)
      _ = consume server
      let loss = SourceError.unreachable(host: host, reason: "the connection is lost")
      #expect(throws: loss) { _ = try source.next(interruptedBy: wakeUp) }
      #expect(throws: SourceError.unreachable(host: host, reason: "Connection refused")) {
        _ = try PolledSource(sensor, at: IIOAddress(host: host), rate: 100)
      }
    }
  }

  @Test("whichever answer of iiod's is late, none is taken for that to another question")
  func lateAnswers() async {
    await #expect(processExitsWith: .success) {
      signal(SIGPIPE, SIG_IGN)
      let kernel = MockKernel()
      var attributes = chipAttributes(x: "-12", y: "1024", z: "7")
      attributes["in_accel_scale"] = nil
      for (axis, scale) in [("x", "0.1"), ("y", "0.2"), ("z", "0.3")] {
        attributes["in_accel_\(axis)_scale"] = scale
      }
      attributes["in_accel_mount_matrix"] = "0, 1, 0; 1, 0, 0; 0, 0, 1"
      attributes["location"] = "lid"
      kernel.addDevice("iio:device0", attributes: attributes)
      let server = try NetworkServer()
      let known = try networkSensor(server.host)
      // In a connection, the first pieces are the description; the last question here is about the 30th.
      for piece in 0..<32 {
        let relay = SlowRelay(to: server.host, slowPiece: piece, milliseconds: 150)
        do throws(SourceError) {
          let context = try RemoteContext.open(IIOAddress(host: relay.host), timeoutMilliseconds: 100)
          let found = context.machine(from: .kernel).sensors { _ in UdevProperties() }
          try context.checkAnswers()
          expectEqual(found, [known])
        } catch {
          expectEqual("\(error)".hasPrefix("iiod at "), true)
        }
      }
      let relay = SlowRelay(to: server.host, slowPiece: 5, milliseconds: 10)
      let context = try RemoteContext.open(IIOAddress(host: relay.host), timeoutMilliseconds: 60_000)
      expectEqual(context.machine(from: .kernel).sensors { _ in UdevProperties() }, [known])
      try context.checkAnswers()
    }
  }
}
