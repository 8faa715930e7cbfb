// SPDX-License-Identifier: Apache-2.0

import MockDevices
import Orientation
import Systemd
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
}
