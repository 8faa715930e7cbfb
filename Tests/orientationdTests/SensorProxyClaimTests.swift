// SPDX-License-Identifier: Apache-2.0

import Orientation
import Systemd
import TestSupport
import Testing

@Suite("iio-sensor-proxy's interface: who may claim, and whose the name is")
struct SensorProxyClaimTests {
  @Test("polkit is asked about the caller and iio-sensor-proxy's action, once a claim")
  func asks() throws {
    let bus = try PrivateBus()
    let polkit = try MockPolkit(on: bus, .allow)
    let tablet = try ProxyTablet(bus: bus)
    for method in ["ClaimAccelerometer", "ClaimAccelerometer", "ReleaseAccelerometer", "ClaimCompass"] {
      try tablet.program.call(method)
    }
    let questions = try polkit.questions
    #expect(questions.map { $0.action } == Array(repeating: "net.hadess.SensorProxy.claim-sensor", count: 2))
    #expect(questions.first?.subjectName == (try tablet.program.bus.uniqueName))
  }

  @Test("denied, a claim fails with the error that iio-sensor-proxy has, and no sensor runs")
  func denied() throws {
    let bus = try PrivateBus()
    let polkit = try MockPolkit(on: bus, .deny)
    let tablet = try ProxyTablet(bus: bus)
    for kind in ["Accelerometer", "Light", "Proximity", "Compass"] {
      let error = #expect(throws: BusError.self) { try tablet.program.call("Claim\(kind)") }
      #expect(error?.name == BusError.Name.accessDenied)
      try tablet.program.call("Release\(kind)")
    }
    #expect(try tablet.own.property("SensorStatus") == "idle")
    withExtendedLifetime(polkit) {}
  }

  @Test("polkit that hangs delays nobody else; a release does not overtake the claim that waits for it")
  func hangs() throws {
    let bus = try PrivateBus()
    let polkit = try MockPolkit(on: bus, .hang)
    let tablet = try ProxyTablet(bus: bus)
    var answers: [String] = []
    try tablet.program.callLater("ClaimAccelerometer") { answers.append("claim \($0)") }
    try tablet.program.callLater("ReleaseAccelerometer") { answers.append("release \($0)") }
    try tablet.program.wait(for: "the question") { try polkit.questions.count == 1 }
    #expect(try tablet.own.getOrientation() == .portrait)
    #expect(answers.isEmpty)
    try polkit.allowLastFirst()
    try tablet.program.wait(for: "the answers") { answers.count == 2 }
    #expect(answers == ["claim ", "release "])
    // Everybody may release.
    #expect(try polkit.questions.count == 1)
    #expect(try tablet.own.property("SensorStatus") == "idle")
  }

  @Test("what there is no sensor of is truthfully absent, and can be claimed all the same")
  func otherKinds() throws {
    let tablet = try ProxyTablet()
    for kind in ["Light", "Proximity", "Compass"] {
      try tablet.program.call("Claim\(kind)")
      try tablet.program.call("Release\(kind)")
    }
    let properties = try tablet.program.properties()
    let expected: [String: Value] = [
      "HasAmbientLight": false, "LightLevelUnit": "lux", "LightLevel": 0.0, "HasProximity": false,
      "ProximityNear": false, "HasCompass": false, "CompassHeading": -1.0,
    ]
    for (name, value) in expected { #expect(properties[name] == value, "\(name)") }
    #expect(properties.count == expected.count + 3)
    #expect(tablet.program.heard.isEmpty)
  }

  @Test("a user's programs can claim as often as the configuration has it, a kind each for itself")
  func limits() throws {
    let tablet = try ProxyTablet(configuration: "MaxClientsPerUser=2\n")
    let others = try (0..<2).map { _ in try ProxyClient(on: tablet.rig.bus) }
    for other in others { try other.call("ClaimAccelerometer") }
    let error = #expect(throws: BusError.self) { try tablet.program.call("ClaimAccelerometer") }
    #expect(error?.name == "org.freedesktop.DBus.Error.LimitsExceeded")
    try tablet.program.call("ClaimLight")
    try others[0].call("ReleaseAccelerometer")
    try tablet.program.call("ClaimAccelerometer")
  }

  @Test("a client that claims and releases without end is refused in the end")
  func budget() throws {
    let tablet = try ProxyTablet()
    var refusal: String?
    for _ in 0..<400 where refusal == nil {
      refusal = tablet.own.refusal { () throws(BusError) in
        try tablet.program.call("ClaimLight")
        try tablet.program.call("ReleaseLight")
      }
    }
    #expect(refusal == "org.freedesktop.DBus.Error.LimitsExceeded")
  }

  @Test("the name stays with who has it, which is logged once, and is ours when that ends")
  func takenName() throws {
    let bus = try PrivateBus()
    let other = try Bus.open(.address(bus.address))
    try other.requestName(ProxyClient.name)
    let tablet = try ProxyTablet(bus: bus)
    try tablet.rig.waitForLog("another program owns the bus name net.hadess.SensorProxy")
    #expect(try tablet.own.bus.owner(of: ProxyClient.name) == (try other.uniqueName))
    try tablet.own.begin()
    other.close()
    try tablet.rig.waitForLog("the bus name net.hadess.SensorProxy has become free")
    try tablet.program.call("ClaimAccelerometer")
    #expect(tablet.rig.log.filter { $0.contains("net.hadess.SensorProxy") }.count == 2)
  }

  @Test("a bus that refuses the name is told of once, and the daemon serves its own interfaces")
  func refusedName() throws {
    let bus = try PrivateBus(.only(Daemon.busName))
    let rig = try Rig(sensor: "simulated", configuration: "SensorProxy=yes\n", bus: bus)
    try rig.waitForLog("SensorProxy=yes cannot be served")
    #expect(try rig.client.getOrientation() != nil)
  }
}
