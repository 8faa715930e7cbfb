// SPDX-License-Identifier: Apache-2.0

import DaemonClient
import Glibc
import Orientation
import OrientationClient
import Synchronization
import TestSupport
import Testing

extension Tablet {
  /// The library of an app, on the bus of this tablet.
  var device: OrientationDevice { OrientationDevice(bus: .address(rig.bus.address)) }

  /// Runs an app's call while the test waits.
  func run<Result: Sendable>(
    _ call: @escaping @Sendable () async throws(OrientationError) -> Result
  ) throws -> Result {
    let shared = Shared<Result>()
    Task(executorPreference: AppThreads.shared) {
      do throws(OrientationError) {
        let value = try await call()
        shared.set(.success(value))
      } catch {
        shared.set(.failure(error))
      }
    }
    try client.wait(for: "the answer to an app") { shared.get() != nil }
    guard let answer = shared.get() else { fatalError("the wait has thrown") }
    return try answer.get()
  }
}

/// The errors that a task has got.
private final class Errors: Sendable {
  private let errors = Mutex<[OrientationError]>([])

  var kinds: [OrientationError.Kind] { errors.withLock { $0.map(\.kind) } }

  func add(_ error: OrientationError) { errors.withLock { $0.append(error) } }
}

/// A result that a task leaves for its test.
private final class Shared<Success: Sendable>: Sendable {
  private let result = Mutex<Result<Success, OrientationError>?>(nil)

  func set(_ value: Result<Success, OrientationError>) { result.withLock { $0 = value } }

  func get() -> Result<Success, OrientationError>? { result.withLock { $0 } }
}

@Suite("A Swift app")
struct OrientationDeviceTests {
  private static let generates = "GeneratesDeviceOrientationNotifications"

  @Test(
    "gets the present orientation and each change in a loop, which begins by itself and ends with its task")
  func loops() throws {
    let tablet = try Tablet()
    let loop = AppLoop(over: tablet.device.orientations)
    try tablet.client.wait(for: "portrait") { loop.values == [.portrait] }
    try tablet.turn(to: .landscapeLeft)
    try tablet.client.wait(for: "landscapeLeft") { loop.values == [.portrait, .landscapeLeft] }
    try tablet.client.wait(for: Self.generates, toBe: true)
    loop.cancel()
    try tablet.client.wait(for: Self.generates, toBe: false)
  }

  @Test("whose subscription is refused, as there are too many, begins once others have ended")
  func refusedSubscription() throws {
    let tablet = try Tablet(configuration: "MaxClientsPerUser=1")
    let other = try BegunClient(on: tablet.rig.bus)
    let loop = AppLoop(over: tablet.device.orientations)
    try tablet.client.spend(seconds: 1)
    #expect(loop.values.allSatisfy { $0 == .unknown })
    try other.end()
    try tablet.client.wait(for: "portrait") { loop.values.last == .portrait }
    try tablet.client.wait(for: Self.generates, toBe: true)
    loop.cancel()
    try tablet.client.wait(for: Self.generates, toBe: false)
  }

  @Test("whose loop is left by a break has ended its notifications, too")
  func breaks() throws {
    let tablet = try Tablet()
    let device = tablet.device
    let first = try tablet.run { () throws(OrientationError) in
      for await orientation in device.orientations { return orientation }
      return DeviceOrientation.unknown
    }
    #expect(first == .portrait)
    try tablet.client.wait(for: Self.generates, toBe: false)
    #expect(!device.isGeneratingDeviceOrientationNotifications)
  }

  @Test("has the orientation from its first begin to its last end, and unknown before and after")
  func nests() throws {
    let tablet = try Tablet()
    let device = tablet.device
    #expect(device.orientation == .unknown)
    device.beginGeneratingDeviceOrientationNotifications()
    device.beginGeneratingDeviceOrientationNotifications()
    try tablet.client.wait(for: "portrait") { device.orientation == .portrait }
    device.endGeneratingDeviceOrientationNotifications()
    #expect(device.isGeneratingDeviceOrientationNotifications)
    #expect(try tablet.client.property(Self.generates) == true)
    device.endGeneratingDeviceOrientationNotifications()
    // One end too many does not count against the next begin.
    device.endGeneratingDeviceOrientationNotifications()
    #expect(device.orientation == .unknown)
    try tablet.client.wait(for: Self.generates, toBe: false)
    device.beginGeneratingDeviceOrientationNotifications()
    try tablet.client.wait(for: "portrait again") { device.orientation == .portrait }
  }

