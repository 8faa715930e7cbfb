// SPDX-License-Identifier: Apache-2.0

import Glibc
import MockDevices
import Orientation
import Systemd
import TestSupport
import Testing

/// A tablet whose sensor programs follow by iio-sensor-proxy's interface.
final class ProxyTablet {
  let tablet: Tablet
  let program: ProxyClient

  var own: Client { tablet.client }
  var rig: Rig { tablet.rig }

  init(configuration: String = "", bus: PrivateBus? = nil) throws {
    tablet = try Tablet(configuration: "SensorProxy=yes\n\(configuration)", bus: bus)
    program = try ProxyClient(on: tablet.rig.bus)
  }

  /// Turns the tablet, and waits until the edge that is up is told.
  func turn(to orientation: DeviceOrientation, expecting edge: String) throws {
    tablet.hold(orientation)
    try program.wait(for: "AccelerometerOrientation", toBe: .text(edge))
  }
}

@Suite("iio-sensor-proxy's interface: the accelerometer")
struct SensorProxyTests {
  @Test("is not there unless it is configured")
  func off() throws {
    let rig = try Rig(sensor: "simulated")
    #expect(try rig.client.bus.owner(of: ProxyClient.name) == nil)
    let call = try rig.client.bus.methodCall(
      destination: Daemon.busName, path: ProxyClient.path, interface: ProxyClient.interface,
      member: "ClaimAccelerometer")
    let error = #expect(throws: BusError.self) { _ = try rig.client.bus.call(call) }
    #expect(error?.name == BusError.Name.unknownObject)
  }

  @Test("a claim is answered with the first reading, and told it before")
  func firstReading() throws {
    let tablet = try ProxyTablet()
    #expect(try tablet.program.property("HasAccelerometer") == true)
    #expect(try tablet.program.property("AccelerometerOrientation") == "undefined")
    #expect(try tablet.program.property("AccelerometerTilt") == "undefined")
    try tablet.program.call("ClaimAccelerometer")
    let properties = try tablet.program.properties()
    #expect(properties["AccelerometerOrientation"] == "normal")
    #expect(properties["AccelerometerTilt"] == "vertical")
    try tablet.program.catchUp()
    #expect(tablet.program.heard(of: "AccelerometerOrientation").last == "normal")
    #expect(tablet.program.heard(of: "AccelerometerTilt").last == "vertical")
  }

  @Test(
    "the sensor runs exactly while it is claimed; twice is once, and a release without a claim is nothing")
  func running() throws {
    let tablet = try ProxyTablet()
    #expect(try tablet.own.property("SensorStatus") == "idle")
    try tablet.program.call("ReleaseAccelerometer")
    try tablet.program.call("ClaimAccelerometer")
    try tablet.program.call("ClaimAccelerometer")
    try tablet.own.wait(for: "SensorStatus", toBe: "active")
    #expect(try tablet.own.property("GeneratesDeviceOrientationNotifications") == true)
    try tablet.program.call("ReleaseAccelerometer")
    #expect(try tablet.own.property("SensorStatus") == "idle")
    #expect(try tablet.program.property("AccelerometerOrientation") == "normal")
    try tablet.program.call("ClaimAccelerometer")
    try tablet.own.begin()
    try tablet.program.call("ReleaseAccelerometer")
    #expect(try tablet.own.property("SensorStatus") == "active")
    try tablet.own.end()
    #expect(try tablet.own.property("SensorStatus") == "idle")
  }

  @Test("who leaves the bus has released")
  func leaving() throws {
    let tablet = try ProxyTablet()
    do {
      let other = try ProxyClient(on: tablet.rig.bus)
      try other.call("ClaimAccelerometer")
      try tablet.own.wait(for: "SensorStatus", toBe: "active")
    }
    try tablet.own.wait(for: "SensorStatus", toBe: "idle")
  }

