// SPDX-License-Identifier: Apache-2.0

import CFaults
import CLinux
import IIO
import MockDevices
import Orientation
import Systemd
import Testing

@testable import OrientationService

@Suite("Light sensor, proximity sensor and compass")
struct AmbientSensorsTests {
  init() { useMockKernel() }

  @Test("are told of once found; none runs before it is claimed")
  func found() async {
    await #expect(processExitsWith: .success) {
      let rig = try AmbientRig([lightAndProximityAttributes(), compassHubAttributes()])
      expectSame(rig.takeTold(), [.light, .proximity, .compass])
      expectSame(rig.sensors.light, .idle)
      expectSame(rig.sensors.proximity, .idle)
      expectSame(rig.sensors.compass, .idle)
      expectSame(rig.sensors.sensor(.light)?.name, "vcnl4000 (iio:device0)")
      rig.wait("no thread is left") { sensorThreads() == 0 }
      expectSame(rig.kernel.attribute("buffer/enable", of: AmbientRig.path(1)), "0")
    }
  }

  @Test("are absent on a machine that has none, and a claim waits for one")
  func absent() async {
    await #expect(processExitsWith: .success) {
      let rig = try AmbientRig([chipAttributes()])
      expectSame(rig.takeTold(), [])
      rig.sensors.claim(.light)
      expectSame(rig.sensors.light, .absent)
      rig.add(1, ["name": "acpi-als", "in_illuminance_input": "42", "in_illuminance_raw": "42"])
      rig.sensors.lookAgain()
      rig.wait("the light is known") { rig.sensors.light == .active(.illuminance(lux: 42)) }
      expectSame(rig.sensors.proximity, .absent)
    }
  }

  @Test("claimed, one says what it reads, and after that what has changed")
  func changes() async {
    await #expect(processExitsWith: .success) {
      let rig = try AmbientRig([lightAndProximityAttributes(light: "1000", proximity: "100")])
      _ = rig.takeTold()
      rig.sensors.claim(.light)
      expectSame(rig.sensors.light, .starting)
      rig.wait("the light is known") { rig.sensors.light == .active(.illuminance(lux: 250)) }
      rig.kernel.set("in_illuminance_raw", of: AmbientRig.path(0), to: "1010")
      rig.run(seconds: 1.2)
      expectSame(rig.takeTold(), [.light, .light])
      rig.kernel.set("in_illuminance_raw", of: AmbientRig.path(0), to: "2000")
      rig.wait("the light has changed") { rig.sensors.light == .active(.illuminance(lux: 500)) }
      expectSame(rig.takeTold(), [.light])
      expectSame(rig.sensors.proximity, .idle)
    }
  }

  @Test("all three run beside each other")
  func together() async {
    await #expect(processExitsWith: .success) {
      let rig = try AmbientRig([lightAndProximityAttributes(), compassHubAttributes()])
      for kind in AmbientSensors.kinds { rig.sensors.claim(kind) }
      rig.wait("the hub has a reader") {
        rig.kernel.attribute("buffer/enable", of: AmbientRig.path(1)) == "1"
      }
      rig.kernel.deliver(compassHubScan(magnetic: 900), to: "iio:device1")
      let east = try CompassHeading.at(90)
      rig.wait("all is known") {
        rig.sensors.light == .active(.illuminance(lux: 250)) && rig.sensors.proximity == .active(.far)
          && rig.sensors.compass == .active(east)
      }
      rig.kernel.set("in_proximity_raw", of: AmbientRig.path(0), to: "600")
      rig.kernel.deliver(compassHubScan(magnetic: -900), to: "iio:device1")
      let west = try CompassHeading.at(270)
      rig.wait("all has changed") {
        rig.sensors.proximity == .active(.near) && rig.sensors.compass == .active(west)
      }
      #expect(rig.end(withinSeconds: 5))
      expectSame(rig.kernel.attribute("buffer/enable", of: AmbientRig.path(1)), "0")
    }
  }

  @Test(
    "released, one leaves no thread, no descriptor and no buffer; claimed again, it says its reading again")
  func release() async {
    await #expect(processExitsWith: .success) {
      let rig = try AmbientRig([lightHubAttributes()])
      rig.wait("the look has ended") { sensorThreads() == 0 }
      for round in 1...3 {
        rig.sensors.claim(.light)
        rig.wait("the hub has a reader") {
          rig.kernel.attribute("buffer/enable", of: AmbientRig.path(0)) == "1"
        }
        expectSame(sensorThreads(), 1)
        rig.kernel.deliver(lightHubScan(70), to: "iio:device0")
        rig.wait("the light is known") { rig.sensors.light == .active(.illuminance(lux: 7)) }
        rig.sensors.release(.light)
        expectSame(rig.sensors.light, .idle)
        rig.wait("it is released") { rig.sensors.isReleased }
        expectSame(rig.releases, round)
        expectSame(rig.kernel.attribute("buffer/enable", of: AmbientRig.path(0)), "0")
        rig.wait("the thread has ended") { sensorThreads() == 0 }
        expectSame(rig.descriptor(of: "in_illuminance_raw"), nil)
      }
    }
  }

  @Test("released and claimed in a hurry, one has one thread at a time, and works in the end")
  func hurry() async {
    await #expect(processExitsWith: .success) {
      let rig = try AmbientRig([lightAndProximityAttributes()])
      for _ in 1...200 {
        rig.sensors.claim(.light)
        rig.sensors.release(.light)
        #expect(sensorThreads() <= 2)  // the look for sensors is one
        _ = try rig.loop.runOnce(timeoutSeconds: 0)
      }
      rig.sensors.claim(.light)
      rig.wait("the light is known") { rig.sensors.light == .active(.illuminance(lux: 250)) }
      for _ in 1...50 {
        rig.sensors.release(.light)
        rig.wait("it is released") { rig.sensors.isReleased }
        rig.sensors.claim(.light)
      }
      // A thread has three, and the test library some.
      #expect(eventCount() < 50)
    }
  }

  @Test("one that is unplugged is absent; another takes its place, and the claim holds")
  func hotplug() async {
    await #expect(processExitsWith: .success) {
      let rig = try AmbientRig([["name": "a", "in_illuminance_input": "10"]])
      rig.sensors.claim(.light)
      rig.wait("the light is known") { rig.sensors.light == .active(.illuminance(lux: 10)) }
      rig.kernel.remove(AmbientRig.path(0))
      rig.sensors.lookAgain()
      rig.wait("it is gone") { rig.sensors.light == .absent }
      rig.wait("it is let go of") { rig.sensors.isReleased }
      rig.add(1, ["name": "b", "in_illuminance_input": "20"])
      rig.sensors.lookAgain()
      rig.wait("the other one is used") { rig.sensors.light == .active(.illuminance(lux: 20)) }
    }
  }

  @Test("one that is preferred takes over while another runs; one that is not changes nothing")
  func takeover() async {
    await #expect(processExitsWith: .success) {
      let rig = try AmbientRig([[:], ["name": "b", "in_illuminance_input": "10"]])
      rig.sensors.claim(.light)
      rig.wait("the light is known") { rig.sensors.light == .active(.illuminance(lux: 10)) }
      _ = rig.takeTold()
      rig.add(2, ["name": "c", "in_illuminance_input": "20"])
      rig.sensors.lookAgain()
      rig.run(seconds: 0.5)
      expectSame(rig.takeTold(), [])
      rig.add(3, ["name": "d", "in_illuminance_input": "30", "location": "lid"])
      rig.sensors.lookAgain()
      rig.wait("the display's own is used") { rig.sensors.light == .active(.illuminance(lux: 30)) }
    }
  }

  @Test("one whose buffer gives nothing is polled")
  func fallback() async {
    await #expect(processExitsWith: .success) {
      let rig = try AmbientRig([lightHubAttributes("1234")])
      rig.sensors.claim(.light)
      rig.wait("the light is known") { rig.sensors.light == .active(.illuminance(lux: 123.4)) }
      expectSame(rig.kernel.attribute("buffer/enable", of: AmbientRig.path(0)), "0")
      rig.kernel.set("in_illuminance_raw", of: AmbientRig.path(0), to: "2000")
      rig.wait("the light has changed") { rig.sensors.light == .active(.illuminance(lux: 200)) }
    }
  }

  @Test("one that cannot be read has failed, and is tried again")
  func failure() async {
    await #expect(processExitsWith: .success) {
      let rig = try AmbientRig([lightAndProximityAttributes(light: "dark")])
      rig.sensors.claim(.light)
      rig.wait("it has failed") { rig.sensors.light == .failed }
      rig.kernel.set("in_illuminance_raw", of: AmbientRig.path(0), to: "40")
      rig.wait("it works") { rig.sensors.light == .active(.illuminance(lux: 10)) }
      // The other kind of the same device has nothing to do with it.
      rig.sensors.claim(.proximity)
      rig.wait("the proximity is known") { rig.sensors.proximity == .active(.far) }
    }
  }

  @Test("before sleep they are let go of, and what they said holds until they say more")
  func sleep() async {
    await #expect(processExitsWith: .success) {
      let rig = try AmbientRig([lightAndProximityAttributes()])
      rig.sensors.claim(.light)
      rig.wait("the light is known") { rig.sensors.light == .active(.illuminance(lux: 250)) }
      #expect(!rig.sensors.isReleased)
      rig.sensors.machine(is: .asleep)
      rig.wait("it is let go of") { rig.sensors.isReleased }
      expectSame(rig.releases, 1)
      rig.kernel.set("in_illuminance_raw", of: AmbientRig.path(0), to: "4")
      rig.run(seconds: 0.7)
      expectSame(rig.sensors.light, .active(.illuminance(lux: 250)))
      // A claim waits for the end of the sleep.
      rig.sensors.claim(.proximity)
      expectSame(rig.sensors.proximity, .starting)
      #expect(rig.sensors.isReleased)
      rig.sensors.machine(is: .awake)
      rig.wait("all is known") {
        rig.sensors.light == .active(.illuminance(lux: 1)) && rig.sensors.proximity == .active(.far)
      }
    }
  }

  @Test("a sleep that nobody told of has them opened anew")
  func unannouncedSleep() async {
    await #expect(processExitsWith: .success) {
      let rig = try AmbientRig([lightHubAttributes()])
      rig.sensors.claim(.light)
      rig.wait("the hub has a reader") {
        rig.kernel.attribute("buffer/enable", of: AmbientRig.path(0)) == "1"
      }
      rig.kernel.deliver(lightHubScan(70), to: "iio:device0")
      rig.wait("the light is known") { rig.sensors.light == .active(.illuminance(lux: 7)) }
      rig.kernel.set("buffer/enable", of: AmbientRig.path(0), to: "0")
      rig.sensors.machine(is: .awake)
      rig.wait("the hub has a reader again") {
        rig.kernel.attribute("buffer/enable", of: AmbientRig.path(0)) == "1"
      }
    }
  }

  @Test(
    "a driver that hangs shows, costs one thread whatever is claimed, and does not keep the process from its end"
  )
  func hang() async {
    await #expect(processExitsWith: .success) {
      let rig = try AmbientRig([lightAndProximityAttributes()])
      rig.sensors.claim(.light)
      rig.sensors.claim(.proximity)
      rig.wait("the light is known") { rig.sensors.light == .active(.illuminance(lux: 250)) }
      faults_set_hang(try #require(rig.descriptor(of: "in_illuminance_raw")))
      rig.wait("it shows") { rig.sensors.light == .failed }
      expectSame(rig.sensors.proximity, .active(.far))
      for _ in 1...20 {
        rig.sensors.release(.light)
        rig.sensors.claim(.light)
        _ = try rig.loop.runOnce(timeoutSeconds: 0)
      }
      expectSame(sensorThreads(), 2)
      #expect(!rig.sensors.isReleased)
      let start = BootTime.now
      #expect(!rig.end(withinSeconds: 0.5))
      #expect(BootTime.now.seconds(since: start) < 2)
    }
  }

  @Test("a driver that hung and is back is of use again, also where nothing has changed meanwhile")
  func back() async {
    await #expect(processExitsWith: .success) {
      let rig = try AmbientRig([lightAndProximityAttributes()])
      rig.sensors.claim(.light)
      rig.wait("the light is known") { rig.sensors.light == .active(.illuminance(lux: 250)) }
      faults_set_hang(try #require(rig.descriptor(of: "in_illuminance_raw")))
      rig.wait("it shows") { rig.sensors.light == .failed }
      faults_set_hang(-1)
      rig.wait("it is back") { rig.sensors.light == .active(.illuminance(lux: 250)) }
    }
  }
}
