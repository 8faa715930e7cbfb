// SPDX-License-Identifier: Apache-2.0

import Foundation
import MockDevices
import Orientation
import Systemd
import TestSupport
import Testing

@Suite("SIGHUP reloads the configuration")
struct ReloadTests {
  /// Writes another configuration and has the daemon read it.
  private func reload(_ rig: Rig, _ text: String) throws {
    _ = try rig.folder.write("AxisConvention=kernel\n\(text)\n", to: "test.conf")
    rig.daemon.send(SIGHUP)
  }

  @Test("the rate and the mount matrix are taken into use, and clients, lock and manual orientation stay")
  func sensor() throws {
    let tablet = try Tablet.generating()
    try tablet.client.lock()
    try tablet.client.rotate(to: 3)
    try reload(tablet.rig, "SampleRate=50\nMountMatrix=-1,0,0;0,-1,0;0,0,1")
    try tablet.client.wait(for: "SampleRate", toBe: 50.0)
    try tablet.rig.waitForLog(
      "configuration reloaded: SampleRate=50 (was 25), MountMatrix=-1, 0, 0; 0, -1, 0; 0, 0, 1 (was empty)")
    let screen = try tablet.client.properties(of: Daemon.screenInterface)
    #expect(screen["RotationLocked"] == true)
    #expect(screen["InterfaceOrientation"] == 3)
    try tablet.client.lock(false)
    try tablet.client.wait(for: "OrientationName", toBe: "portraitUpsideDown")
    try tablet.client.end()
    #expect(try tablet.client.property("SensorStatus") == "idle")
  }

  @Test("a sensor that there is not is absent, and the one that there is takes over again")
  func anotherSensor() throws {
    let folder = try TemporaryFolder()
    let file = try folder.write("Sensor=simulated\n", to: "test.conf")
    let bus = try PrivateBus()
    let client = try Client(on: bus)
    let daemon = try Daemon.start(["--config", file], bus: bus)
    try client.waitForService()
    try client.begin()
    try client.wait(for: "SensorStatus", toBe: "active")
    try folder.write("Sensor=replay:\(folder.path)/missing.csv\n", to: "test.conf")
    daemon.send(SIGHUP)
    try client.wait(for: "SensorStatus", toBe: "absent")
    try client.wait(for: "OrientationName", toBe: "unknown")
    try folder.write("Sensor=simulated\n", to: "test.conf")
    daemon.send(SIGHUP)
    try client.wait(for: "SensorStatus", toBe: "active")
    #expect(try client.property("SensorName") == "simulated tablet")
  }

  @Test("what main thread and sampler go by is taken, and the sensor is not opened anew for it")
  func settings() throws {
    let tablet = try Tablet.generating(configuration: "MaxBeginsPerClient=2")
    try tablet.client.begin()
    #expect(throws: BusError.self) { try tablet.client.begin() }
    let before = tablet.client.heardOfDevice.count
    try reload(tablet.rig, "MaxBeginsPerClient=3\nResponsiveness=quick\nAdaptSampleRate=no\nAlwaysOn=yes")
    try tablet.rig.waitForLog("MaxBeginsPerClient=3 (was 2)")
    try tablet.client.begin()
    try tablet.turn(to: .landscapeLeft)
    #expect(tablet.client.heardOfDevice.count == before + 2)
    for _ in 0..<3 { try tablet.client.end() }
    try tablet.client.spend(seconds: 0.3)
    #expect(try tablet.client.property("SensorStatus") == "active")
    try reload(tablet.rig, "")
    try tablet.client.wait(for: "SensorStatus", toBe: "idle")
  }

  @Test("a hub that reports only changes at rest reports everything if the rate is not to adapt")
  func hubAtRest() throws {
    let rig = try Rig(configuration: "AxisConvention=kernel\n") {
      $0.addDevice("iio:device0", attributes: hubAttributes())
      $0.addDevice("trigger0", attributes: hubTrigger)
    }
    func sensitivity() -> Double? {
      rig.kernel.attribute("in_accel_hysteresis", of: chipPath).flatMap { Double($0) }
    }
    try rig.client.begin()
    try rig.client.wait(for: "the rest") {
      rig.kernel.deliver(hubScan(0, -1000, 0, nanoseconds: bootTime), to: "iio:device0")
      usleep(40_000)
      return sensitivity() == 0.02
    }
    try reload(rig, "AdaptSampleRate=no")
    try rig.client.wait(for: "the end of the rest") { sensitivity() == 0 }
  }

  @Test("a wrong line keeps the old value, and the journal names it; a file that is gone keeps all")
  func wrong() throws {
    let tablet = try Tablet.generating(configuration: "SampleRate=50")
    let file = "\(tablet.rig.folder.path)/test.conf"
    try reload(tablet.rig, "SampleRate=5000")
    try tablet.rig.waitForLog(
      "\(file):2: SampleRate= takes a number of Hz from 5 to 200, not '5000'; the old value is kept")
    try FileManager.default.removeItem(atPath: file)
    tablet.rig.daemon.send(SIGHUP)
    try tablet.rig.waitForLog(
      "\(file): cannot be read: No such file or directory; the old configuration is kept")
    #expect(try tablet.client.property("SampleRate") == 50.0)
    #expect(!tablet.rig.log.contains { $0.contains("configuration reloaded") })
  }

