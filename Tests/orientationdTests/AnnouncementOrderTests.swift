// SPDX-License-Identifier: Apache-2.0

import Glibc
import Orientation
import Systemd
import Testing

extension Announcement {
  /// The place in the order in which the announcements of one change come.
  fileprivate var place: Int {
    switch self {
    case .changed: 0
    case .screenChanged: 1
    case .orientation: 2
    case .interface: 3
    }
  }
}

/// The properties as an app caches them, which reads nothing but announcements.
private struct Cache {
  private var values: [String: Value] = [:]

  /// Takes an announcement in; whether a signal says what the cache has already.
  mutating func agrees(with announcement: Announcement) -> Bool {
    switch announcement {
    case .changed(let changes), .screenChanged(let changes):
      values.merge(changes) { $1 }
      return true
    case .orientation(let orientation, let name):
      return values["Orientation"] == .number(orientation) && values["OrientationName"] == .text(name)
    case .interface(let orientation, let name, _):
      return values["InterfaceOrientation"] == .number(orientation)
        && values["InterfaceOrientationName"] == .text(name)
    }
  }
}

@Suite("The order of announcements")
struct AnnouncementOrderTests {
  /// What changes an orientation, and which announcements that has, by their places in the order.
  struct Cause: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let places: [Int]
    var prepare: @Sendable (Tablet) throws -> Void = { _ in }
    let happen: @Sendable (Tablet) throws -> Void
  }

  static let causes = [
    Cause(testDescription: "a turn", places: [0, 1, 2, 3]) { try $0.turn(to: .landscapeLeft) },
    Cause(testDescription: "a tablet that is laid flat", places: [0, 2]) { try $0.turn(to: .faceUp) },
    Cause(
      testDescription: "unlocking", places: [0, 1, 2, 3],
      prepare: {
        try $0.client.lock()
        try $0.turnUnheard(to: .landscapeLeft)
      }, happen: { try $0.client.lock(false) }),
    Cause(testDescription: "a rotation by hand", places: [1, 3]) { try $0.client.rotate(to: 3) },
    Cause(testDescription: "a mask", places: [1, 3]) { try $0.client.support(24) },
    Cause(testDescription: "a hold", places: [1, 3]) { _ = try $0.client.hold(24) },
    Cause(
      testDescription: "the end of a hold", places: [1, 3],
      prepare: { _ = try $0.client.hold(24) }, happen: { try $0.client.release(1) }),
    Cause(
      testDescription: "the first client under a lock", places: [0, 2],
      prepare: {
        try $0.client.lock()
        try $0.client.end()
      }, happen: { try $0.client.begin() }),
  ]

  @Test(
    "properties of the device, then of the screen, then the device's signal, then the screen's",
    arguments: causes)
  func order(cause: Cause) throws {
    let tablet = try Tablet.generating()
    try cause.prepare(tablet)
    try tablet.client.forget()
    try cause.happen(tablet)
    try tablet.client.catchUp()
    // What the sensor does is announced beside.
    let heard = tablet.client.heard.filter {
      if case .changed(let values) = $0 { values.keys.contains("Orientation") } else { true }
    }
    #expect(heard.map(\.place) == cause.places, "\(heard)")
    var cache = Cache()
    for announcement in heard {
      let agrees = cache.agrees(with: announcement)
      #expect(agrees, "\(announcement) in \(heard)")
    }
  }

  /// What is no turn, as a call of the screen's interface.
  static let methods = ["SetRotationLock", "Rotate", "SetSupportedInterfaceOrientations"]

  @Test(
    "all of them before the reply to the method that is the cause, whose time the screen's signal has",
    arguments: methods)
  func reply(method: String) throws {
    let tablet = try Tablet.generating()
    let client = tablet.client
    if method == "SetRotationLock" {
      try client.lock()
      try tablet.turnUnheard(to: .landscapeLeft)
    }
    try client.forget()
    var when: UInt64 = 0
    let signal = try client.bus.match("type='signal',member='InterfaceOrientationDidChange'") { message in
      try? message.skip("uu")
      when = (try? message.readUInt64()) ?? 0
    }
    let call = try client.bus.daemonCall(method, of: Daemon.screenInterface)
    switch method {
    case "SetRotationLock": try call.append(false)
    case "Rotate": try call.append(3 as UInt32)
    default: try call.append(InterfaceOrientationMask.landscape.names)
    }
    let start = Self.now
    var heard: [Announcement]?
    let pending = try client.bus.callAsync(call) { _ in heard = client.heard }
    try client.wait(for: "the reply") { heard != nil }
    // What the sensor does is announced beside.
    let places = Set(heard?.map(\.place) ?? [])
    #expect(places.isSuperset(of: method == "SetRotationLock" ? [0, 1, 2, 3] : [1, 3]), "\(places)")
    #expect((start...Self.now).contains(when))
    withExtendedLifetime(signal) {}
    withExtendedLifetime(pending) {}
  }

  @Test("a new client's calls are carried out in their order, also if only the first allows the second")
  func callsInOrder() throws {
    let tablet = try Tablet.generating()
    try tablet.client.support(2)
    let client = try Client(on: tablet.rig.bus)
    let support = try client.bus.daemonCall("SetSupportedInterfaceOrientations", of: Daemon.screenInterface)
    try support.append(InterfaceOrientationMask.all.names)
    let rotate = try client.bus.daemonCall("Rotate", of: Daemon.screenInterface)
    try rotate.append(3 as UInt32)
    var errors: [String?] = []
    try client.bus.callAsync(support) { errors.append($0.error?.name) }.detach()
    try client.bus.callAsync(rotate) { errors.append($0.error?.name) }.detach()
    try client.wait(for: "both replies") { errors.count == 2 }
    #expect(errors == [nil, nil])
    #expect(try client.property("InterfaceOrientationName") == "landscapeRight")
  }

  /// The time on CLOCK_BOOTTIME in microseconds.
  private static var now: UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_BOOTTIME, &time)
    return UInt64(time.tv_sec) * 1_000_000 + UInt64(time.tv_nsec) / 1000
  }
}
