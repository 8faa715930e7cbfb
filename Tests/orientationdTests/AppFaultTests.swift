// SPDX-License-Identifier: Apache-2.0

import Glibc
import Orientation
import OrientationClient
import Synchronization
import Systemd
import TestSupport
import Testing

/// How often something has happened, on any thread.
private final class Count: Sendable {
  private let count = Mutex(0)
  var number: Int { count.withLock { $0 } }
  func increase() { count.withLock { $0 += 1 } }
}

/// A daemon of the test's own, on the loop of its test.
private final class FakeDaemon {
  let loop: EventLoop
  let bus: Bus
  /// Lives as long as this.
  private let privateBus: PrivateBus
  private var request: NameRequest?
  private var slots: [Kept] = []
  var calls: [String] = []
  var begin: () -> BusError? = { nil }
  var hold: () -> BusError? = { nil }
  var end: () -> BusError? = { nil }
  var release: () -> BusError? = { nil }
  var read: () -> BusError? = { nil }
  var readScreen: () -> BusError? = { nil }
  var delaysHold = false
  var waiting: [Waiting] = []

  final class Waiting {
    let message: Message
    init(_ message: consuming Message) { self.message = message }
  }

  final class Kept {
    let slot: ObjectSlot
    init(_ slot: consuming ObjectSlot) { self.slot = slot }
  }

  init(on privateBus: PrivateBus) throws {
    self.privateBus = privateBus
    loop = try EventLoop()
    bus = try Bus.open(.address(privateBus.address))
    try bus.attach(to: loop)
    let device = Interface(
      "org.orientationd1.Device", of: self,
      [
        .method("BeginGeneratingDeviceOrientationNotifications") {
          fake, _, _ throws(BusError) in
          fake.calls.append("begin")
          if let error = fake.begin() { throw error }
        },
        .method("EndGeneratingDeviceOrientationNotifications") {
          fake, _, _ throws(BusError) in
          fake.calls.append("end")
          if let error = fake.end() { throw error }
        },
        .property("Orientation", "u", changes: .emitted) { fake, reply throws(BusError) in
          if let error = fake.read() { throw error }
          try reply.append(1 as UInt32)
        },
      ])
    let screen = Interface(
      "org.orientationd1.Screen", of: self,
      [
        .method(
          "HoldInterfaceOrientations", inputs: ["o": "as", "a": "s", "r": "s", "n": "a{sv}"],
          outputs: ["hold": "u"]
        ) { fake, call throws(BusError) in
          fake.calls.append("hold")
          if let error = fake.hold() { throw error }
          if fake.delaysHold {
            fake.waiting.append(Waiting(call))
          } else {
            let reply = try call.reply()
            try reply.append(7 as UInt32)
            try reply.send()
          }
        },
        .method("ReleaseInterfaceOrientations", inputs: ["hold": "u"]) {
          fake, _, _ throws(BusError) in
          fake.calls.append("release")
          if let error = fake.release() { throw error }
        },
        .property("InterfaceOrientation", "u", changes: .emitted) { fake, reply throws(BusError) in
          if let error = fake.readScreen() { throw error }
          try reply.append(1 as UInt32)
        },
      ])
    slots = [
      Kept(try ObjectSlot(on: bus, path: "/org/orientationd1", interface: device)),
      Kept(try ObjectSlot(on: bus, path: "/org/orientationd1", interface: screen)),
    ]
    var owned = false
    request = try NameRequest(for: "org.orientationd1", on: bus) { owned = $0 == .owned || owned }
    try request?.send()
    try wait(for: "the name") { owned }
  }

  func wait(for what: String, until holds: () throws -> Bool) throws {
    try TestSupport.wait(for: what, pause: { _ = try loop.runOnce(timeoutSeconds: 0.02) }, until: holds)
  }

  func spend(seconds: Double) throws {
    try loop.spend(seconds: seconds)
  }
}

private let limits = BusError(name: "org.freedesktop.DBus.Error.LimitsExceeded", message: "too many")

@Suite("A Swift app, beside a daemon that fails")
struct AppFaultTests {
  private static let generates = "GeneratesDeviceOrientationNotifications"

  /// An app's hold, and the daemon that has been started since it was granted.
  private func holdOfRestartedDaemon() throws -> (
    hold: AppTask<(any InterfaceOrientationHolding)?>, daemon: FakeDaemon
  ) {
    let bus = try PrivateBus()
    var first: FakeDaemon? = try FakeDaemon(on: bus)
    let device = OrientationDevice(bus: .address(bus.address))
    let hold = AppTask { () -> (any InterfaceOrientationHolding)? in
      try? await device.hold(.portrait, application: "org.example", reason: "test")
    }
    try first?.wait(for: "the hold") { hold.values.count == 1 }
    first = nil
    return (hold, try FakeDaemon(on: bus))
  }

