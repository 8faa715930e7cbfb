// SPDX-License-Identifier: Apache-2.0

import Orientation
import Systemd
import TestSupport

/// What a client hears from the daemon without asking.
enum Announcement: Equatable {
  /// PropertiesChanged of the Device or the Sensor interface; the sensor's have the names of ``Client/property(_:)``.
  case changed([String: Value])
  /// PropertiesChanged of the Screen interface.
  case screenChanged([String: Value])
  /// OrientationDidChange, without its time.
  case orientation(UInt32, String)
  /// InterfaceOrientationDidChange, without its time.
  case interface(UInt32, String, previous: UInt32)
}

extension EventLoop {
  /// Handles what comes in a span of time, and at its end all that has come: each run handles one thing, and on a busy machine there are few.
  func spend(seconds: Double) throws {
    let end = ContinuousClock.now + .seconds(seconds)
    while ContinuousClock.now < end { _ = try runOnce(timeoutSeconds: 0.02) }
    while try runOnce(timeoutSeconds: 0) == .handledEvent {}
  }
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
  /// Each value of InterfaceOrientationIsDecided that was announced.
  private(set) var heardOfDecision: [Bool] = []
  /// Each RotationLockDidChange.
  private(set) var heardOfLock: [Bool] = []
  /// The orientation before the last OrientationDidChange.
  private(set) var lastPrevious: UInt32?
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

  /// Waits until the daemon has its bus name, and keeps what was heard until then.
  func waitForName() throws {
    try wait(for: "the daemon on the bus") { try bus.owner(of: Daemon.busName) != nil }
  }

  /// Waits until the daemon has its bus name, and forgets what was heard until then.
  func waitForService() throws {
    try waitForName()
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
    try loop.spend(seconds: seconds)
  }

  private func hear(_ message: borrowing Message) {
    do throws(BusError) {
      switch message.member {
      case "PropertiesChanged":
        let interface = try message.readString()
        var values = try Value.dictionary(from: message)
        // It is that of the number, and in no test's list.
        if let name = values.removeValue(forKey: "SuggestedInterfaceOrientationName"),
          case .number(let number)? = values["SuggestedInterfaceOrientation"],
          name != .text(InterfaceOrientation(rawValue: number)?.name ?? "none")
        {
          values["SuggestedInterfaceOrientationName"] = name
        }
        if case .boolean(let isDecided)? = values.removeValue(forKey: "InterfaceOrientationIsDecided") {
          heardOfDecision.append(isDecided)
        }
        guard !values.isEmpty else { return }
        if interface == DBusNames.sensorInterface { values = Self.sensor(values) }
        heard.append(interface == Daemon.screenInterface ? .screenChanged(values) : .changed(values))
      case "OrientationDidChange":
        let orientation = try message.readUInt32()
        heard.append(.orientation(orientation, DeviceOrientation(rawValue: orientation)?.name ?? "none"))
        lastPrevious = try message.readUInt32()
        lastTime = try message.readUInt64()
      case "InterfaceOrientationDidChange":
        let orientation = try message.readUInt32()
        let name = InterfaceOrientation(rawValue: orientation)?.name ?? "none"
        heard.append(.interface(orientation, name, previous: try message.readUInt32()))
      case "RotationLockDidChange": heardOfLock.append(try message.readBool())
      default: return
      }
    } catch {
      heard.append(.changed(["unreadable": .text("\(error)")]))
    }
  }

  // MARK: Calling

  func begin() throws(BusError) { _ = try call("BeginGeneratingDeviceOrientationNotifications") }

  func end() throws(BusError) { _ = try call("EndGeneratingDeviceOrientationNotifications") }

  /// What MeasureOrientation answers; nil for a pair of number and name that do not belong together.
  func getOrientation() throws(BusError) -> DeviceOrientation? {
    let reply = try call("MeasureOrientation")
    let orientation = DeviceOrientation(rawValue: try reply.readUInt32())
    return try reply.readString() == orientation?.name ? orientation : nil
  }

  /// Calls MeasureOrientation without waiting for the answer, which may be an error.
  func askOrientation(_ answer: @escaping (borrowing Message) -> Void) throws(BusError) {
    try bus.callAsync(try bus.daemonCall("MeasureOrientation"), reply: answer).detach()
  }

  /// What MeasureGravity answers: x, y and z in m/s^2.
  func gravity() throws(BusError) -> [Double] {
    let reply = try call("MeasureGravity", of: DBusNames.sensorInterface)
    return [try reply.readDouble(), try reply.readDouble(), try reply.readDouble()]
  }

  /// The sensor's properties, with names that say so: SensorName, SensorStatus, SensorWarnings, SampleRate.
  private static func sensor(_ values: [String: Value]) -> [String: Value] {
    Dictionary(uniqueKeysWithValues: values.map { ($0 == "SampleRate" ? $0 : "Sensor\($0)", $1) })
  }

  /// A property of the three interfaces, whose names differ; the sensor's begin with Sensor.
  func property(_ name: String) throws(BusError) -> Value? {
    if name.hasPrefix("Sensor") || name == "SampleRate" {
      return Self.sensor(try properties(of: DBusNames.sensorInterface))[name]
    }
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
    try call("Rotate", of: Daemon.screenInterface) { message throws(BusError) in
      try message.append(orientation)
    }
  }

  func attemptRotation() throws(BusError) {
    try call("RotateToDevice", of: Daemon.screenInterface)
  }

  /// Holds the interface to some orientations; the number of the hold.
  func hold(
    _ mask: UInt32, application: String = "org.example.Player", reason: String = "plays a film",
    options: (borrowing Message) throws(BusError) -> Void = { _ in }
  ) throws(BusError) -> UInt32 {
    try call("HoldInterfaceOrientations", of: Daemon.screenInterface) { message throws(BusError) in
      try message.append(InterfaceOrientationMask(rawValue: mask).names)
      try message.append(application)
      try message.append(reason)
      try message.append(.array, "{sv}", options)
    }.readUInt32()
  }

  func release(_ hold: UInt32) throws(BusError) {
    try call("ReleaseInterfaceOrientations", of: Daemon.screenInterface) { message throws(BusError) in
      try message.append(hold)
    }
  }

  /// Supports the orientations of a mask; a name is none if there are others in it.
  func support(_ mask: UInt32) throws(BusError) {
    try call("SetSupportedInterfaceOrientations", of: Daemon.screenInterface) { message throws(BusError) in
      try message.append(InterfaceOrientationMask(rawValue: mask).names)
    }
  }
}

// The Sensor interface.
extension Client {
  func setMountMatrix(_ matrix: String) throws(BusError) {
    try call("SetMountMatrix", of: DBusNames.sensorInterface) { message throws(BusError) in
      try message.append(matrix)
    }
  }

  func previewMountMatrix(_ matrix: String, seconds: UInt32) throws(BusError) {
    try call("PreviewMountMatrix", of: DBusNames.sensorInterface) { message throws(BusError) in
      try message.append(matrix)
      try message.append(seconds)
    }
  }

  func endMountMatrixPreview() throws(BusError) {
    try call("EndMountMatrixPreview", of: DBusNames.sensorInterface)
  }

  func resetMountMatrix() throws(BusError) {
    try call("ResetMountMatrix", of: DBusNames.sensorInterface)
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
