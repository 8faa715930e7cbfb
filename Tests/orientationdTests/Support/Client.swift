// SPDX-License-Identifier: Apache-2.0

import Orientation
import Systemd
import TestSupport

/// What a client hears from the daemon without asking.
enum Announcement: Equatable {
  /// PropertiesChanged of the Device interface.
  case changed([String: Value])
  /// PropertiesChanged of the Screen interface.
  case screenChanged([String: Value])
  /// OrientationDidChange, without its time.
  case orientation(UInt32, String)
  /// InterfaceOrientationDidChange, without its time.
  case interface(UInt32, String, previous: UInt32)
}

/// An app on the bus.
///
/// It belongs to the thread of its test, and hears things only while it calls or waits.
final class Client {
  private let loop: EventLoop
  let bus: Bus
  private var signals: Slot?

  /// Everything heard so far, in order.
  private(set) var heard: [Announcement] = []
  /// What of that the device's half has said.
  var heardOfDevice: [Announcement] {
    heard.filter {
      switch $0 {
      case .changed, .orientation: true
      case .screenChanged, .interface: false
      }
    }
  }
  /// The last OrientationDidChange.
  var lastOrientation: Announcement? {
    heard.last {
      if case .orientation = $0 { true } else { false }
    }
  }
  /// The time of the last OrientationDidChange, in microseconds.
  private(set) var lastTime: UInt64 = 0

  init(on privateBus: PrivateBus) throws {
    loop = try EventLoop()
    bus = try Bus.open(.address(privateBus.address))
    try bus.attach(to: loop)
    signals = try bus.match("type='signal',path='\(Daemon.objectPath)'") { [unowned self] message in
      hear(message)
    }
  }

  // MARK: Waiting

  /// Hears what comes until something holds.
  func wait(for what: String, until holds: () throws -> Bool) throws {
    try TestSupport.wait(
      for: what, pause: { _ = try loop.runOnce(timeoutSeconds: 0.02) }, until: holds)
  }

  /// Hears what comes until a property has a value.
  func wait(for property: String, toBe value: Value) throws {
    var last: Value?
    do {
      try wait(for: property) {
        last = try self.property(property)
        return last == value
      }
    } catch let error as GaveUp {
      throw GaveUp(description: "\(error) is \(value); it is \(last.map { "\($0)" } ?? "nothing")")
    }
  }

  /// Waits until the daemon has its bus name, and forgets what was heard until then.
  func waitForService() throws {
    try wait(for: "the daemon on the bus") { try bus.owner(of: Daemon.busName) != nil }
    try forget()
  }

  /// Hears what has come already: the bus keeps the order, so a call's answer is behind it.
  func catchUp() throws {
    _ = try properties()
    while try loop.runOnce(timeoutSeconds: 0) == .handledEvent {}
  }

  /// Forgets what was told so far.
  func forget() throws {
    try catchUp()
    heard = []
  }

  /// Hears what comes in a span of time.
  func spend(seconds: Double) throws {
    let end = ContinuousClock.now + .seconds(seconds)
    while ContinuousClock.now < end { _ = try loop.runOnce(timeoutSeconds: 0.02) }
  }

  private func hear(_ message: borrowing Message) {
    do throws(BusError) {
      switch message.member {
      case "PropertiesChanged":
        let interface = try message.readString()
        let values = try Value.dictionary(from: message)
        heard.append(interface == Daemon.screenInterface ? .screenChanged(values) : .changed(values))
      case "OrientationDidChange":
        heard.append(.orientation(try message.readUInt32(), try message.readString()))
        lastTime = try message.readUInt64()
      case "InterfaceOrientationDidChange":
        heard.append(
          .interface(
            try message.readUInt32(), try message.readString(), previous: try message.readUInt32()))
      default: return
      }
    } catch {
      heard.append(.changed(["unreadable": .text("\(error)")]))
    }
  }

  // MARK: Calling

  func begin() throws(BusError) { _ = try call("BeginGeneratingDeviceOrientationNotifications") }

  func end() throws(BusError) { _ = try call("EndGeneratingDeviceOrientationNotifications") }

  /// What GetOrientation answers; nil for a pair of number and name that do not belong together.
  func getOrientation() throws(BusError) -> DeviceOrientation? {
    let reply = try call("GetOrientation")
    let orientation = DeviceOrientation(rawValue: try reply.readUInt32())
    return try reply.readString() == orientation?.name ? orientation : nil
  }

  /// Calls GetOrientation without waiting for the answer, which may be an error.
  func askOrientation(_ answer: @escaping (borrowing Message) -> Void) throws(BusError) {
    try bus.callAsync(try bus.daemonCall("GetOrientation"), reply: answer).detach()
  }

  /// What GetGravity answers: x, y and z in m/s^2.
  func gravity() throws(BusError) -> [Double] {
    try call("GetGravity").read(.structure, "ddd") { fields throws(BusError) in
      [try fields.readDouble(), try fields.readDouble(), try fields.readDouble()]
    }
  }

  /// A property of either interface, whose names differ.
  func property(_ name: String) throws(BusError) -> Value? {
    if let value = try properties()[name] { return value }
    return try properties(of: Daemon.screenInterface)[name]
  }

  func properties(of interface: String = Daemon.deviceInterface) throws(BusError) -> [String: Value] {
    let call = try bus.methodCall(
      destination: Daemon.busName, path: Daemon.objectPath, interface: "org.freedesktop.DBus.Properties",
      member: "GetAll")
    try call.append(interface)
    return try Value.dictionary(from: try bus.call(call))
  }

  /// Calls a method of the Device interface, or of another one.
  @discardableResult
  func call(
    _ method: String, of interface: String = Daemon.deviceInterface,
    arguments: (borrowing Message) throws(BusError) -> Void = { _ in }
  ) throws(BusError) -> Message {
    let call = try bus.daemonCall(method, of: interface)
    try arguments(call)
    return try bus.call(call)
  }
}

// The Screen interface.
extension Client {
  func lock(_ isLocked: Bool = true) throws(BusError) {
    try call("SetRotationLock", of: Daemon.screenInterface) { message throws(BusError) in
      try message.append(isLocked)
    }
  }

  func rotate(to orientation: UInt32) throws(BusError) {
    try call("SetInterfaceOrientation", of: Daemon.screenInterface) { message throws(BusError) in
      try message.append(orientation)
    }
  }

  func attemptRotation() throws(BusError) {
    try call("AttemptRotationToDeviceOrientation", of: Daemon.screenInterface)
  }

  /// Holds the interface to some orientations; the number of the hold.
  func hold(
    _ mask: UInt32, application: String = "org.example.Player", reason: String = "plays a film"
  ) throws(BusError) -> UInt32 {
    try call("HoldInterfaceOrientations", of: Daemon.screenInterface) { message throws(BusError) in
      try message.append(mask)
      try message.append(application)
      try message.append(reason)
    }.readUInt32()
  }

  func release(_ hold: UInt32) throws(BusError) {
    try call("ReleaseInterfaceOrientations", of: Daemon.screenInterface) { message throws(BusError) in
      try message.append(hold)
    }
  }

  func support(_ mask: UInt32) throws(BusError) {
    try call("SetSupportedInterfaceOrientations", of: Daemon.screenInterface) { message throws(BusError) in
      try message.append(mask)
    }
  }
}

extension Bus {
  /// A call of a method of the daemon.
  func daemonCall(_ method: String, of interface: String = Daemon.deviceInterface) throws(BusError) -> Message
  {
    try methodCall(
      destination: Daemon.busName, path: Daemon.objectPath, interface: interface, member: method)
  }
}
