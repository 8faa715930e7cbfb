// SPDX-License-Identifier: Apache-2.0

import Orientation
import Systemd
import TestSupport
import Testing

@Suite("Who turns the screen")
struct FollowerTests {
  private func say(_ method: String, _ client: Client) throws(BusError) {
    _ = try client.call(method, of: Daemon.screenInterface)
  }

  private func followers(_ names: String...) -> Value { .texts(names) }

  @Test(
    "a client that says so is among those that do, once, until it says no or leaves; each change is announced"
  )
  func registers() throws {
    let rig = try Rig(sensor: "simulated")
    #expect(try rig.client.property("Followers") == followers())
    let (desktop, other) = (try Client(on: rig.bus), try Client(on: rig.bus))
    let (first, second) = (try desktop.bus.uniqueName, try other.bus.uniqueName)
    try rig.client.forget()
    for _ in 1...2 { try say("BeginFollowing", desktop) }
    try say("BeginFollowing", other)
    #expect(try rig.client.property("Followers") == followers(first, second))
    try say("EndFollowing", desktop)
    try say("EndFollowing", desktop)
    other.bus.close()
    try rig.client.wait(for: "Followers", toBe: followers())
    try rig.client.catchUp()
    let told = rig.client.heard.filter { if case .screenChanged = $0 { true } else { false } }
    #expect(
      told == [
        .screenChanged(["Followers": followers(first)]),
        .screenChanged(["Followers": followers(first, second)]),
        .screenChanged(["Followers": followers(second)]), .screenChanged(["Followers": followers()]),
      ])
  }

  @Test("has the sensor run by that, and knows whether the interface's orientation is decided")
  func runs() throws {
    let tablet = try Tablet()
    #expect(try tablet.client.property("InterfaceOrientationIsDecided") == false)
    try say("BeginFollowing", tablet.client)
    try tablet.client.wait(for: "OrientationName", toBe: "portrait")
    #expect(try tablet.client.property("InterfaceOrientationIsDecided") == true)
    try tablet.client.catchUp()
    #expect(tablet.client.heardOfDecision == [true])
    try say("EndFollowing", tablet.client)
    try tablet.client.wait(for: "SensorStatus", toBe: "idle")
    #expect(try tablet.client.property("InterfaceOrientationIsDecided") == true)
  }

  @Test("a desktop that has claimed the accelerometer does, but not one that reads the light")
  func claims() throws {
    let tablet = try ProxyTablet()
    try tablet.program.call("ClaimLight")
    #expect(try tablet.own.property("Followers") == followers())
    try tablet.program.call("ClaimAccelerometer")
    #expect(try tablet.own.property("Followers") == followers(tablet.program.bus.uniqueName))
    try tablet.program.call("ReleaseAccelerometer")
    #expect(try tablet.own.property("Followers") == followers())
    #expect(try tablet.own.property("OtherSensorProxy") == .text(""))
  }

  @Test("who may not rotate the screen is refused; who may not any more is left out until it may again")
  func permissions() throws {
    let bus = try PrivateBus()
    let polkit = try MockPolkit(on: bus, .deny)
    let tablet = try ProxyTablet(bus: bus)
    let client = tablet.own
    let error = #expect(throws: BusError.self) { try say("BeginFollowing", client) }
    #expect(error?.name == "org.freedesktop.DBus.Error.AccessDenied")
    try polkit.behave(.allow)
    try say("BeginFollowing", client)
    try tablet.program.call("ClaimAccelerometer")
    let both = followers(try tablet.program.bus.uniqueName, try client.bus.uniqueName)
    #expect(try client.property("Followers") == both)
    try polkit.change(to: .deny)
    try client.wait(for: "Followers", toBe: followers())
    try polkit.change(to: .allow)
    try client.wait(for: "Followers", toBe: both)
  }

  @Test("who follows already needs no permission to say so again, but who is left out does")
  func repeats() throws {
    let bus = try PrivateBus()
    let polkit = try MockPolkit(on: bus, .allow)
    let rig = try Rig(sensor: "simulated", bus: bus)
    try say("BeginFollowing", rig.client)
    try polkit.behave(.deny)
    try say("BeginFollowing", rig.client)
    #expect(try polkit.questions.count == 1)
    try polkit.change(to: .deny)
    try rig.client.wait(for: "Followers", toBe: followers())
    let error = #expect(throws: BusError.self) { try say("BeginFollowing", rig.client) }
    #expect(error?.name == "org.freedesktop.DBus.Error.AccessDenied")
  }

  @Test("what a client says while an earlier call of it waits for polkit counts in its order")
  func order() throws {
    let bus = try PrivateBus()
    let polkit = try MockPolkit(on: bus, .allow)
    let rig = try Rig(sensor: "simulated", bus: bus)
    let client = rig.client
    try say("BeginFollowing", client)
    try polkit.behave(.hang)
    var answered = 0
    for method in ["Rotate", "EndFollowing", "BeginFollowing"] {
      let call = try client.bus.daemonCall(method, of: Daemon.screenInterface)
      if method == "Rotate" { try call.append(UInt32(2)) }
      try client.bus.callAsync(call) { _ in answered += 1 }.detach()
    }
    try client.wait(for: "a question to polkit") { try polkit.questions.count > 1 }
    try client.catchUp()
    #expect(answered == 0)
    try polkit.behave(.allow)
    try polkit.allowLastFirst()
    try client.wait(for: "the answers") { answered == 3 }
    #expect(try client.property("Followers") == followers(client.bus.uniqueName))
    #expect(try polkit.questions.count == 3)
  }

  @Test("another program that serves iio-sensor-proxy's interface is named, as long as it does")
  func otherProxy() throws {
    let rig = try Rig(sensor: "simulated")
    #expect(try rig.client.property("OtherSensorProxy") == .text(""))
    let proxy = try Bus.open(.address(rig.bus.address))
    try proxy.requestName(ProxyClient.name)
    try rig.client.wait(for: "OtherSensorProxy", toBe: .text(proxy.uniqueName))
    proxy.close()
    try rig.client.wait(for: "OtherSensorProxy", toBe: .text(""))
  }
}
