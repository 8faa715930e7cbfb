// SPDX-License-Identifier: Apache-2.0

import Systemd
import TestSupport

/// A program that follows iio-sensor-proxy.
final class ProxyClient {
  static let name = "net.hadess.SensorProxy"
  static let path = "/net/hadess/SensorProxy"
  static let interface = "net.hadess.SensorProxy"
  static let compassPath = "/net/hadess/SensorProxy/Compass"
  static let compassInterface = "net.hadess.SensorProxy.Compass"

  private let loop: EventLoop
  let bus: Bus
  private var signals: Slot?

  /// The changes heard so far, in order.
  private(set) var heard: [[String: Value]] = []

  /// What was heard of one property.
  func heard(of property: String) -> [Value] { heard.compactMap { $0[property] } }

  /// Connects, and waits until somebody has the name.
  init(on privateBus: PrivateBus) throws {
    loop = try EventLoop()
    bus = try Bus.open(.address(privateBus.address))
    try bus.attach(to: loop)
    signals = try bus.match("type='signal',path_namespace='\(Self.path)'") { [unowned self] message in
      hear(message)
    }
    try wait(for: "the name \(Self.name)") { try bus.owner(of: Self.name) != nil }
  }

  private func hear(_ message: borrowing Message) {
    do throws(BusError) {
      let interface = try message.readString()
      let values = try Value.dictionary(from: message)
      let isCompass = message.path == Self.compassPath
      let isRight = interface == (isCompass ? Self.compassInterface : Self.interface)
      heard.append(isRight ? values : ["of the wrong interface": .text(interface)])
    } catch {
      heard.append(["unreadable": .text("\(error)")])
    }
  }

  /// Hears what comes until something holds.
  func wait(for what: String, until holds: () throws -> Bool) throws {
    try TestSupport.wait(
      for: what, pause: { _ = try loop.runOnce(timeoutSeconds: 0.02) }, until: holds)
  }

  /// Hears what comes until a property has a value.
  func wait(for property: String, toBe value: Value) throws {
    try wait(for: "\(property) to be \(value)") { try self.property(property) == value }
  }

  /// Hears what comes in a span of time.
  func spend(seconds: Double) throws {
    try loop.spend(seconds: seconds)
  }

  /// Hears what has come already.
  func catchUp() throws {
    _ = try properties()
    while try loop.runOnce(timeoutSeconds: 0) == .handledEvent {}
  }

  /// Calls `ClaimLight` and its like.
  func call(_ method: String) throws(BusError) {
    _ = try bus.call(try message(method))
  }

  /// The same without waiting for the answer, of which the error's name is given: "" for none.
  func callLater(_ method: String, _ answer: @escaping (String) -> Void) throws(BusError) {
    try bus.callAsync(try message(method)) { answer($0.error?.name ?? "") }.detach()
  }

  private func message(_ method: String) throws(BusError) -> Message {
    let isCompass = method.hasSuffix("Compass")
    return try bus.methodCall(
      destination: Self.name, path: isCompass ? Self.compassPath : Self.path,
      interface: isCompass ? Self.compassInterface : Self.interface, member: method)
  }

  /// A property of either object.
  func property(_ name: String) throws(BusError) -> Value? { try properties()[name] }

  /// The properties of both objects.
  func properties() throws(BusError) -> [String: Value] {
    var all: [String: Value] = [:]
    for (path, interface) in [(Self.path, Self.interface), (Self.compassPath, Self.compassInterface)] {
      let call = try bus.methodCall(
        destination: Self.name, path: path, interface: "org.freedesktop.DBus.Properties", member: "GetAll")
      try call.append(interface)
      for (name, value) in try Value.dictionary(from: try bus.call(call)) { all[name] = value }
    }
    return all
  }
}
