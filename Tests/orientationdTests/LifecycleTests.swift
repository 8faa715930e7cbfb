// SPDX-License-Identifier: Apache-2.0

import Foundation
import MockDevices
import Orientation
import Systemd
import TestSupport
import Testing

@Suite("Start and end")
struct LifecycleTests {
  @Test("SIGTERM and SIGINT end it in order, idle or sampling", arguments: [SIGTERM, SIGINT], [false, true])
  func signals(signal: Int32, whileSampling: Bool) throws {
    let rig = try Rig(sensor: "simulated")
    if whileSampling {
      try rig.client.begin()
      try rig.client.wait(for: "SensorStatus", toBe: "active")
    }
    rig.daemon.send(signal)
    #expect(try rig.daemon.exitCode() == 0)
  }

  @Test("while a sensor's driver hangs, calls are answered and SIGTERM is obeyed")
  func hangingSensor() throws {
    let rig = try Rig { $0.addDevice("iio:device0", attributes: hubAttributes()) }
    rig.kernel.makeHang("buffer/enable", of: chipPath)
    try rig.client.begin()
    let error = #expect(throws: BusError.self) { try rig.client.getOrientation() }
    #expect(error?.name == "org.orientationd1.Error.SensorUnavailable")
    try rig.client.wait(for: "SensorStatus", toBe: "silent")
    #expect(try rig.end() == 0)
    #expect(rig.log.last?.contains("does not answer; exiting without closing it") == true)
  }

  @Test("the service manager is told that it is ready, that the loop turns, and that it stops")
  func notifications() throws {
    let manager = try NotifySocket()
    let rig = try Rig(
      sensor: "simulated", environment: ["NOTIFY_SOCKET": manager.path, "WATCHDOG_USEC": "100000"])
    try wait(for: "READY=1") { manager.hasReceived("READY=1") }
    try wait(for: "WATCHDOG=1") { manager.hasReceived("WATCHDOG=1") }
    #expect(!manager.hasReceived("STOPPING=1"))
    #expect(try rig.end() == 0)
    #expect(manager.hasReceived("STOPPING=1"))
    #expect(manager.lines.filter { $0 == "READY=1" }.count == 1)
  }

  @Test("it is ready only once it has its name")
  func readyComesLast() throws {
    let manager = try NotifySocket()
    let bus = try PrivateBus()
    let client = try Client(on: bus)
    let daemon = try Daemon.start(
      ["--sensor", "simulated", "--config", "/dev/null"], bus: bus,
      environment: ["NOTIFY_SOCKET": manager.path])
    try wait(for: "READY=1") { manager.hasReceived("READY=1") || !daemon.isRunning }
    #expect(try client.bus.owner(of: Daemon.busName) != nil)
  }

  @Test("nothing that it opens has the number of a standard descriptor that was closed")
  func closedDescriptors() throws {
    let bus = try PrivateBus()
    let client = try Client(on: bus)
    let command = "exec orientationd --sensor simulated --config /dev/null <&- >&- 2>&-"
    let daemon = try bus.start("sh", ["-c", command])
    try wait(for: "its name") { try client.bus.owner(of: Daemon.busName) != nil }
    for descriptor in 0...2 {
      let link = "/proc/\(daemon.id)/fd/\(descriptor)"
      #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == "/dev/null")
    }
  }

  @Test("without a bus it says so and fails")
  func noBus() throws {
    let daemon = try Daemon.start(["--config", "/dev/null"])
    #expect(try daemon.exitCode() == 1)
    #expect(daemon.errors.hasPrefix("orientationd: cannot connect to the system bus: "))
    #expect(daemon.errors.contains("--user serves on the session bus"))
    #expect(daemon.errors.split(separator: "\n").count == 1)
  }

  @Test("--user serves on the session bus")
  func sessionBus() throws {
    let bus = try PrivateBus()
    let client = try Client(on: bus)
    let daemon = try Daemon.start(
      ["--user", "--sensor", "simulated", "--config", "/dev/null"],
      environment: ["DBUS_SESSION_BUS_ADDRESS": bus.address])
    try client.wait(for: "the daemon") {
      try client.bus.owner(of: Daemon.busName) != nil || !daemon.isRunning
    }
    #expect(try client.property("SensorName") == "simulated tablet")
    let lost = try Daemon.start(["--user", "--config", "/dev/null"])
    #expect(try lost.exitCode() == 1)
    #expect(lost.errors.contains("cannot connect to the session bus"))
  }

  @Test("a second one on the same bus names the first and fails, and the first goes on")
  func nameTaken() throws {
    let rig = try Rig(sensor: "simulated")
    let second = try Daemon.start(["--sensor", "simulated", "--config", "/dev/null"], bus: rig.bus)
    #expect(try second.exitCode() == 1)
    let message = try #require(second.errors.split(separator: "\n").last)
    #expect(message.contains("org.orientationd1 is owned by process \(rig.daemon.id) (orientationd, :1."))
    #expect(message.hasSuffix("only one orientationd can serve a bus"))
    #expect(try rig.client.property("SensorStatus") == "idle")
  }

  @Test("a bus whose policy refuses the name is told apart from a name that is taken")
  func nameRefused() throws {
    let bus = try PrivateBus(.closed)
    let daemon = try Daemon.start(["--sensor", "simulated", "--config", "/dev/null"], bus: bus)
    #expect(try daemon.exitCode() == 1)
    #expect(daemon.errors.contains("the policy of the bus does not let this user own org.orientationd1"))
  }

  @Test("a bus that ends under it ends it with a message", arguments: [false, true])
  func busEnds(whileSampling: Bool) throws {
    let rig = try Rig(sensor: "simulated")
    if whileSampling {
      try rig.client.begin()
      try rig.client.wait(for: "SensorStatus", toBe: "active")
    }
    try rig.bus.end()
    #expect(try rig.daemon.exitCode() == 1)
    #expect(rig.log.last == "orientationd: the connection to the bus has ended")
  }
}
