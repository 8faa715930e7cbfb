// SPDX-License-Identifier: Apache-2.0

import Orientation
import Systemd
import TestSupport

/// Something on the bus that has orientationd's name, and says what no orientationd would.
final class MockDaemon {
  private static let name = "org.orientationd1"
  private static let path = "/org/orientationd1"

  private let process: ChildProcess

  /// Takes the name, with a sensor of this name and rate; the name is its version too.
  init(on privateBus: PrivateBus, sensorName: String, sampleRate: Double) throws {
    process = try privateBus.start(
      "/usr/bin/python3", ["-m", "dbusmock", "--system", Self.name, Self.path, "\(Self.name).Device"])
    let bus = try Bus.open(.address(privateBus.address))
    try wait(for: "the daemon on the bus") {
      guard process.isRunning else { throw GaveUp(description: process.errors) }
      return try bus.owner(of: Self.name) != nil
    }
    try Self.announce("Screen", on: bus) { list throws(BusError) in
      try Self.add("Transform", "s", to: list) { value throws(BusError) in try value.append("normal") }
    }
    try Self.announce("Sensor", on: bus) { list throws(BusError) in
      for name in ["Name", "Status"] {
        try Self.add(name, "s", to: list) { value throws(BusError) in try value.append(sensorName) }
      }
      try Self.add("Warnings", "as", to: list) { value throws(BusError) in
        try value.append(.array, "s") { array throws(BusError) in try array.append(sensorName) }
      }
      try Self.add("SampleRate", "d", to: list) { value throws(BusError) in try value.append(sampleRate) }
    }
    try Self.announce("Device", on: bus) { list throws(BusError) in
      for name in ["TabletMode", "Version"] {
        try Self.add(name, "s", to: list) { value throws(BusError) in try value.append(sensorName) }
      }
      for name in ["HasAccelerometer", "GeneratesDeviceOrientationNotifications"] {
        try Self.add(name, "b", to: list) { value throws(BusError) in try value.append(true) }
      }
    }
    let method = try bus.methodCall(
      destination: Self.name, path: Self.path, interface: "org.freedesktop.DBus.Mock", member: "AddMethod")
    let begin = "BeginGeneratingDeviceOrientationNotifications"
    for word in ["\(Self.name).Device", begin, "", "", ""] { try method.append(word) }
    _ = try bus.call(method)
  }

  private static func announce(
    _ interface: String, on bus: Bus,
    _ properties: (borrowing Message) throws(BusError) -> Void
  ) throws(BusError) {
    let call = try bus.methodCall(
      destination: name, path: path, interface: "org.freedesktop.DBus.Mock", member: "AddProperties")
    try call.append("\(name).\(interface)")
    try call.append(.array, "{sv}", properties)
    _ = try bus.call(call)
  }

  private static func add(
    _ name: String, _ type: String, to list: borrowing Message,
    _ body: (borrowing Message) throws(BusError) -> Void
  ) throws(BusError) {
    try list.append(.dictionaryEntry, "sv") { entry throws(BusError) in
      try entry.append(name)
      try entry.append(.variant, type, body)
    }
  }
}