  @Test("does not have a stopped daemon started again, against the administrator's will")
  func stopped() throws {
    let folder = try TemporaryFolder()
    let bus = try PrivateBus(activating: ["org.orientationd1": "/usr/bin/touch \(folder.path)/started"])
    let tablet = try Tablet(bus: bus)
    let device = OrientationDevice(bus: .address(bus.address))
    let states = AppLoop(over: device.daemonStates)
    try tablet.client.wait(for: "running") { states.values.last == .running }
    #expect(try tablet.rig.end() == 0)
    try tablet.client.wait(for: "the end") { states.values.last != .running }
    try tablet.client.spend(seconds: 2)
    #expect(access("\(folder.path)/started", F_OK) != 0, "the app has had the bus start the daemon again")
  }

  @Test("is told when the daemon has ended")
  func ended() throws {
    let bus = try PrivateBus()
    let device = OrientationDevice(bus: .address(bus.address))
    let states = AppLoop(over: device.daemonStates)
    try wait(for: "unavailable") {
      if case .unavailable = states.values.last { true } else { false }
    }
    let tablet = try Tablet(bus: bus)
    try tablet.client.wait(for: "running") { states.values.last == .running }
    #expect(try tablet.rig.end() == 0)
    try tablet.client.wait(for: "the end") {
      if case .unavailable = device.daemonState { true } else { false }
    }
  }

  @Test("is told when a restarted daemon refuses its begin")
  func refusedBegin() throws {
    let bus = try PrivateBus()
    var first: FakeDaemon? = try FakeDaemon(on: bus)
    let device = OrientationDevice(bus: .address(bus.address))
    let states = AppLoop(over: device.daemonStates)
    device.beginGeneratingDeviceOrientationNotifications()
    try first?.wait(for: "running") { states.values.last == .running }
    first = nil
    let fake = try FakeDaemon(on: bus)
    fake.begin = { limits }
    try fake.wait(for: "the refusal") {
      if case .unavailable(let error) = device.daemonState { error.kind == .limitsExceeded } else { false }
    }
    #expect(fake.calls.contains("begin"))
  }

  @Test("knows the screen of a daemon that refuses to tell the device")
  func refusedDevice() throws {
    let bus = try PrivateBus()
    let fake = try FakeDaemon(on: bus)
    fake.read = { limits }
    let device = OrientationDevice(bus: .address(bus.address))
    let screens = AppLoop(over: device.screenStates)
    device.beginGeneratingDeviceOrientationNotifications()
    try fake.wait(for: "the refusal") {
      if case .unavailable(let error) = device.daemonState { error.kind == .limitsExceeded } else { false }
    }
    try fake.wait(for: "the screen") { screens.values.last?.interface == .portrait }
    fake.read = { nil }
    try fake.wait(for: "the device, a little later") { device.orientation == .portrait }
    try fake.wait(for: "running") { device.daemonState == .running }
    #expect(fake.calls == ["begin"])
  }

  @Test("knows the screen a little later if the daemon refuses to tell it at first")
  func refusedScreen() throws {
    let bus = try PrivateBus()
    let fake = try FakeDaemon(on: bus)
    fake.readScreen = { limits }
    let device = OrientationDevice(bus: .address(bus.address))
    let states = AppLoop(over: device.daemonStates)
    try fake.wait(for: "the refusal") {
      if case .unavailable = states.values.last { true } else { false }
    }
    fake.readScreen = { nil }
    try fake.wait(for: "running") { states.values.last == .running }
    #expect(device.screenState.interface == .portrait)
  }

  @Test("can begin after it was refused")
  func begunAfterRefusal() throws {
    let bus = try PrivateBus()
    let fake = try FakeDaemon(on: bus)
    let device = OrientationDevice(bus: .address(bus.address))
    let states = AppLoop(over: device.daemonStates)
    try fake.wait(for: "running") { states.values.last == .running }
    fake.begin = { limits }
    device.beginGeneratingDeviceOrientationNotifications()
    try fake.wait(for: "unavailable") { states.values.last != .running }
    fake.begin = { nil }
    device.endGeneratingDeviceOrientationNotifications()
    device.beginGeneratingDeviceOrientationNotifications()
    try fake.wait(for: "a second begin") { fake.calls.filter { $0 == "begin" }.count == 2 }
    try fake.wait(for: "running") { device.daemonState == .running }
  }