  @Test("many in a row with nothing new change nothing, and nobody is told of anything")
  func unchanged() throws {
    let tablet = try Tablet.generating()
    for _ in 0..<500 { tablet.rig.daemon.send(SIGHUP) }
    try tablet.client.spend(seconds: 0.5)
    #expect(tablet.client.heardOfDevice.isEmpty)
    #expect(!tablet.rig.log.contains { $0.contains("configuration") })
    try tablet.turn(to: .landscapeLeft)
  }

  @Test("what takes a restart is named")
  func restart() throws {
    let rig = try Rig(sensor: "simulated")
    try reload(rig, "SensorProxy=yes\nInitialInterfaceOrientation=portrait")
    try rig.waitForLog(
      "InitialInterfaceOrientation=portrait (was empty), SensorProxy=yes (was no) need a restart")
  }

  @Test("what is again as at the start takes no restart, and the journal says so")
  func restartNoMore() throws {
    let rig = try Rig(sensor: "simulated")
    try reload(rig, "SensorProxy=yes")
    try rig.waitForLog("SensorProxy=yes (was no) needs a restart")
    try reload(rig, "SensorProxy=yes\nInitialInterfaceOrientation=portrait")
    try rig.waitForLog(
      "InitialInterfaceOrientation=portrait (was empty), SensorProxy=yes (was no) need a restart")
    // One of two is again as at the start.
    try reload(rig, "InitialInterfaceOrientation=portrait")
    try rig.waitForLog("InitialInterfaceOrientation=portrait (was empty) needs a restart")
    #expect(!rig.log.contains { $0.contains("no restart is needed") })
    try reload(rig, "")
    try rig.waitForLog("configuration reloaded: as at the start; no restart is needed")
    try reload(rig, "SensorProxy=yes")
    try reload(rig, "SampleRate=30")
    try rig.waitForLog("SampleRate=30")
    // What the reload before has said is there by then.
    try reload(rig, "SampleRate=50")
    try rig.waitForLog("SampleRate=50")
    #expect(!rig.log.contains { $0.contains("SensorProxy=no") })
  }

  @Test("the service manager is told when it begins, with the time, and when it is done")
  func notifications() throws {
    let manager = try NotifySocket()
    let rig = try Rig(sensor: "simulated", environment: ["NOTIFY_SOCKET": manager.path])
    try wait(for: "READY=1") { manager.hasReceived("READY=1") }
    rig.daemon.send(SIGHUP)
    try wait(for: "RELOADING=1") { manager.hasReceived("RELOADING=1") }
    try wait(for: "READY=1") {
      _ = manager.hasReceived("")
      return manager.lines.filter { $0 == "READY=1" }.count == 2
    }
    #expect(manager.lines.firstIndex { $0.hasPrefix("MONOTONIC_USEC=") } == 2)
    #expect(manager.lines == ["READY=1", "RELOADING=1", manager.lines[2], "READY=1"])
  }

  @Test("at any moment of its start it ends nothing, and READY=1 is said once")
  func early() throws {
    for pause in 0..<10 {
      let manager = try NotifySocket()
      let bus = try PrivateBus()
      let client = try Client(on: bus)
      let daemon = try Daemon.start(
        ["--sensor", "simulated", "--config", "/dev/null"], bus: bus,
        environment: ["NOTIFY_SOCKET": manager.path])
      try waitUntilHeld(SIGHUP, by: daemon)
      usleep(UInt32(pause) * 3000)
      while try client.bus.owner(of: Daemon.busName) == nil, daemon.isRunning { daemon.send(SIGHUP) }
      try client.waitForService()
      #expect(daemon.isRunning)
      try wait(for: "READY=1") { manager.hasReceived("READY=1") }
      #expect(manager.lines.first == "READY=1")
    }
  }

  @Test("while a sensor's driver hangs it is done all the same")
  func hanging() throws {
    let rig = try Rig { $0.addDevice("iio:device0", attributes: hubAttributes()) }
    let blocked = rig.kernel.block("buffer/enable", of: chipPath)
    try rig.client.begin()
    try rig.client.wait(for: "SensorStatus", toBe: "silent")
    try reload(rig, "SampleRate=50\nMaxClients=7")
    try rig.waitForLog("MaxClients=7 (was 256)")
    #expect(try rig.end() == 0)
    withExtendedLifetime(blocked) {}
  }

  /// Waits until a process holds a signal back.
  private func waitUntilHeld(_ signal: Int32, by process: ChildProcess) throws {
    try wait(for: "signal \(signal) held back") {
      let status = try String(contentsOfFile: "/proc/\(process.id)/status", encoding: .utf8)
      let mask = status.split(separator: "\n").first { $0.hasPrefix("SigBlk:") }?.split(separator: "\t").last
      return mask.flatMap { UInt64($0, radix: 16) }.map { $0 & 1 << UInt64(signal - 1) != 0 } ?? false
    }
  }
}
