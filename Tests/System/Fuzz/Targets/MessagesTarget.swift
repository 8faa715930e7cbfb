// SPDX-License-Identifier: Apache-2.0

// An input is a sequence of steps, each a byte and what it takes: calls by some clients, right and wrong ones, answers to
// what the service asks the bus, polkit and logind, signals, clients that leave, and what sensor and switches say.

import IIO
import Orientation

@testable import OrientationService
@testable import SensorSetup

/// After each step the state is one that there can be, locked is locked, and each call is answered once at most, and a
/// wrong one at once; with all clients gone, no sensor runs.
func checkMessages(_ input: [UInt8]) throws(Violation) {
  let service: FuzzedService
  do {
    service = try FuzzedService()
  } catch {
    throw Violation(reason: "the service does not start: \(error)")
  }
  // Behind the input there are zeros; each step takes a byte at least.
  var bytes = ByteReader(input)
  try service.settle()
  for _ in 0..<200 where !bytes.isAtEnd { try step(service, &bytes) }
  try checkEnd(service)
}

private func step(_ service: FuzzedService, _ bytes: inout ByteReader) throws(Violation) {
  let wasLocked = service.screen.properties.lock == .locked
  let before = service.device.properties.orientation
  let signals = service.peer.signals["OrientationDidChange", default: 0]
  let client = ":1.\(2 + bytes.byte() % 6)"
  switch bytes.byte() % 10 {
  case 0...2: callRightly(service, from: client, &bytes)
  case 3: try callWrongly(service, from: client, &bytes)
  case 4: readProperties(service, from: client, &bytes)
  case 5: signal(service, of: client, &bytes)
  case 6: answerRightly(service, &bytes)
  case 7: answerWrongly(service, &bytes)
  case 8: sense(service, &bytes)
  default: touch(service, &bytes)
  }
  try service.settle()
  if let violation = service.peer.violation { throw Violation(reason: violation) }
  try checkState(service)
  // What was not known when rotation was locked is told when it is.
  if wasLocked && service.screen.properties.lock == .locked && before != .unknown {
    try expect(
      service.peer.signals["OrientationDidChange", default: 0] == signals, "a change is told while locked")
  }
}

private func checkState(_ service: FuzzedService) throws(Violation) {
  let screen = service.screen.properties
  try expect(
    !screen.supported.isEmpty && screen.supported.isSubset(of: .all), "the mask \(screen.supported.rawValue)")
  try expect(
    screen.supported.contains(InterfaceOrientationMask(screen.orientation)),
    "\(screen.orientation.name) is none of \(screen.supported.rawValue)")
  let device = service.device.properties
  try expect(service.sampler.session == nil || device.sensorStatus != .idle, "idle while sampling")
  try expect(device.sampleRate >= 0 && device.sampleRate.isFinite, "\(device.sampleRate) Hz")
}

/// Has all clients leave.
private func checkEnd(_ service: FuzzedService) throws(Violation) {
  for client in 2..<8 {
    service.peer.signal(
      "NameOwnerChanged", of: "org.freedesktop.DBus", at: "/org/freedesktop/DBus",
      from: "org.freedesktop.DBus"
    ) { message in
      for text in [":1.\(client)", ":1.\(client)", ""] { append(text, to: message) }
    }
  }
  try service.settle()
  try checkState(service)
  try expect(!service.device.properties.isGenerating, "generating for nobody")
  try expect(service.sampler.session == nil, "sampling for nobody")
}

// MARK: Calls