  @Test("begins again before the refusal of its first begin has come, and has notifications")
  func begunAgain() throws {
    let bus = try PrivateBus()
    let fake = try FakeDaemon(on: bus)
    let device = OrientationDevice(bus: .address(bus.address))
    let states = AppLoop(over: device.daemonStates)
    try fake.wait(for: "running") { states.values.last == .running }
    fake.begin = { fake.calls.filter { $0 == "begin" }.count == 1 ? limits : nil }
    // The daemon answers nothing meanwhile.
    for step in [
      device.beginGeneratingDeviceOrientationNotifications,
      device.endGeneratingDeviceOrientationNotifications,
      device.beginGeneratingDeviceOrientationNotifications,
    ] {
      step()
      usleep(200_000)
    }
    try fake.wait(for: "a second begin") { fake.calls.filter { $0 == "begin" }.count == 2 }
    try fake.spend(seconds: 1)
    #expect(device.daemonState == .running)
    device.endGeneratingDeviceOrientationNotifications()
    try fake.wait(for: "the end") { fake.calls == ["begin", "end", "begin", "end"] }
  }

  @Test(
    "gets an error for each call that was not answered when the bus ends, also while a question is unanswered"
  )
  func endedBus() throws {
    let bus = try PrivateBus()
    let fake = try FakeDaemon(on: bus)
    let device = OrientationDevice(bus: .address(bus.address))
    let states = AppLoop(over: device.daemonStates)
    try fake.wait(for: "running") { states.values.last == .running }
    // From here on the daemon answers nothing.
    device.beginGeneratingDeviceOrientationNotifications()
    usleep(200_000)
    let ended = Count()
    Task(executorPreference: AppThreads.shared) {
      _ = try? await DesktopRotation(of: device).toggleLock()
      ended.increase()
    }
    Task(executorPreference: AppThreads.shared) {
      _ = try? await device.hold(.landscape, application: "org.example.Player", reason: "plays a film")
      ended.increase()
    }
    usleep(200_000)
    try bus.end()
    let end = ContinuousClock.now + patience
    while ended.number < 2, ContinuousClock.now < end { usleep(10_000) }
    #expect(ended.number == 2)
  }

  @Test("has a hold that was refused after a restart as soon as the newer one is released")
  func orderOfHolds() throws {
    let bus = try PrivateBus()
    var fake: FakeDaemon? = try FakeDaemon(on: bus)
    let device = OrientationDevice(bus: .address(bus.address))
    let kept = AppTask { () -> [any InterfaceOrientationHolding]? in
      guard let older = try? await device.hold(.portrait, application: "org.example", reason: "behind"),
        let newer = try? await device.hold(.landscape, application: "org.example", reason: "in front")
      else { return nil }
      return [older, newer]
    }
    try fake?.wait(for: "the holds") { kept.values.count == 1 }
    fake = nil
    let second = try FakeDaemon(on: bus)
    second.hold = { second.calls.filter { $0 == "hold" }.count == 1 ? limits : nil }
    try second.wait(for: "the requests") { second.calls.filter { $0 == "hold" }.count == 2 }
    // It would count instead of the newer one.
    try second.spend(seconds: 7)
    #expect(second.calls.filter { $0 == "hold" }.count == 2)
    let released = AppTask { await kept.values[0]?[1].release() }
    try second.wait(for: "the older one") { second.calls.filter { $0 == "hold" }.count == 3 }
    withExtendedLifetime((kept, released)) {}
  }

  @Test("has ended its notifications if it drops the device while it keeps a hold")
  func lostEnd() throws {
    let tablet = try Tablet()
    let kept = AppTask { [address = tablet.rig.bus.address] () -> (any InterfaceOrientationHolding)? in
      let device = OrientationDevice(bus: .address(address))
      let hold = try? await device.hold(.portrait, application: "org.example", reason: "test")
      for await _ in device.orientations { break }
      return hold
    }
    try tablet.client.wait(for: "the hold") { kept.values.count == 1 }
    try tablet.client.wait(for: Self.generates, toBe: false)
    withExtendedLifetime(kept) {}
  }

  @Test("takes a socket that nobody serves for no bus")
  func deadSocket() throws {
    let bus = try PrivateBus()
    try bus.end()
    let device = OrientationDevice(bus: .address(bus.address))
    let states = AppLoop(over: device.daemonStates)
    try wait(for: "unavailable") {
      if case .unavailable = states.values.last { true } else { false }
    }
    if case .unavailable(let error) = device.daemonState {
      #expect(error.kind == .daemonUnavailable)
    }
  }

