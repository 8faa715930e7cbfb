// SPDX-License-Identifier: Apache-2.0

import MockDevices
import Orientation
import Systemd
import TestSupport
import Testing

/// A tablet, a desktop that follows iio-sensor-proxy, and a polkit that a test has change its mind.
private final class SharedTablet {
  let polkit: MockPolkit
  let tablet: ProxyTablet

  var client: Client { tablet.own }
  var program: ProxyClient { tablet.program }

  init() throws {
    let bus = try PrivateBus()
    polkit = try MockPolkit(on: bus, .allow)
    tablet = try ProxyTablet(bus: bus)
  }

  func hold(_ orientation: DeviceOrientation) { tablet.tablet.hold(orientation) }

  /// Has polkit leave questions without an answer; with another change just before, about the next one it is asked a second later.
  func hang(afterAnotherChange: Bool) throws {
    guard afterAnotherChange else { return try polkit.behave(.hang) }
    try polkit.change(to: .hang)
    try client.catchUp()
  }
}

/// logind as far as it signals that another session is on the screen.
private func tellOfAnotherSession(on bus: Bus) throws {
  let signal = try bus.signal(
    path: "/org/freedesktop/login1/seat/seat0", interface: "org.freedesktop.DBus.Properties",
    member: "PropertiesChanged")
  try signal.append("org.freedesktop.login1.Seat")
  try signal.append(.array, "{sv}") { _ in }
  try signal.append(["ActiveSession"])
  try bus.send(signal)
}

@Suite("What a program goes on with, while another user is at the screen")
struct StandingPermissionTests {
  @Test("a claim has no effect: no signals, no values, no power; then it goes on with the present reading")
  func claims() throws {
    let tablet = try SharedTablet()
    try tablet.program.call("ClaimAccelerometer")
    try tablet.program.wait(for: "AccelerometerOrientation", toBe: "normal")
    try tablet.program.catchUp()
    #expect(tablet.program.heard(of: "AccelerometerOrientation") == ["normal"])
    try tablet.polkit.change(to: .deny)
    try tablet.client.wait(for: "SensorStatus", toBe: "idle")
    #expect(try tablet.program.property("AccelerometerTilt") == "undefined")
    // Somebody else has the sensor run, and turns the tablet.
    try tablet.client.begin()
    tablet.hold(.portraitUpsideDown)
    try tablet.client.wait(for: "OrientationName", toBe: "portraitUpsideDown")
    try tablet.program.catchUp()
    #expect(tablet.program.heard.count == 1)
    try tablet.client.end()
    try tablet.polkit.change(to: .allow)
    try tablet.program.wait(for: "the reading that it has missed") {
      tablet.program.heard(of: "AccelerometerOrientation").last == "bottom-up"
    }
    #expect(try tablet.client.property("SensorStatus") == "active")
    #expect(try tablet.program.property("AccelerometerTilt") == "vertical")
    tablet.hold(.portrait)
    try tablet.program.wait(for: "a change") {
      tablet.program.heard(of: "AccelerometerOrientation").last == "normal"
    }
  }

  @Test("a claim that has no effect can be released, and made again only if polkit allows it")
  func mutedClaims() throws {
    let tablet = try SharedTablet()
    try tablet.program.call("ClaimAccelerometer")
    try tablet.polkit.change(to: .deny)
    try tablet.client.wait(for: "SensorStatus", toBe: "idle")
    let error = #expect(throws: BusError.self) { try tablet.program.call("ClaimAccelerometer") }
    #expect(error?.name == BusError.Name.accessDenied)
    try tablet.polkit.behave(.allow)
    try tablet.program.call("ClaimAccelerometer")
    try tablet.client.wait(for: "SensorStatus", toBe: "active")
    try tablet.polkit.change(to: .deny)
    try tablet.client.wait(for: "SensorStatus", toBe: "idle")
    try tablet.program.call("ReleaseAccelerometer")
    let asked = try tablet.polkit.questions.count
    try tablet.polkit.change(to: .allow)
    try tablet.client.catchUp()
    #expect(try tablet.client.property("SensorStatus") == "idle")
    #expect(try tablet.polkit.questions.count == asked)
  }

