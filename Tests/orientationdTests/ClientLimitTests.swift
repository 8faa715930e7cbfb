// SPDX-License-Identifier: Apache-2.0

import Foundation
import MockDevices
import Orientation
import Systemd
import TestSupport
import Testing

private let limitsExceeded = "org.freedesktop.DBus.Error.LimitsExceeded"

@Suite("The limits of clients")
struct ClientLimitTests {
  @Test("the 64th Begin of a client is granted, the 65th refused; one End makes room for one")
  func begins() throws {
    let rig = try Rig(sensor: "simulated")
    for _ in 0..<64 { try rig.client.begin() }
    #expect(rig.client.refusal { () throws(BusError) in try rig.client.begin() } == limitsExceeded)
    try rig.client.end()
    try rig.client.begin()
    #expect(rig.client.refusal { () throws(BusError) in try rig.client.begin() } == limitsExceeded)
    for _ in 0..<64 { try rig.client.end() }
    #expect(try rig.client.property("GeneratesDeviceOrientationNotifications") == false)
  }

  @Test("the 64th client of a user is granted, the 65th refused; one End makes room for one")
  func clientsOfUser() throws {
    let rig = try Rig(sensor: "simulated")
    let clients = try (0..<64).map { _ in try BegunClient(on: rig.bus) }
    #expect(rig.client.refusal { () throws(BusError) in try rig.client.begin() } == limitsExceeded)
    try clients[7].end()
    try rig.client.begin()
    let error = #expect(throws: BusError.self) { try clients[7].begin() }
    #expect(error?.message.contains("64 clients of this user") == true)
  }

  @Test("the 256th client of all is granted, the 257th refused; one that leaves makes room for one")
  func clients() throws {
    let rig = try Rig(sensor: "simulated", configuration: "MaxClientsPerUser=4096\n")
    var clients = try (0..<256).map { _ in try BegunClient(on: rig.bus) }
    #expect(rig.client.refusal { () throws(BusError) in try rig.client.begin() } == limitsExceeded)
    clients.removeLast()
    try rig.client.wait(for: "room for another client") {
      rig.client.refusal { () throws(BusError) in try rig.client.begin() } == nil
    }
    #expect(throws: BusError.self) { try BegunClient(on: rig.bus) }
    withExtendedLifetime(clients) {}
  }

  @Test("a user who has as many clients as may be is refused more, and nobody else is")
  func otherUser() throws {
    // As an ordinary user, the tests have no other one: then that user's own limit is met.
    let other = getuid() == 0 ? 65_534 : getuid()
    let rig = try Rig(sensor: "simulated", configuration: "MaxClientsPerUser=3\n")
    let helper = try ClientHelper(["begin-as", "\(other)", "5"], on: rig.bus)
    try wait(for: "the other user's clients") { helper.lines.last == "done" || !helper.isRunning }
    #expect(helper.lines == ["begun", "begun", "begun", limitsExceeded, limitsExceeded, "done"])
    let refusal = rig.client.refusal { () throws(BusError) in try rig.client.begin() }
    #expect(refusal == (other == getuid() ? limitsExceeded : nil))
  }

  @Test("the configuration raises and lowers each limit")
  func configuration() throws {
    let rig = try Rig(
      sensor: "simulated", configuration: "MaxClients=70\nMaxClientsPerUser=80\nMaxBeginsPerClient=100\n")
    for _ in 0..<100 { try rig.client.begin() }
    #expect(rig.client.refusal { () throws(BusError) in try rig.client.begin() } == limitsExceeded)
    let others = try (0..<69).map { _ in try BegunClient(on: rig.bus) }
    let error = #expect(throws: BusError.self) { try BegunClient(on: rig.bus) }
    #expect(error?.message.contains("70 clients") == true)
    withExtendedLifetime(others) {}
  }

  @Test("1,000 times Begin and End of one client are granted")
  func cycles() throws {
    let rig = try Rig(sensor: "simulated")
    for _ in 0..<1000 {
      try rig.client.begin()
      try rig.client.end()
    }
    #expect(try rig.client.property("SensorStatus") == "idle")
  }

  @Test("a client that changes the screen without end is slowed down, and no other one")
  func changes() throws {
    let rig = try Rig(sensor: "simulated")
    var isLocked = false
    func toggle() throws(BusError) {
      try rig.client.lock(!isLocked)
      isLocked.toggle()
    }
    for _ in 0..<100 { try toggle() }
    try wait(for: "a refusal", pause: {}) { rig.client.refusal(of: toggle) == limitsExceeded }
    // What changes nothing costs nothing.
    try rig.client.lock(isLocked)
    let other = try Client(on: rig.bus)
    try other.lock(!isLocked)
    isLocked.toggle()
    try rig.client.wait(for: "a further change to be granted") { rig.client.refusal(of: toggle) == nil }
  }

  @Test("the 8th MeasureOrientation of a client waits, the 9th is refused; another client's waits")
  func questions() throws {
    let rig = try Rig { $0.addDevice("iio:device0", attributes: chipAttributes(y: "1")) }
    var refusals: [String?] = []
    for _ in 0..<9 { try rig.client.askOrientation { refusals.append($0.error?.name) } }
    try rig.client.wait(for: "the refusal") { !refusals.isEmpty }
    #expect(refusals == [limitsExceeded])
    let other = try Client(on: rig.bus)
    let error = #expect(throws: BusError.self) { try other.getOrientation() }
    #expect(error?.name == "org.orientationd1.Error.SensorUnavailable")
    try rig.client.wait(for: "the other answers") { refusals.count == 9 }
  }

  @Test("a client that leaves while its MeasureOrientation waits lets the sensor go at once")
  func vanishedQuestion() throws {
    let rig = try Rig { $0.addDevice("iio:device0", attributes: chipAttributes(y: "1")) }
    let other = try Client(on: rig.bus)
    try other.askOrientation { _ in }
    // It reads no gravity, so there is no answer yet.
    try rig.client.wait(for: "the sensor to be opened") { try rig.client.property("SensorStatus") != "idle" }
    // One that stays: the sensor must not be let go for the wrong one.
    var answer: String?
    try rig.client.askOrientation { answer = $0.error?.name }
    other.bus.close()
    try rig.client.wait(for: "the answer") { answer != nil }
    #expect(answer == "org.orientationd1.Error.SensorUnavailable")
    #expect(try rig.client.property("SensorStatus") == "idle")
  }
}