  @Test("waits for the release of a hold that is being taken again")
  func releasedWhileTaken() throws {
    let (kept, second) = try holdOfRestartedDaemon()
    second.delaysHold = true
    try second.wait(for: "the hold again") { second.calls.contains("hold") && !second.waiting.isEmpty }
    let released = AppTask { () -> Bool in
      await kept.values[0]?.release()
      return true
    }
    try second.spend(seconds: 1)
    #expect(
      released.values.isEmpty, "release() has returned; the daemon has not answered yet: \(second.calls)")
    let reply = try second.waiting[0].message.reply()
    try reply.append(9 as UInt32)
    try reply.send()
    try second.wait(for: "the release") { second.calls.contains("release") }
  }

  @Test("does not wait for ever for the release of a hold that is being taken again")
  func releasedWhileHanging() throws {
    let (kept, second) = try holdOfRestartedDaemon()
    second.delaysHold = true
    try second.wait(for: "the hold again") { !second.waiting.isEmpty }
    let released = AppTask { () -> Bool in
      await kept.values[0]?.release()
      return true
    }
    try second.spend(seconds: 20)
    #expect(released.values.isEmpty)
    try second.wait(for: "the end of the wait") { !released.values.isEmpty }
    // The daemon answers in the end, and does not keep the hold.
    let reply = try second.waiting[0].message.reply()
    try reply.append(9 as UInt32)
    try reply.send()
    try second.wait(for: "the release") { second.calls.contains("release") }
  }

  @Test("takes back what it has, though the daemon has too much to do at first")
  func refusedCancellation() throws {
    let bus = try PrivateBus()
    let fake = try FakeDaemon(on: bus)
    let device = OrientationDevice(bus: .address(bus.address))
    device.beginGeneratingDeviceOrientationNotifications()
    let kept = AppTask { try? await device.hold(.portrait, application: "org.example", reason: "test") }
    try fake.wait(for: "the hold") { kept.values.count == 1 && fake.calls.contains("begin") }
    let refuses = { (call: String) in fake.calls.filter { $0 == call }.count < 3 ? limits : nil }
    fake.end = { refuses("end") }
    fake.release = { refuses("release") }
    device.endGeneratingDeviceOrientationNotifications()
    let released = AppTask { () -> Bool in
      await kept.values[0]?.release()
      return true
    }
    try fake.wait(for: "the release") { !released.values.isEmpty }
    try fake.wait(for: "the end") { fake.calls.filter { $0 == "end" }.count == 3 }
    #expect(fake.calls.filter { $0 == "release" }.count == 3)
  }

  @Test("has its hold a little later if a restarted daemon refuses it at first")
  func refusedRetake() throws {
    let (kept, second) = try holdOfRestartedDaemon()
    // As the daemon does if polkit does not answer in time while the machine starts.
    var refusals = 0
    second.hold = {
      refusals += 1
      return refusals == 1
        ? BusError(name: "org.freedesktop.DBus.Error.AccessDenied", message: "polkit does not answer") : nil
    }
    try second.wait(for: "the refusal") { refusals == 1 }
    try second.wait(for: "another request") { refusals > 1 }
    withExtendedLifetime(kept) {}
  }

  @Test("gets no state of the screen twice in a row")
  func duplicates() throws {
    let tablet = try Tablet()
    let device = OrientationDevice(bus: .address(tablet.rig.bus.address))
    let states = AppLoop(over: device.screenStates)
    try tablet.client.wait(for: "running") { device.daemonState == .running }
    device.beginGeneratingDeviceOrientationNotifications()
    try tablet.client.wait(for: "portrait") { device.orientation == .portrait }
    try tablet.client.spend(seconds: 2)
    let values = states.values
    for (one, next) in zip(values, values.dropFirst()) where one == next {
      Issue.record("twice: \(one)")
    }
  }

  @Test("gets no old orientation, and no unknown one, in a loop right after another")
  func spurious() throws {
    let tablet = try Tablet()
    let device = OrientationDevice(bus: .address(tablet.rig.bus.address))
    let first = AppLoop(over: device.orientations)
    try tablet.client.wait(for: "portrait") { first.values == [.portrait] }
    tablet.rig.daemon.send(SIGSTOP)  // as if it were busy for 0.2 s
    first.cancel()
    usleep(100_000)
    let second = AppLoop(over: device.orientations)
    usleep(100_000)
    tablet.hold(.landscapeLeft)
    tablet.rig.daemon.send(SIGCONT)
    try tablet.client.wait(for: "landscapeLeft") { second.values.last == .landscapeLeft }
    #expect(second.values == [.landscapeLeft])
  }

  @Test("that drops its device leaves the bus, also if the daemon hangs")
  func leavesHanging() throws {
    let tablet = try Tablet()
    let names = {
      try tablet.client.bus.call(
        try tablet.client.bus.methodCall(
          destination: "org.freedesktop.DBus", path: "/org/freedesktop/DBus",
          interface: "org.freedesktop.DBus", member: "ListNames")
      ).readStrings().count
    }
    let before = try names()
    tablet.rig.daemon.send(SIGSTOP)
    do {
      let device = OrientationDevice(bus: .address(tablet.rig.bus.address))
      device.beginGeneratingDeviceOrientationNotifications()
      try TestSupport.wait(for: "connected") { try names() == before + 1 }
      usleep(300_000)
    }
    try TestSupport.wait(for: "the end of the connection") { try names() == before }
    tablet.rig.daemon.send(SIGCONT)
  }

  @Test("has what it wants from a daemon that hung for half a minute")
  func hungDaemon() throws {
    let tablet = try Tablet()
    let (device, other) = (
      OrientationDevice(bus: .address(tablet.rig.bus.address)),
      OrientationDevice(bus: .address(tablet.rig.bus.address))
    )
    let states = AppLoop(over: device.daemonStates)
    try tablet.client.wait(for: "running") { states.values.last == .running }
    tablet.rig.daemon.send(SIGSTOP)
    device.beginGeneratingDeviceOrientationNotifications()
    let locks = AppLoop(over: DesktopRotation(of: other).locks)
    usleep(27_000_000)
    tablet.rig.daemon.send(SIGCONT)
    try tablet.client.wait(for: "the orientation") { device.orientation == .portrait }
    try tablet.client.wait(for: "the lock") { locks.values == [.unlocked] }
    #expect(device.daemonState == .running && other.daemonState == .running)
    device.endGeneratingDeviceOrientationNotifications()
    try tablet.client.wait(for: Self.generates, toBe: false)
  }

  @Test("leaves nothing behind after loops that begin and end at the same time")
  func stress() throws {
    let tablet = try Tablet()
    let device = OrientationDevice(bus: .address(tablet.rig.bus.address))
    for round in 0..<20 {
      let loops = (0..<50).map { _ in AppLoop(over: device.orientations) }
      for loop in loops.shuffled() {
        if round % 2 == 0 { usleep(UInt32.random(in: 0...500)) }
        loop.cancel()
      }
      for _ in 0..<50 {
        device.beginGeneratingDeviceOrientationNotifications()
        device.endGeneratingDeviceOrientationNotifications()
      }
    }
    try tablet.client.wait(for: "the ends") { !device.isGeneratingDeviceOrientationNotifications }
    try tablet.client.wait(for: Self.generates, toBe: false)
    try tablet.client.spend(seconds: 1)
    #expect(try tablet.client.property(Self.generates) == false)
    device.beginGeneratingDeviceOrientationNotifications()
    try tablet.client.wait(for: Self.generates, toBe: true)
    device.endGeneratingDeviceOrientationNotifications()
    try tablet.client.wait(for: Self.generates, toBe: false)
  }

  @Test("does not believe changes that others send")
  func forged() throws {
    let bus = try PrivateBus()
    let fake = try FakeDaemon(on: bus)
    let attacker = try Bus.open(.address(bus.address))
    let list = {
      try attacker.call(
        try attacker.methodCall(
          destination: "org.freedesktop.DBus", path: "/org/freedesktop/DBus",
          interface: "org.freedesktop.DBus", member: "ListNames")
      ).readStrings()
    }
    let others = try list()
    let device = OrientationDevice(bus: .address(bus.address))
    device.beginGeneratingDeviceOrientationNotifications()
    let loop = AppLoop(over: device.orientations)
    try fake.wait(for: "portrait") { loop.values == [.portrait] }
    let names = try list().filter { !others.contains($0) }
    #expect(names.count == 1)
    for _ in 0..<1_000 {
      for name in names {
        let signal = try attacker.signal(
          path: "/org/orientationd1", interface: "org.freedesktop.DBus.Properties",
          member: "PropertiesChanged", to: name)
        try signal.append("org.orientationd1.Device")
        try signal.append(.array, "{sv}") { array throws(BusError) in
          try array.append(.dictionaryEntry, "sv") { entry throws(BusError) in
            try entry.append("Orientation")
            try entry.append(.variant, "u") { value throws(BusError) in try value.append(3 as UInt32) }
          }
        }
        try signal.append(.array, "s") { _ throws(BusError) in }
        try attacker.send(signal)
      }
      _ = try fake.loop.runOnce(timeoutSeconds: 0)
    }
    try attacker.flush()
    try fake.spend(seconds: 3)
    #expect(loop.values == [.portrait])
  }
}
