// SPDX-License-Identifier: Apache-2.0

import Orientation
import Systemd
import TestSupport
import Testing

@Suite("Hostile calls")
struct HostileCallTests {
  private static let long = String(repeating: "a", count: 65_536)

  private func refusal(of call: borrowing Message, on client: Client) -> String? {
    client.refusal { () throws(BusError) in _ = try client.bus.call(call) }
  }

  @Test("arguments of 64 KiB and of the wrong type are refused by every method, and the daemon goes on")
  func arguments() throws {
    let rig = try Rig(sensor: "simulated")
    for (interface, method) in [
      (Daemon.deviceInterface, "BeginGeneratingDeviceOrientationNotifications"),
      (Daemon.deviceInterface, "EndGeneratingDeviceOrientationNotifications"),
      (Daemon.deviceInterface, "MeasureOrientation"), (Daemon.screenInterface, "SetRotationLock"),
      (Daemon.screenInterface, "Rotate"),
      (Daemon.screenInterface, "RotateToDevice"),
      (Daemon.screenInterface, "SetSupportedInterfaceOrientations"),
    ] {
      for text in ["", Self.long] {
        let call = try rig.client.bus.daemonCall(method, of: interface)
        try call.append(text)
        #expect(refusal(of: call, on: rig.client) == BusError.Name.invalidArguments, "\(method)")
      }
      let call = try rig.client.bus.daemonCall(method, of: interface)
      try call.append(.array, "s") { array throws(BusError) in
        for _ in 0..<1000 { try array.append("please") }
      }
      #expect(refusal(of: call, on: rig.client) == BusError.Name.invalidArguments, "\(method)")
    }
    #expect(try rig.client.property("SensorStatus") == "idle")
  }

  @Test(
    "an object path of nearly 64 KiB, and unknown members and interfaces, are refused by the standard errors")
  func unknown() throws {
    let rig = try Rig(sensor: "simulated")
    let path = try rig.client.bus.methodCall(
      destination: Daemon.busName, path: "/\(Self.long.dropLast(100))", interface: Daemon.deviceInterface,
      member: "MeasureOrientation")
    #expect(refusal(of: path, on: rig.client) == BusError.Name.unknownObject)
    for (member, interface) in [("Spin", Daemon.screenInterface), ("SetRotationLock", "org.example.Other")] {
      let call = try rig.client.bus.daemonCall(member, of: interface)
      #expect(refusal(of: call, on: rig.client) == BusError.Name.unknownMethod)
    }
    #expect(try rig.client.property("SensorStatus") == "idle")
  }

  @Test("interfaces and properties of 64 KiB cannot be read, nor are they written")
  func properties() throws {
    let rig = try Rig(sensor: "simulated")
    for (member, arguments) in [
      ("Get", [Daemon.deviceInterface, Self.long]), ("Get", [Self.long, "Orientation"]),
      ("GetAll", [Self.long]),
    ] {
      let call = try rig.client.bus.daemonCall(member, of: "org.freedesktop.DBus.Properties")
      for argument in arguments { try call.append(argument) }
      #expect(refusal(of: call, on: rig.client) != nil, "\(member)")
    }
    let call = try rig.client.bus.daemonCall("Set", of: "org.freedesktop.DBus.Properties")
    try call.append(Daemon.screenInterface)
    try call.append("RotationLocked")
    try call.append(.variant, "s") { value throws(BusError) in try value.append(Self.long) }
    #expect(refusal(of: call, on: rig.client) == "org.freedesktop.DBus.Error.PropertyReadOnly")
    #expect(try rig.client.property("SensorStatus") == "idle")
  }

  @Test(
    "a message with a name or path of 64 KiB, and one that is none, end at the bus or behind it",
    arguments: RawMessage.allCases)
  func malformed(message: RawMessage) throws {
    let rig = try Rig(sensor: "simulated")
    let peer = try RawPeer(on: rig.bus)
    // The same with a name that there is goes through, so what is wrong with the others is what is meant to be.
    try peer.send(RawMessage.call(member: "MeasureOrientation"))
    try peer.waitForAnswer()
    try peer.send(message.bytes)
    switch message {
    case .longMember, .longInterface, .noMessage: try peer.waitForEnd()
    // The bus has no limit for these, and libsystemd drops it in the daemon.
    case .longPath: try peer.send(RawMessage.call(member: "MeasureOrientation", serial: 4))
    }
    try rig.client.wait(for: "SensorStatus", toBe: "idle")
  }
}
