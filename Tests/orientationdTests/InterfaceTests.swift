// SPDX-License-Identifier: Apache-2.0

import Foundation
import Orientation
import SensorSetup
import Systemd
import TestSupport
import Testing

@Suite("The interfaces on the bus")
struct InterfaceTests {
  @Test(
    "introspection says what the installed XML says, of every member, and that has a word on each",
    arguments: [
      (Daemon.objectPath, Daemon.deviceInterface), (Daemon.objectPath, Daemon.screenInterface),
      (Daemon.objectPath, DBusNames.sensorInterface),
      (ProxyClient.path, ProxyClient.interface), (ProxyClient.compassPath, ProxyClient.compassInterface),
    ])
  func introspection(path: String, interface: String) throws {
    let rig = try Rig(configuration: "SensorProxy=yes\n")
    let busctl = try ChildProcess(
      "busctl",
      [
        "--address=\(rig.bus.address)", "--xml-interface", "introspect", "org.orientationd1", path,
      ])
    #expect(try busctl.exitCode() == 0)
    let told = InterfaceDescription(of: interface, in: Data(busctl.output.utf8))
    let installed = try InterfaceDescription.installed(interface)
    #expect(told.elements == installed.elements)
    #expect(!installed.members.isEmpty)
    #expect(installed.documented == installed.members)
  }

  @Test("the policy of the bus lets everybody call each of our own")
  func policy() throws {
    let policy = try String(
      contentsOf: projectFolder.appending(path: "data/org.orientationd1.conf"), encoding: .utf8)
    for interface in [Daemon.deviceInterface, Daemon.screenInterface, DBusNames.sensorInterface] {
      #expect(
        policy.contains("<allow send_destination=\"org.orientationd1\" send_interface=\"\(interface)\"/>"))
    }
  }

  @Test("without a client, a sensor is idle and its orientation unknown")
  func idle() throws {
    let rig = try Rig(sensor: "simulated")
    let expected: [String: Value] = [
      "Orientation": 0, "OrientationName": "unknown", "GeneratesDeviceOrientationNotifications": false,
      "HasAccelerometer": true, "TabletMode": "unknown", "TabletModeSource": "none",
      "Version": .text(orientationdVersion), "InterfaceVersion": 1,
    ]
    #expect(try rig.client.properties() == expected)
    let sensor: [String: Value] = [
      "Name": "simulated tablet", "Status": "idle", "SampleRate": 0.0, "Warnings": .texts([]),
      "MountMatrix": "", "MountMatrixSource": "",
    ]
    #expect(try rig.client.properties(of: DBusNames.sensorInterface) == sensor)
    #expect(rig.log.contains { $0.contains("SIMULATED") })
  }

  @Test("a client that has waited for the name can call at once, and finds the sensor")
  func nameComesLast() throws {
    let bus = try PrivateBus()
    let client = try Client(on: bus)
    var found: [String: Value]?
    let watch = try client.bus.match("type='signal',member='NameOwnerChanged',arg0='org.orientationd1'") {
      _ in
      found = try? client.properties(of: DBusNames.sensorInterface)
    }
    let daemon = try Daemon.start(["--sensor", "simulated", "--config", "/dev/null"], bus: bus)
    try client.wait(for: "the name") { found != nil || !daemon.isRunning }
    #expect(found?["Status"] == "idle")
    _ = consume watch
  }

  @Test("arguments of the wrong type are refused, and the daemon goes on")
  func wrongSignature() throws {
    let rig = try Rig(sensor: "simulated")
    for method in [
      "BeginGeneratingDeviceOrientationNotifications", "EndGeneratingDeviceOrientationNotifications",
      "MeasureOrientation",
    ] {
      let error = #expect(throws: BusError.self) {
        _ = try rig.client.call(method) { message throws(BusError) in try message.append("please") }
      }
      #expect(error?.name == BusError.Name.invalidArguments)
    }
    #expect(try rig.client.property("GeneratesDeviceOrientationNotifications") == false)
  }

  @Test("unknown methods, interfaces and objects, and writing a property, are refused by the standard errors")
  func unknown() throws {
    let rig = try Rig(sensor: "simulated")
    let error = #expect(throws: BusError.self) { _ = try rig.client.call("Rotate") }
    #expect(error?.name == BusError.Name.unknownMethod)
    let write = try rig.client.bus.methodCall(
      destination: "org.orientationd1", path: "/org/orientationd1",
      interface: "org.freedesktop.DBus.Properties", member: "Set")
    try write.append("org.orientationd1.Device")
    try write.append("Orientation")
    try write.append(.variant, "u") { message throws(BusError) in try message.append(UInt32(1)) }
    let refusal = #expect(throws: BusError.self) { _ = try rig.client.bus.call(write) }
    #expect(refusal?.name == "org.freedesktop.DBus.Error.PropertyReadOnly")
  }
}
