// SPDX-License-Identifier: Apache-2.0

import MockDevices
import Orientation
import Systemd
import Testing

@Suite("The sensor of another machine")
struct NetworkSensorTests {
  private let machine: RemoteMachine

  init() throws { machine = try RemoteMachine() }

  /// A rig whose daemon takes the machine's sensor, which stands in portrait.
  private func rig(running: Bool = true) throws -> Rig {
    try Rig(sensor: machine.sensor) { kernel in
      kernel.addDevice("iio:device0", attributes: chipAttributes(y: "-1024"))
      if running { #expect(throws: Never.self) { try machine.start(kernel) } }
    }
  }

  /// What the daemon itself has logged; libiio writes to the same place.
  private func lines(of rig: Rig) -> [String] {
    rig.log.filter { $0.hasPrefix("orientationd: ") }.map { String($0.dropFirst(14)) }
  }

  @Test("is followed through its poses while somebody asks")
  func poses() throws {
    let rig = try rig()
    try rig.client.begin()
    try rig.client.wait(for: "OrientationName", toBe: "portrait")
    #expect(try rig.client.property("SensorName") == .text("kxcjk1013 (iio:device0) at \(machine.host)"))
    #expect(try rig.client.property("SensorStatus") == "active")
    rig.kernel.set("in_accel_y_raw", of: chipPath, to: "0")
    rig.kernel.set("in_accel_x_raw", of: chipPath, to: "1024")
    try rig.client.wait(for: "OrientationName", toBe: "landscapeRight")
    rig.kernel.set("in_accel_x_raw", of: chipPath, to: "0")
    rig.kernel.set("in_accel_z_raw", of: chipPath, to: "1024")
    try rig.client.wait(for: "OrientationName", toBe: "faceUp")
    try rig.client.end()
    #expect(try rig.client.property("SensorStatus") == "idle")
    #expect(try rig.end() == 0)
  }

  @Test(
    "is absent while its iiod is gone, and serves the same client when iiod is back",
    arguments: [false, true])
  func restart(whileReading: Bool) throws {
    let rig = try rig()
    try rig.client.begin()
    try rig.client.wait(for: "OrientationName", toBe: "portrait")
    try rig.client.catchUp()
    let heard = rig.client.heardOfDevice.count
    if whileReading {
      machine.freeze()
      try rig.client.spend(seconds: 0.1)
    }
    try machine.kill()
    try rig.client.wait(for: "SensorStatus", toBe: "absent")
    try rig.client.catchUp()
    #expect(
      rig.client.heardOfDevice.suffix(from: heard) == [
        .changed([
          "Orientation": 0, "OrientationName": "unknown", "HasAccelerometer": false,
        ]), .changed(["SensorName": "", "SensorStatus": "absent", "SensorMountMatrix": ""]),
        .orientation(0, "unknown"),
      ], "\(rig.client.heard)")
    try machine.start(rig.kernel)
    try rig.client.wait(for: "OrientationName", toBe: "portrait")
    let name =
      "accelerometer kxcjk1013 (iio:device0) at \(machine.host): the only one that may be in the display, no mount matrix"
    let lost = "iiod at \(machine.host): the connection is lost; retrying while there are subscribers"
    #expect(lines(of: rig) == [name, lost, name])
  }

  @Test("that falls silent is absent, and the daemon can end")
  func freezes() throws {
    let rig = try rig()
    try rig.client.begin()
    try rig.client.wait(for: "OrientationName", toBe: "portrait")
    machine.freeze()
    try rig.client.wait(for: "SensorStatus", toBe: "absent")
    #expect(try rig.client.property("OrientationName") == "unknown")
    #expect(try rig.end() == 0)
  }

  @Test(
    "that cannot be reached is absent, for a reason that is told once",
    arguments: ["refuses", "unknown", "silent"])
  func unreachable(how: String) throws {
    var sensor = machine.sensor
    var reason = "iiod at \(machine.host): Connection refused"
    switch how {
    case "unknown":
      sensor = "ip:tablet.invalid"
      reason = "iiod at tablet.invalid: no machine of this name is known"
    case "silent":
      try machine.keepSilent()
      reason = "iiod at \(machine.host): the program that listens there does not answer"
    default: break
    }
    let rig = try Rig(sensor: sensor)
    try rig.client.begin()
    #expect(try rig.client.property("SensorStatus") == "absent")
    #expect(try rig.client.property("HasAccelerometer") == false)
    try rig.waitForLog(reason)
    let error = #expect(throws: BusError.self) { try rig.client.getOrientation() }
    #expect(error?.name == "org.orientationd1.Error.SensorUnavailable")
    // The second attempt is over or under way; the daemon ends anyhow. One that is silent is waited for as no driver is.
    try rig.client.spend(seconds: how == "silent" ? 10 : 1.5)
    #expect(lines(of: rig) == ["\(reason); retrying while there are subscribers"])
    #expect(try rig.end() == 0)
  }

  @Test("that was not there before is tried again for a single question")
  func returnsWhileNobodyAsks() throws {
    let rig = try rig(running: false)
    try rig.waitForLog("Connection refused")
    #expect(throws: BusError.self) { try rig.client.getOrientation() }
    try machine.start(rig.kernel)
    try rig.client.wait(for: "an answer") { (try? rig.client.getOrientation()) == .portrait }
    #expect(try rig.client.property("SensorStatus") == "idle")
  }

  @Test("that has become another one while nobody asked is not taken for the one before")
  func otherSensor() throws {
    let rig = try rig()
    #expect(try rig.client.getOrientation() == .portrait)
    try machine.kill()
    let other = MockKernel()
    var attributes = chipAttributes(x: "1024", y: "0")
    attributes["name"] = "lis2dh12"
    attributes["mount_matrix"] = "0, -1, 0; -1, 0, 0; 0, 0, 1"
    other.addDevice("iio:device0", attributes: attributes)
    try machine.start(other)
    try rig.client.wait(for: "an answer") { (try? rig.client.getOrientation()) == .portrait }
    #expect(try rig.client.property("SensorName") == .text("lis2dh12 (iio:device0) at \(machine.host)"))
  }
}