  @Test("of light and proximity, only who has claimed them, and is allowed to, reads values")
  func values() throws {
    let bus = try PrivateBus()
    let polkit = try MockPolkit(on: bus, .allow)
    let rig = try Rig(configuration: "SensorProxy=yes\n", bus: bus) {
      $0.addDevice("iio:device0", attributes: lightAndProximityAttributes(proximity: "700"))
    }
    let (reader, other) = (try ProxyClient(on: bus), try ProxyClient(on: bus))
    for kind in ["Light", "Proximity"] { try reader.call("Claim\(kind)") }
    try reader.wait(for: "LightLevel", toBe: 250.0)
    try reader.wait(for: "ProximityNear", toBe: true)
    #expect(try other.property("LightLevel") == 0.0)
    #expect(try other.property("ProximityNear") == false)
    try polkit.change(to: .deny)
    try reader.wait(for: "LightLevel", toBe: 0.0)
    #expect(try reader.property("ProximityNear") == false)
    try polkit.change(to: .allow)
    try reader.wait(for: "LightLevel", toBe: 250.0)
    try reader.wait(for: "what it has missed") { reader.heard(of: "ProximityNear").count == 2 }
    withExtendedLifetime(rig) {}
  }

  @Test("a hold does not count, and counts again at its old place")
  func holds() throws {
    let tablet = try SharedTablet()
    try tablet.client.begin()
    try tablet.client.wait(for: "OrientationName", toBe: "portrait")
    let other = try Client(on: tablet.tablet.rig.bus)
    let hold = try tablet.client.hold(4)
    _ = try other.hold(8)
    try tablet.client.wait(for: "InterfaceOrientationName", toBe: "landscapeRight")
    try tablet.polkit.change(to: .deny)
    try tablet.client.wait(for: "InterfaceOrientationName", toBe: "portrait")
    #expect(try tablet.client.property("InterfaceOrientationHolds") == .holds([]))
    #expect(try tablet.client.property("EffectiveInterfaceOrientations") == 30)
    try tablet.polkit.change(to: .allow)
    try tablet.client.wait(for: "InterfaceOrientationName", toBe: "landscapeRight")
    #expect(try tablet.client.property("InterfaceOrientationHolds") != .holds([]))
    // Its number is the same.
    try tablet.polkit.change(to: .deny)
    try tablet.client.wait(for: "InterfaceOrientationName", toBe: "portrait")
    try tablet.client.release(hold)
  }

  @Test("a hold that counts again, with the claim for which the sensor runs, turns the interface once")
  func holdWithClaim() throws {
    let tablet = try SharedTablet()
    try tablet.program.call("ClaimAccelerometer")
    try tablet.program.wait(for: "AccelerometerOrientation", toBe: "normal")
    _ = try tablet.client.hold(24)
    try tablet.polkit.change(to: .deny)
    try tablet.client.wait(for: "SensorStatus", toBe: "idle")
    try tablet.client.wait(for: "InterfaceOrientationName", toBe: "portrait")
    tablet.hold(.landscapeLeft)
    try tablet.client.forget()
    try tablet.polkit.change(to: .allow)
    try tablet.client.wait(for: "InterfaceOrientationName", toBe: "landscapeRight")
    try tablet.client.catchUp()
    let turns = tablet.client.heard.compactMap { announcement in
      if case .interface(_, let name, _) = announcement { name } else { nil }
    }
    #expect(turns == ["landscapeRight"])
  }

  @Test(
    "nothing but a clear yes lets it go on",
    arguments: [.challenge, .error("org.example.No"), .malformed("a string")] as [MockPolkit.Behaviour])
  func answers(behaviour: MockPolkit.Behaviour) throws {
    let tablet = try SharedTablet()
    _ = try tablet.client.hold(8)
    try tablet.client.wait(for: "InterfaceOrientationName", toBe: "landscapeRight")
    try tablet.polkit.change(to: behaviour)
    try tablet.client.wait(for: "InterfaceOrientationName", toBe: "portrait")
    // The user is not asked.
    #expect(try tablet.polkit.questions.last?.flags == "0")
  }

  @Test("polkit is asked again when another session is on the screen, whether it says so itself or not")
  func anotherSession() throws {
    let tablet = try SharedTablet()
    let logind = try Bus.open(.address(tablet.tablet.rig.bus.address))
    try logind.requestName("org.freedesktop.login1")
    _ = try tablet.client.hold(8)
    try tablet.client.wait(for: "InterfaceOrientationName", toBe: "landscapeRight")
    try tablet.polkit.behave(.deny)
    try tellOfAnotherSession(on: logind)
    try tablet.client.wait(for: "InterfaceOrientationName", toBe: "portrait")
  }