  @Test("each pose has its word; only who has claimed hears of it, everybody may read it")
  func poses() throws {
    let tablet = try ProxyTablet()
    let other = try ProxyClient(on: tablet.rig.bus)
    try tablet.program.call("ClaimAccelerometer")
    try tablet.program.wait(for: "AccelerometerOrientation", toBe: "normal")
    for (orientation, edge) in [
      (.landscapeLeft, "right-up"), (.portraitUpsideDown, "bottom-up"), (.landscapeRight, "left-up"),
    ] as [(DeviceOrientation, String)] {
      try tablet.turn(to: orientation, expecting: edge)
      try tablet.program.wait(for: "word of \(edge)") {
        tablet.program.heard(of: "AccelerometerOrientation").last == .text(edge)
      }
      #expect(try other.property("AccelerometerOrientation") == .text(edge))
    }
    #expect(
      tablet.program.heard(of: "AccelerometerOrientation") == ["normal", "right-up", "bottom-up", "left-up"])
    try other.catchUp()
    #expect(other.heard.isEmpty)
    try tablet.program.call("ReleaseAccelerometer")
    let count = tablet.program.heard.count
    try tablet.own.begin()
    try tablet.turn(to: .portrait, expecting: "normal")
    try tablet.program.catchUp()
    #expect(tablet.program.heard.count == count)
  }

  @Test("who claims later is told what holds before the answer")
  func later() throws {
    let tablet = try ProxyTablet()
    try tablet.program.call("ClaimAccelerometer")
    try tablet.turn(to: .landscapeLeft, expecting: "right-up")
    let other = try ProxyClient(on: tablet.rig.bus)
    try other.call("ClaimAccelerometer")
    try other.catchUp()
    #expect(other.heard == [["AccelerometerOrientation": "right-up", "AccelerometerTilt": "vertical"]])
  }

  @Test("who has not claimed the accelerometer reads its edge, and not how it leans")
  func bystander() throws {
    let tablet = try ProxyTablet()
    try tablet.program.call("ClaimAccelerometer")
    try tablet.turn(to: .landscapeLeft, expecting: "right-up")
    try tablet.program.wait(for: "AccelerometerTilt", toBe: "vertical")
    let other = try ProxyClient(on: tablet.rig.bus)
    #expect(try other.property("AccelerometerOrientation") == "right-up")
    #expect(try other.property("AccelerometerTilt") == "undefined")
    try other.call("ClaimAccelerometer")
    #expect(try other.property("AccelerometerTilt") == "vertical")
  }

  @Test("flat keeps the edge that was up last, and changes the tilt")
  func flat() throws {
    let tablet = try ProxyTablet()
    try tablet.program.call("ClaimAccelerometer")
    try tablet.turn(to: .landscapeRight, expecting: "left-up")
    for (orientation, tilt) in [(.faceUp, "face-up"), (.faceDown, "face-down")]
      as [(DeviceOrientation, String)]
    {
      tablet.tablet.hold(orientation)
      try tablet.program.wait(for: "AccelerometerTilt", toBe: .text(tilt))
      try tablet.own.wait(for: "OrientationName", toBe: .text(orientation.name))
      #expect(try tablet.program.property("AccelerometerOrientation") == "left-up")
    }
  }

  @Test("a tilt that is there at rest is known to who claims then")
  func tiltAtRest() throws {
    let tablet = try ProxyTablet()
    try tablet.own.begin()
    try tablet.own.wait(for: "OrientationName", toBe: "portrait")
    tablet.tablet.hold(.faceUp)
    try tablet.own.wait(for: "OrientationName", toBe: "faceUp")
    // Until the sensor rests, and says no more.
    try tablet.own.spend(seconds: 3)
    try tablet.program.call("ClaimAccelerometer")
    #expect(try tablet.program.property("AccelerometerTilt") == "face-up")
    #expect(try tablet.program.property("AccelerometerOrientation") == "normal")
  }

  @Test("the tilt of a sensor that starts while rotation is locked is known, too")
  func tiltUnderLock() throws {
    let tablet = try ProxyTablet()
    try tablet.own.begin()
    try tablet.own.wait(for: "OrientationName", toBe: "portrait")
    try tablet.own.lock()
    try tablet.own.end()
    try tablet.own.wait(for: "SensorStatus", toBe: "idle")
    try tablet.program.call("ClaimAccelerometer")
    try tablet.program.wait(for: "AccelerometerTilt", toBe: "vertical")
  }

  @Test("the rotation lock holds the edge, not the tilt; unlocked, it is where the tablet is now")
  func locked() throws {
    let tablet = try ProxyTablet()
    try tablet.program.call("ClaimAccelerometer")
    try tablet.own.lock()
    try tablet.tablet.turnUnheard(to: .landscapeLeft)
    #expect(try tablet.program.property("AccelerometerOrientation") == "normal")
    try tablet.tablet.turnUnheard(to: .faceUp)
    #expect(try tablet.program.property("AccelerometerOrientation") == "normal")
    try tablet.program.wait(for: "AccelerometerTilt", toBe: "face-up")
    try tablet.tablet.turnUnheard(to: .landscapeRight)
    try tablet.own.lock(false)
    try tablet.program.wait(for: "AccelerometerOrientation", toBe: "left-up")
    try tablet.program.catchUp()
    #expect(tablet.program.heard(of: "AccelerometerOrientation") == ["normal", "left-up"])
  }

  @Test("the edge is the interface's: turned by hand, held by an app, and kept to what is supported")
  func interface() throws {
    let tablet = try ProxyTablet()
    try tablet.program.call("ClaimAccelerometer")
    try tablet.program.wait(for: "AccelerometerOrientation", toBe: "normal")
    try tablet.own.rotate(to: InterfaceOrientation.landscapeLeft.rawValue)
    try tablet.program.wait(for: "AccelerometerOrientation", toBe: "left-up")
    let hold = try tablet.own.hold(InterfaceOrientationMask.portraitUpsideDown.rawValue)
    try tablet.program.wait(for: "AccelerometerOrientation", toBe: "bottom-up")
    try tablet.own.release(hold)
    try tablet.program.wait(for: "AccelerometerOrientation", toBe: "left-up")
    try tablet.own.support(InterfaceOrientationMask.portrait.rawValue)
    try tablet.program.wait(for: "AccelerometerOrientation", toBe: "normal")
    try tablet.tablet.turn(to: .landscapeLeft)
    try tablet.program.catchUp()
    #expect(
      tablet.program.heard(of: "AccelerometerOrientation")
        == ["normal", "left-up", "bottom-up", "left-up", "normal"])
  }

  @Test("a tablet that lies flat from the start has no edge before it is picked up or turned by hand")
  func flatAndUndecided() throws {
    let tablet = try ProxyTablet()
    tablet.tablet.hold(.faceUp)
    try tablet.program.call("ClaimAccelerometer")
    try tablet.program.wait(for: "AccelerometerTilt", toBe: "face-up")
    #expect(try tablet.program.property("AccelerometerOrientation") == "undefined")
    try tablet.own.rotate(to: InterfaceOrientation.landscapeLeft.rawValue)
    try tablet.program.wait(for: "AccelerometerOrientation", toBe: "left-up")
  }

  @Test("a tablet that lies flat from the start shows its interface at the edge where it was left")
  func flatFromTheStart() throws {
    let tablet = try ProxyTablet(configuration: "InitialInterfaceOrientation=landscapeLeft\n")
    tablet.tablet.hold(.faceUp)
    try tablet.program.call("ClaimAccelerometer")
    try tablet.program.wait(for: "AccelerometerTilt", toBe: "face-up")
    #expect(try tablet.program.property("AccelerometerOrientation") == "left-up")
  }

  @Test(
    "the words are the panel's, whatever its natural orientation", arguments: NaturalOrientation.allCases)
  func natural(orientation: NaturalOrientation) throws {
    let tablet = try ProxyTablet(configuration: "NaturalOrientation=\(orientation.rawValue)\n")
    try tablet.program.call("ClaimAccelerometer")
    // What Tablet calls portrait, and so on, is the panel's. A claim waits 0.5 s for that, and a slow machine may need longer.
    try tablet.program.wait(for: "AccelerometerOrientation", toBe: "normal")
    try tablet.turn(to: .landscapeLeft, expecting: "right-up")
    try tablet.turn(to: .landscapeRight, expecting: "left-up")
    try tablet.turn(to: .portraitUpsideDown, expecting: "bottom-up")
  }

  @Test("of a silent sensor, a claim is answered without a reading, which is told when it comes")
  func silent() throws {
    let slow = DriverFault(.read, "iio:device0/in_accel_y_raw", .takes(milliseconds: 7000))
    let tablet = try FaultyTablet(.chip, configuration: "SensorProxy=yes\n", [slow])
    let program = try ProxyClient(on: tablet.rig.bus)
    try program.call("ClaimAccelerometer")
    #expect(try program.property("HasAccelerometer") == true)
    #expect(try program.property("AccelerometerOrientation") == "undefined")
    #expect(program.heard.isEmpty)
    tablet.faults.set([])
    try program.wait(for: "AccelerometerOrientation", toBe: "normal")
  }

  @Test("of a sensor that fails nothing is known, but the edge that the rotation lock holds")
  func fails() throws {
    let tablet = try FaultyTablet(.chip, configuration: "SensorProxy=yes\n")
    let program = try ProxyClient(on: tablet.rig.bus)
    try program.call("ClaimAccelerometer")
    tablet.faults.set([DriverFault(.read, "in_accel_y_raw", .fails(EIO))])
    try program.wait(for: "AccelerometerOrientation", toBe: "undefined")
    #expect(try program.property("AccelerometerTilt") == "undefined")
    #expect(try program.property("HasAccelerometer") == true)
    tablet.faults.set([])
    try program.wait(for: "AccelerometerOrientation", toBe: "normal")
    try tablet.client.lock()
    tablet.faults.set([DriverFault(.read, "in_accel_y_raw", .fails(EIO))])
    try program.wait(for: "AccelerometerTilt", toBe: "undefined")
    #expect(try program.property("AccelerometerOrientation") == "normal")
  }

  @Test("a release while the answer of the claim waits answers both")
  func releasedBeforeReading() throws {
    let slow = DriverFault(.read, "iio:device0/in_accel_y_raw", .takes(milliseconds: 7000))
    let tablet = try FaultyTablet(.chip, configuration: "SensorProxy=yes\n", [slow])
    let program = try ProxyClient(on: tablet.rig.bus)
    var answers: [String] = []
    try program.callLater("ClaimAccelerometer") { answers.append("claim \($0)") }
    try program.callLater("ReleaseAccelerometer") { answers.append("release \($0)") }
    try program.wait(for: "both answers") { answers.count == 2 }
    #expect(answers == ["claim ", "release "])
    #expect(try tablet.client.property("GeneratesDeviceOrientationNotifications") == false)
  }
}