/// New ones come last, so that the seeds mean what they meant.
let methods: [(interface: String, member: String, signature: String)] = [
  (DBusNames.deviceInterface, "BeginGeneratingDeviceOrientationNotifications", ""),
  (DBusNames.deviceInterface, "EndGeneratingDeviceOrientationNotifications", ""),
  (DBusNames.deviceInterface, "MeasureOrientation", ""),
  (DBusNames.sensorInterface, "MeasureGravity", ""),
  (DBusNames.sensorInterface, "SetMountMatrix", "s"),
  (DBusNames.sensorInterface, "PreviewMountMatrix", "su"),
  (DBusNames.sensorInterface, "EndMountMatrixPreview", ""),
  (DBusNames.sensorInterface, "ResetMountMatrix", ""),
  (DBusNames.screenInterface, "SetRotationLock", "b"),
  (DBusNames.screenInterface, "Rotate", "u"),
  (DBusNames.screenInterface, "ToggleRotationLock", ""),
  (DBusNames.screenInterface, "CanRotate", ""),
  (DBusNames.screenInterface, "SetResponsiveness", "s"),
  (DBusNames.screenInterface, "ReleaseInterfaceOrientations", "u"),
  (DBusNames.screenInterface, "RotateToDevice", ""),
  (DBusNames.screenInterface, "BeginFollowing", ""),
  (DBusNames.screenInterface, "EndFollowing", ""),
  (DBusNames.proxyInterface, "ClaimAccelerometer", ""),
  (DBusNames.proxyInterface, "ReleaseAccelerometer", ""),
  (DBusNames.proxyInterface, "ClaimLight", ""),
  (DBusNames.proxyInterface, "ReleaseProximity", ""),
  (DBusNames.compassInterface, "ClaimCompass", ""),
  (DBusNames.screenInterface, "CanSetRotationLock", ""),
  (DBusNames.screenInterface, "SetSupportedInterfaceOrientations", "as"),
  (DBusNames.screenInterface, "HoldInterfaceOrientations", "asssa{sv}"),
  (DBusNames.proxyInterface, "ReleaseLight", ""),
  (DBusNames.proxyInterface, "ClaimProximity", ""),
  (DBusNames.compassInterface, "ReleaseCompass", ""),
]

/// Where the object with this interface is.
private func path(of interface: String) -> String {
  switch interface {
  case DBusNames.proxyInterface: DBusNames.proxyPath
  case DBusNames.compassInterface: DBusNames.compassPath
  default: DBusNames.path
  }
}

private func callRightly(_ service: FuzzedService, from client: String, _ bytes: inout ByteReader) {
  let method = bytes.choice(of: methods)
  let flags = BusPeer.CallFlags(rawValue: bytes.byte() & 3)
  _ = service.peer.call(
    method.member, of: method.interface, at: path(of: method.interface), from: client, flags: flags
  ) { message in
    appendArguments(of: method.signature, to: message, &bytes)
  }
}

/// Arguments, members, interfaces and paths that there are not are refused at once.
private func callWrongly(_ service: FuzzedService, from client: String, _ bytes: inout ByteReader)
  throws(Violation)
{
  let method = bytes.choice(of: methods)
  let isWrongName = bytes.byte() & 1 == 1
  let member = isWrongName ? "A" + bytes.text() : method.member
  let own = path(of: method.interface)
  let path = bytes.byte() & 7 == 7 ? "/" + bytes.text() : own
  var signature = ""
  let call = service.peer.call(member, of: method.interface, at: path, from: client, flags: []) { message in
    appendArguments(to: message, &bytes)
    signature = signatureOf(message)
  }
  try service.settle()
  let isRight = signature == method.signature
  try expect(
    !service.peer.isWaiting(call) || (!isWrongName && isRight && path == own),
    "\(method.member) with '\(signature)' waits")
}

private func readProperties(_ service: FuzzedService, from client: String, _ bytes: inout ByteReader) {
  let interface = bytes.choice(of: [
    DBusNames.deviceInterface, DBusNames.screenInterface, DBusNames.proxyInterface, "", "org.example.None",
  ])
  let names = [
    "Orientation", "Status", "RotationLocked", "Transform", "TabletMode", "LightLevel",
    "AccelerometerTilt", "", "None",
  ]
  let member = bytes.choice(of: ["Get", "GetAll", "Set", "Introspect", "Ping", "GetManagedObjects"])
  let standard =
    ["Introspect": "org.freedesktop.DBus.Introspectable", "Ping": "org.freedesktop.DBus.Peer"][member]
    ?? "org.freedesktop.DBus.Properties"
  _ = service.peer.call(member, of: standard, at: path(of: interface), from: client, flags: []) { message in
    if member.hasSuffix("et") || member == "GetAll" { append(interface, to: message) }
    if member.hasSuffix("et") { append(bytes.choice(of: names), to: message) }
    if member == "Set" || bytes.byte() & 7 == 7 { appendArguments(to: message, &bytes) }
  }
}

// MARK: Answers and signals

private func answerRightly(_ service: FuzzedService, _ bytes: inout ByteReader) {
  let index = Int(bytes.byte()) % max(service.peer.questions.count, 1)
  service.peer.answer(index, error: nil) { answer, member in
    switch member {
    case "CheckAuthorization":
      appendPolkitResult(isAuthorized: bytes.byte() & 1, isChallenge: bytes.byte() & 1, to: answer)
    case "GetConnectionUnixUser": append(UInt32(bytes.byte() % 2) * 1000, to: answer)
    case "ListNames": appendNames(ofClients: bytes.byte(), to: answer)
    default: break
    }
  }
}