  @Test("polkit is not asked again because of what others say")
  func forged() throws {
    let tablet = try SharedTablet()
    let other = try Bus.open(.address(tablet.tablet.rig.bus.address))
    _ = try tablet.client.hold(8)
    let asked = try tablet.polkit.questions.count
    try tellOfAnotherSession(on: other)
    _ = try other.owner(of: "org.freedesktop.DBus")
    try tablet.client.catchUp()
    #expect(try tablet.polkit.questions.count == asked)
  }

  @Test(
    "a call that was allowed before the change, and had to wait for its turn, is asked about again",
    arguments: [false, true])
  func waitingCall(afterAnotherChange: Bool) throws {
    let tablet = try SharedTablet()
    try tablet.hang(afterAnotherChange: afterAnotherChange)
    var answers = 0
    try holdLater(4, tablet.client) { answers += 1 }
    try tablet.client.wait(for: "the question") { try tablet.polkit.questions.count == 1 }
    try tablet.polkit.behave(.allow)
    try holdLater(8, tablet.client) { answers += 1 }
    try tablet.client.wait(for: "the second question") { try tablet.polkit.questions.count == 2 }
    try tablet.polkit.change(to: .deny)
    if afterAnotherChange { try tablet.client.catchUp() }
    try tablet.polkit.allowLastFirst()
    try tablet.client.wait(for: "the answers") { answers == 2 }
    if afterAnotherChange {
      #expect(try tablet.polkit.questions.count >= 4)
      #expect(try tablet.client.property("InterfaceOrientationHolds") == .holds([]))
    }
    try tablet.client.wait(for: "another question") { try tablet.polkit.questions.count >= 3 }
    try tablet.client.wait(for: "InterfaceOrientationName", toBe: "portrait")
  }

  @Test(
    "an answer that was asked for before a change is not believed, also if polkit was asked anew just before",
    arguments: [false, true])
  func outdatedAnswer(afterAnotherChange: Bool) throws {
    let tablet = try SharedTablet()
    try tablet.hang(afterAnotherChange: afterAnotherChange)
    var answers = 0
    try holdLater(8, tablet.client) { answers += 1 }
    try tablet.client.wait(for: "the question") { try tablet.polkit.questions.count == 1 }
    try tablet.polkit.change(to: .deny)
    try tablet.client.catchUp()
    try tablet.polkit.allowLastFirst()
    try tablet.client.wait(for: "the answer") { answers == 1 }
    #expect(try tablet.polkit.questions.count >= 2)
    #expect(try tablet.client.property("InterfaceOrientationHolds") == .holds([]))
  }

  @Test("an answer that is neither yes nor no is asked for again, without another signal")
  func lostAnswer() throws {
    let tablet = try SharedTablet()
    _ = try tablet.client.hold(8)
    try tablet.client.wait(for: "InterfaceOrientationName", toBe: "landscapeRight")
    try tablet.polkit.change(to: .error("org.example.No"))
    try tablet.client.wait(for: "InterfaceOrientationName", toBe: "portrait")
    // The second question after the signal, too.
    let asked = try tablet.polkit.questions.count
    try tablet.client.wait(for: "the second question") { try tablet.polkit.questions.count > asked }
    try tablet.polkit.behave(.allow)
    try tablet.client.wait(for: "InterfaceOrientationName", toBe: "landscapeRight")
  }

  @Test("a polkit that signals changes without end is not asked more than once a second")
  func storm() throws {
    let tablet = try SharedTablet()
    _ = try tablet.client.hold(8)
    let start = ContinuousClock.now
    for _ in 0..<300 { try tablet.polkit.change(to: .allow) }
    try tablet.client.catchUp()
    let seconds = Int((ContinuousClock.now - start) / .seconds(1))
    #expect(try tablet.polkit.questions.count <= 4 + 2 * seconds)
    #expect(try tablet.client.property("InterfaceOrientationName") == "landscapeRight")
  }

  private func holdLater(_ mask: UInt32, _ client: Client, _ answered: @escaping () -> Void) throws {
    let call = try client.bus.daemonCall("HoldInterfaceOrientations", of: Daemon.screenInterface)
    try call.append(InterfaceOrientationMask(rawValue: mask).names)
    try call.append("org.example.Player")
    try call.append("plays a film")
    try call.append(.array, "{sv}") { _ in }
    try client.bus.callAsync(call) { _ in answered() }.detach()
  }
}
