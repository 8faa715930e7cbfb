// SPDX-License-Identifier: Apache-2.0

// Clients as tests need them in processes of their own: killed, of another user, or sending without end.

import CProcess
import Glibc
import Orientation
import Systemd
import TestSupport

exit(run(Array(CommandLine.arguments.dropFirst())))

func run(_ arguments: [String]) -> CInt {
  do {
    switch (arguments.first, arguments.dropFirst().compactMap { Int($0) }) {
    case ("claim-and-die", let numbers) where numbers.count == 1: try claimAndDie(times: numbers[0])
    case ("begin-as", let numbers) where numbers.count == 2:
      try begin(as: uid_t(numbers[0]), clients: numbers[1])
    case ("hold", let numbers) where numbers.count == 1: try hold(UInt32(numbers[0]))
    case ("flood", let numbers) where numbers.count == 1: try flood(calls: numbers[0])
    default: return 64
    }
    return 0
  } catch {
    say("\(error)")
    return 1
  }
}

enum Interface {
  static let device = "org.orientationd1.Device"
  static let screen = "org.orientationd1.Screen"
}

extension Bus {
  func daemonCall(_ member: String, of interface: String = Interface.device) throws(BusError) -> Message {
    try methodCall(
      destination: "org.orientationd1", path: "/org/orientationd1", interface: interface, member: member)
  }

  func begin() throws(BusError) {
    _ = try call(try daemonCall("BeginGeneratingDeviceOrientationNotifications"))
  }

  func sensorStatus() throws(BusError) -> String {
    let get = try daemonCall("Get", of: "org.freedesktop.DBus.Properties")
    try get.append(DBusNames.sensorInterface)
    try get.append("Status")
    return try call(get).readVariant()
  }
}

/// Has a process begin and be killed, time after time; says how often the sensor ran, and how often it was off again.
func claimAndDie(times: Int) throws(BusError) {
  var (claimed, idle) = (0, 0)
  let bus = try Bus.open(.system)
  for _ in 0..<times {
    let child = forkProcess()
    if child == 0 {
      // Nothing of the parent's connection is touched: it is the parent's.
      guard let own = try? Bus.open(.system), (try? own.begin()) != nil else { _exit(1) }
      kill(getpid(), SIGKILL)
    }
    var status: CInt = 0
    waitpid(child, &status, 0)
    if wasKilled(status) { claimed += 1 }
    if try isIdleSoon(bus) { idle += 1 }
  }
  say("claimed \(claimed), idle \(idle)")
}

/// Holds the interface to some orientations, says so, and stays until it is killed.
func hold(_ mask: UInt32) throws(BusError) {
  let bus = try Bus.open(.system)
  let call = try bus.daemonCall("HoldInterfaceOrientations", of: Interface.screen)
  try call.append(InterfaceOrientationMask(rawValue: mask).names)
  try call.append("org.example.Helper")
  try call.append("is a test")
  try call.append(.array, "{sv}") { _ in }
  say("held \(try bus.call(call).readUInt32())")
  while (try? bus.uniqueName) != nil { pause() }
}

/// Whether the sensor is let go, for which it has many seconds.
func isIdleSoon(_ bus: Bus) throws(BusError) -> Bool {
  for _ in 0..<100_000 {
    if try bus.sensorStatus() == "idle" { return true }
    usleep(100)
  }
  return false
}

/// Has clients of a user begin, which stay; says what each is answered.
func begin(as user: uid_t, clients: Int) throws(BusError) {
  guard setuid(user) == 0 else { return say("setuid: errno \(errno)") }
  var connections: [Connection] = []
  for _ in 0..<clients {
    let connection = try Connection()
    do throws(BusError) {
      try connection.bus.begin()
      say("begun")
    } catch {
      say(error.name)
    }
    connections.append(connection)
  }
  say("done")
  withExtendedLifetime(connections) { _ = pause() }
}

final class Connection {
  let bus: Bus

  init() throws(BusError) { bus = try Bus.open(.system) }
}

/// Sends calls of every kind and awaits no answer, as fast as the bus takes them.
func flood(calls: Int) throws(BusError) {
  let bus = try Bus.open(.system)
  for number in 0..<calls {
    let call =
      switch number % 8 {
      case 0, 4: try bus.daemonCall("BeginGeneratingDeviceOrientationNotifications")
      case 1, 5: try bus.daemonCall("EndGeneratingDeviceOrientationNotifications")
      case 2: try bus.daemonCall("MeasureOrientation")
      case 3: try bus.daemonCall("SetRotationLock", of: Interface.screen)
      case 6: try bus.daemonCall("Introspect", of: "org.freedesktop.DBus.Introspectable")
      default: try bus.daemonCall("GetAll", of: "org.freedesktop.DBus.Properties")
      }
    // Every other one is refused, as there is no interface with such a name.
    let interface = number % 16 == 7 ? String(repeating: "a", count: 300) : Interface.device
    if number % 8 == 3 { try call.append(number % 16 == 3) }
    if number % 8 == 7 { try call.append(interface) }
    try bus.send(call)
    if number % 64 == 63 { try bus.flush() }
  }
  try bus.flush()
  // The bus takes a client's messages in order, so it has taken all of them when it answers.
  _ = try bus.owner(of: "org.example.Nobody")
  say("sent \(calls)")
}

/// Prints a line, unbuffered: the test reads along.
func say(_ line: String) {
  let text = line + "\n"
  _ = write(STDOUT_FILENO, text, text.utf8.count)
}