private func answerWrongly(_ service: FuzzedService, _ bytes: inout ByteReader) {
  let choice = bytes.byte()
  let index = Int(choice) % max(service.peer.questions.count, 1)
  let errors: [String?] = [
    nil, nil, "org.freedesktop.DBus.Error.NameHasNoOwner", "org.freedesktop.DBus.Error.ServiceUnknown",
    "org.freedesktop.DBus.Error.NoReply", "org.freedesktop.DBus.Error.Spawn.ExecFailed",
    "org.freedesktop.PolicyKit1.Error.Failed", "org.example.\(bytes.text())",
  ]
  // The bus lets no connection answer for another; but a policy may.
  let sender = choice & 0xC0 == 0xC0 ? ":1.7" : nil
  service.peer.answer(index, error: bytes.choice(of: errors), from: sender) { answer, _ in
    appendArguments(to: answer, &bytes)
  }
}

private func signal(_ service: FuzzedService, of client: String, _ bytes: inout ByteReader) {
  let kind = bytes.byte()
  let (isWrong, isForged) = (kind & 3 == 3, kind & 12 == 12)
  let isSleep = bytes.byte() & 1 == 1
  let (bus, logind) = ("org.freedesktop.DBus", "org.freedesktop.login1")
  let sender = isForged ? ":1.7" : BusPeer.owner(of: isSleep ? logind : bus)
  let before = service.device.properties
  defer {
    try? service.settle()
    if isForged && before != service.device.properties { service.peer.note("a forged signal is believed") }
  }
  service.peer.signal(
    isSleep ? "PrepareForSleep" : "NameOwnerChanged", of: isSleep ? "\(logind).Manager" : bus,
    at: isSleep ? "/org/freedesktop/login1" : "/org/freedesktop/DBus", from: sender
  ) { message in
    if isWrong {
      appendArguments(to: message, &bytes)
    } else if isSleep {
      append(CInt(bytes.byte() & 1), to: message)
    } else {
      let name = bytes.choice(of: [client, client, logind, "org.example.Other"])
      let isGone = bytes.byte() & 1 == 0
      for text in [name, isGone ? client : "", isGone ? "" : client] { append(text, to: message) }
    }
  }
}

// MARK: Sensor and switches

private func sense(_ service: FuzzedService, _ bytes: inout ByteReader) {
  // Of the present session or of an earlier one.
  let session = (service.sampler.session ?? 1) - Int(bytes.byte() & 7 == 7 ? 1 : 0)
  let time = BootTime(nanoseconds: Int64(truncatingIfNeeded: bytes.number()))
  let error = bytes.choice(of: [
    SourceError.vanished(device: "a"), .silent(device: "a", seconds: 2), .permissionDenied(path: "p"),
    .unreachable(host: "h", reason: "r"), .noAccelerometer(devices: []),
  ])
  switch bytes.byte() % 7 {
  case 0:
    var sensor = MountedSensor(origin: .simulation, name: bytes.text(), choice: "r")
    sensor.model = "m"
    let isThere = bytes.byte() & 1 == 0
    let choice = bytes.choice(of: NaturalOrientation.allCases)
    service.sampler(
      says: .found(
        SensorScan(
          natural: DetectedNaturalOrientation(by: choice), sensor: isThere ? sensor : nil,
          absence: isThere ? nil : error)))
  case 1: service.sampler(says: .delivering(session, sampleRate: Double(bytes.byte())))
  case 2:
    let orientation = bytes.choice(of: DeviceOrientation.allCases)
    service.sampler(says: .changed(session, OrientationChange(orientation: orientation, time: time)))
  case 3: service.sampler(says: .buffered(session, givesWayToPollingBecause: error))
  case 4: service.sampler(says: .failed(session, error))
  case 5: service.sampler(says: .leans(session, bytes.choice(of: ScreenTilt.allCases)))
  default: service.sampler(says: .released)
  }
}

private func touch(_ service: FuzzedService, _ bytes: inout ByteReader) {
  switch bytes.byte() % 5 {
  case 0: service.screen.lockSwitchMoved(to: bytes.byte() & 1 == 0 ? .locked : .unlocked)
  case 1: service.screen.lockKeyPressed()
  case 2: service.screen.folded(to: TabletModeFinding(bytes.choice(of: TabletMode.allCases), from: .hinge))
  case 3: service.device.samplerBecame(.hung)
  default: service.device.samplerBecame(.responding)
  }
}