  @Test("goes on with its loops if an app ends what it has not begun, as articles do")
  func endsWithoutBegin() throws {
    let tablet = try Tablet()
    let device = tablet.device
    let loop = AppLoop(over: device.orientations)
    try tablet.client.wait(for: "portrait") { loop.values == [.portrait] }
    for _ in 1...3 { device.endGeneratingDeviceOrientationNotifications() }
    #expect(device.isGeneratingDeviceOrientationNotifications)
    tablet.hold(.landscapeLeft)
    try tablet.client.wait(for: "landscape") { loop.values == [.portrait, .landscapeLeft] }
    #expect(try tablet.client.property(Self.generates) == true)
  }

  @Test("offers a locked interface the orientation in which the device is")
  func suggests() throws {
    let tablet = try Tablet()
    let device = tablet.device
    let desktop = DesktopRotation(of: device)
    let suggestions = AppLoop(over: desktop.suggestedOrientations)
    try tablet.client.wait(for: "the interface") { suggestions.values == [.portrait] }
    try tablet.client.lock(true)
    tablet.hold(.landscapeLeft)
    try tablet.client.wait(for: "a suggestion") { suggestions.values == [.portrait, .landscapeRight] }
    #expect(desktop.suggestedOrientation == .landscapeRight)
    #expect(device.interfaceOrientation == .portrait)
    #expect(device.tabletMode == .unknown)
    #expect(
      try tablet.run { () throws(OrientationError) in try await desktop.permissionToRotate() } == .granted)
  }

  @Test("knows the panel, also a landscape one, as soon as the daemon has answered, and in each orientation")
  func panel() throws {
    for natural in [NaturalOrientation.portrait, .landscapeLeft, .landscapeRight] {
      let tablet = try Tablet(configuration: "NaturalOrientation=\(natural.rawValue)\n")
      let device = tablet.device
      #expect(device.naturalOrientation == nil)
      let loop = AppLoop(over: device.interfaceOrientations)
      for (held, transform) in [
        (DeviceOrientation.landscapeLeft, OutputTransform.threeQuarters), (.portrait, .normal),
      ] {
        tablet.hold(held)
        // The chip is mounted for the panel, so its readings turn with it.
        try tablet.client.wait(for: "the transform") {
          device.transform == transform && device.interfaceOrientation == loop.values.last
        }
        #expect(device.naturalOrientation == natural)
      }
    }
  }

  @Test("calls nobody if an app ends what nobody has begun")
  func endsUnused() throws {
    let tablet = try Tablet()
    let device = tablet.device
    device.endGeneratingDeviceOrientationNotifications()
    // The calls of all objects are made on one thread, in their order.
    let desktop = DesktopRotation(of: tablet.device)
    _ = try tablet.run { () throws(OrientationError) in try await desktop.toggleLock() }
    #expect(device.daemonState == .notContacted)
  }

  @Test("has begun again, and holds again, when the daemon was restarted")
  func restarts() throws {
    let tablet = try Tablet()
    let device = tablet.device
    let loop = AppLoop(over: device.orientations)
    try tablet.client.wait(for: "portrait") { loop.values == [.portrait] }
    let hold = try tablet.run { () throws(OrientationError) in
      try await device.hold(.landscape, application: "org.example.Player", reason: "plays a film")
    }
    try tablet.client.wait(for: "InterfaceOrientationName", toBe: "landscapeLeft")
    #expect(try tablet.rig.end() == 0)
    try tablet.client.wait(for: "the end of the daemon") { loop.values.last == .unknown }
    let another = try tablet.rig.startAnotherDaemon()
    defer { withExtendedLifetime(another) {} }
    try tablet.client.wait(for: "portrait again") { loop.values == [.portrait, .unknown, .portrait] }
    try tablet.client.wait(for: "InterfaceOrientationName", toBe: "landscapeLeft")
    _ = try tablet.run { () throws(OrientationError) in await hold.release() }
    #expect(try tablet.client.property("InterfaceOrientationName") == "portrait")
  }

  @Test("that reads all of the device again is not told of values that were not read")
  func readsAgain() throws {
    let tablet = try Tablet()
    let device = tablet.device
    let screens = AppLoop(over: device.screenSnapshots)
    for _ in 0..<3 {
      let loop = AppLoop(over: device.deviceSnapshots)
      try tablet.client.wait(for: "portrait") { loop.values.last?.orientation == .portrait }
      #expect(loop.values.allSatisfy { $0.hasAccelerometer })
      loop.cancel()
      try tablet.client.wait(for: "GeneratesDeviceOrientationNotifications", toBe: false)
    }
    #expect(!screens.values.isEmpty)
  }

  @Test("that starts before the daemon is told that there is none, and goes on when there is one")
  func comesLater() throws {
    let bus = try PrivateBus()
    let device = OrientationDevice(bus: .address(bus.address))
    let (states, orientations) = (AppLoop(over: device.daemonStates), AppLoop(over: device.orientations))
    try wait(for: "the state of a daemon that is missing") {
      if case .unavailable(let error)? = states.values.last {
        error.kind == .daemonUnavailable
      } else {
        false
      }
    }
    #expect(orientations.values == [])
    let tablet = try Tablet(bus: bus)
    try tablet.client.wait(for: "portrait") { orientations.values == [.portrait] }
    try tablet.client.wait(for: "the state of a daemon that runs") { states.values.last == .running }
  }

  /// Creates or replaces a symbolic link.
  private func link(in folder: TemporaryFolder, _ name: String, to target: String) throws {
    let (path, new) = ("\(folder.path)/\(name)", "\(folder.path)/new")
    try #require(symlink(target, new) == 0 && rename(new, path) == 0)
  }

  @Test("whose bus ends is told so, and goes on when there is a bus again")
  func busEnds() throws {
    let folder = try TemporaryFolder()
    let first = try Tablet()
    try link(in: folder, "bus", to: "\(first.rig.bus.folder.path)/bus")
    let device = OrientationDevice(bus: .address("unix:path=\(folder.path)/bus"))
    let loop = AppLoop(over: device.orientations)
    try first.client.wait(for: "portrait") { loop.values == [.portrait] }
    try first.rig.bus.end()
    try wait(for: "the end of the bus") { loop.values == [.portrait, .unknown] }
    if case .unavailable(let error) = device.daemonState {
      #expect(error.kind == .daemonUnavailable)
    } else {
      Issue.record("\(device.daemonState)")
    }
    let second = try Tablet()
    second.hold(.faceUp)
    try link(in: folder, "bus", to: "\(second.rig.bus.folder.path)/bus")
    try second.client.wait(for: "faceUp") { loop.values.last == .faceUp }
  }

  @Test("sees the lock change, and finds it changed when its call returns")
  func locks() throws {
    let tablet = try Tablet()
    let device = tablet.device
    let desktop = DesktopRotation(of: device)
    let loop = AppLoop(over: desktop.locks)
    try tablet.client.wait(for: "the lock") { loop.values == [.unlocked] }
    #expect(try tablet.client.property(Self.generates) == false)
    #expect(
      try tablet.run { () throws(OrientationError) in try await desktop.permissionToSetLock() } == .granted)
    let isLocked = try tablet.run { () throws(OrientationError) in
      try await desktop.setLock(.locked)
      return desktop.lock == .locked
    }
    #expect(isLocked)
    try tablet.client.lock(false)
    try tablet.client.wait(for: "the lock") { loop.values == [.unlocked, .locked, .unlocked] }
  }

  @Test("rotates the interface by hand and back to the device, and gets the error of what is not supported")
  func rotates() throws {
    let tablet = try Tablet.generating()
    let device = tablet.device
    let loop = AppLoop(over: device.interfaceOrientations)
    try tablet.client.wait(for: "the interface") { loop.values == [.portrait] }
    _ = try tablet.run { () throws(OrientationError) in
      try await DesktopRotation(of: device).rotate(to: .landscapeLeft)
    }
    #expect(device.interfaceOrientation == .landscapeLeft)
    let back = try tablet.run { () throws(OrientationError) in
      try await device.attemptRotationToDeviceOrientation()
    }
    #expect(back == .portrait)
    try tablet.client.support(2)
    let error = #expect(throws: OrientationError.self) {
      _ = try tablet.run { () throws(OrientationError) in
        try await DesktopRotation(of: device).rotate(to: .landscapeLeft)
      }
    }
    #expect(error?.kind == .unsupportedOrientation)
    try tablet.client.wait(for: "the interface") { loop.values == [.portrait, .landscapeLeft, .portrait] }
  }

  @Test("whose hold is released by nobody releases it with the last reference, and a refused one throws")
  func holds() throws {
    let tablet = try Tablet.generating()
    let device = tablet.device
    do {
      let hold = try tablet.run { () throws(OrientationError) in
        try await device.hold(.landscape, application: "org.example.Player", reason: "plays a film")
      }
      #expect(try tablet.client.property("InterfaceOrientationName") == "landscapeLeft")
      #expect(device.interfaceOrientation == .landscapeLeft)
      withExtendedLifetime(hold) {}
    }
    try tablet.client.wait(for: "InterfaceOrientationName", toBe: "portrait")
    let error = #expect(throws: OrientationError.self) {
      _ = try tablet.run { () throws(OrientationError) in
        try await device.hold([], application: "org.example.Player", reason: "plays a film")
      }
    }
    #expect(error?.kind == .invalidArguments)
  }

  @Test(
    "whose task is cancelled while the daemon hangs goes on at once, and a hold that is granted later is released",
    arguments: [false, true])
  func cancels(isLate: Bool) throws {
    let tablet = try Tablet.generating()
    let device = tablet.device
    let loop = AppLoop(over: DesktopRotation(of: device).locks)
    try tablet.client.wait(for: "the daemon") { loop.values == [.unlocked] }
    tablet.rig.daemon.send(SIGSTOP)
    let errors = Errors()
    let task = Task(executorPreference: AppThreads.shared) {
      do throws(OrientationError) {
        _ = try await device.hold(.landscape, application: "org.example.Player", reason: "plays a film")
      } catch {
        errors.add(error)
      }
    }
    // Ample for the call to be sent; nothing shows that while the daemon hangs.
    if isLate { usleep(300_000) }
    task.cancel()
    try wait(for: "the end of the call") { !errors.kinds.isEmpty }
    #expect(errors.kinds == [.cancelled])
    tablet.rig.daemon.send(SIGCONT)
    // The hold and its release are in the order of the calls of this app.
    let isLocked = try tablet.run { () throws(OrientationError) in
      try await DesktopRotation(of: device).toggleLock()
    }
    #expect(isLocked == .locked)
    try tablet.client.wait(for: "InterfaceOrientationHolds", toBe: .holds([]))
    #expect(try tablet.client.property("EffectiveInterfaceOrientations") == 30)
  }

  @Test("with a null character in a text gets an error, instead of a hold with a part of the text")
  func nullCharacter() throws {
    let tablet = try Tablet.generating()
    let device = tablet.device
    let error = #expect(throws: OrientationError.self) {
      _ = try tablet.run { () throws(OrientationError) in
        try await device.hold(.landscape, application: "org\0example", reason: "plays a film")
      }
    }
    #expect(error?.kind == .invalidArguments)
    #expect(try tablet.client.property("InterfaceOrientationHolds") == .holds([]))
  }

  @Test("that drops its device leaves the bus, and its notifications end")
  func leaves() throws {
    let tablet = try Tablet()
    do {
      let device = tablet.device
      device.beginGeneratingDeviceOrientationNotifications()
      try tablet.client.wait(for: "portrait") { device.orientation == .portrait }
    }
    try tablet.client.wait(for: Self.generates, toBe: false)
  }
}
