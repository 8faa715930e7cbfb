// SPDX-License-Identifier: Apache-2.0

import MockDevices
import Orientation
import Systemd
import TestSupport
import Testing

// Exit tests, as umockdev tells of devices only out of a process that itself sees the mock kernel.

@Suite("iio-sensor-proxy's interface: sensors that come and go")
struct SensorProxyHotplugTests {
  init() { useMockKernel() }

  @Test("without a sensor, claims are answered, and hold for the one that comes")
  func absent() async {
    await #expect(processExitsWith: .success) {
      let rig = try Rig(configuration: "SensorProxy=yes\n")
      let program = try ProxyClient(on: rig.bus)
      try program.call("ClaimAccelerometer")
      #expect(try program.property("HasAccelerometer") == false)
      rig.kernel.addDevice("iio:device0", attributes: chipAttributes(y: "-1024"))
      rig.kernel.tellUdev("add", of: chipPath)
      try program.wait(for: "AccelerometerOrientation", toBe: "normal")
      try program.catchUp()
      #expect(program.heard(of: "HasAccelerometer") == [true])
      #expect(program.heard(of: "AccelerometerOrientation").last == "normal")
      try program.call("ReleaseAccelerometer")
      #expect(try rig.client.property("SensorStatus") == "idle")
    }
  }

  @Test("a sensor that vanishes is told to who has claimed it, whose claims hold for the next one")
  func vanishes() async {
    await #expect(processExitsWith: .success) {
      let rig = try Rig(configuration: "SensorProxy=yes\n") {
        $0.addDevice("iio:device0", attributes: chipAttributes(y: "-1024"))
      }
      let program = try ProxyClient(on: rig.bus)
      try program.call("ClaimAccelerometer")
      rig.kernel.tellUdev("remove", of: chipPath)
      rig.kernel.remove(chipPath)
      try program.wait(for: "HasAccelerometer", toBe: false)
      try program.catchUp()
      #expect(
        program.heard.last == [
          "HasAccelerometer": false, "AccelerometerOrientation": "undefined",
          "AccelerometerTilt": "undefined",
        ], "\(program.heard)")
      rig.kernel.addDevice("iio:device1", attributes: chipAttributes(x: "1024", y: "0"))
      rig.kernel.tellUdev("add", of: "/sys/devices/platform/chip/iio:device1")
      try program.wait(for: "AccelerometerOrientation", toBe: "left-up")
      try program.call("ReleaseAccelerometer")
      #expect(try rig.client.property("SensorStatus") == "idle")
    }
  }

  @Test("a sensor that comes while a claim has no effect is told of afterwards")
  func arrivals() async {
    await #expect(processExitsWith: .success) {
      let bus = try PrivateBus()
      let polkit = try MockPolkit(on: bus, .allow)
      let rig = try Rig(configuration: "SensorProxy=yes\n", bus: bus)
      let reader = try ProxyClient(on: bus)
      try reader.call("ClaimAccelerometer")
      try polkit.change(to: .deny)
      try reader.wait(for: "the question") { try polkit.questions.count > 1 }
      rig.kernel.addDevice("iio:device0", attributes: chipAttributes(y: "-1024"))
      rig.kernel.tellUdev("add", of: chipPath)
      try reader.wait(for: "HasAccelerometer", toBe: true)
      try reader.catchUp()
      #expect(reader.heard(of: "HasAccelerometer").isEmpty)
      try polkit.change(to: .allow)
      try reader.wait(for: "what it has missed") { reader.heard(of: "HasAccelerometer").first == true }
      try reader.wait(for: "the reading") {
        reader.heard(of: "AccelerometerOrientation").last == "normal"
      }
    }
  }
}
