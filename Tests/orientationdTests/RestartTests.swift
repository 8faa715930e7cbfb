// SPDX-License-Identifier: Apache-2.0

import Foundation
import MockDevices
import Orientation
import OrientationClient
import Systemd
import TestSupport
import Testing

/// A tablet whose daemon can be started anew beside the same clients.
private final class RestartedTablet {
  let runtime: TemporaryFolder
  let state: TemporaryFolder
  let tablet: Tablet
  private var daemons: [ChildProcess] = []

  var client: Client { tablet.client }

  /// How a daemon ends.
  enum End: CaseIterable { case stopped, killed }

  init(configuration: String = "") throws {
    runtime = try TemporaryFolder()
    state = try TemporaryFolder()
    tablet = try Tablet(
      configuration: configuration, options: ["--state", state.path],
      environment: ["RUNTIME_DIRECTORY": runtime.path])
  }

  /// Starts the daemon with a client that has begun, and waits until it knows how the tablet is held.
  static func generating() throws -> RestartedTablet {
    let tablet = try RestartedTablet()
    try tablet.client.begin()
    try tablet.client.wait(for: "OrientationName", toBe: "portrait")
    return tablet
  }

  /// Writes another configuration, for the next daemon.
  func configure(_ line: String) throws {
    _ = try tablet.rig.folder.write("AxisConvention=kernel\n\(line)\n", to: "test.conf")
  }

  /// Ends the daemon, does something meanwhile, and starts another one.
  func restart(_ end: End = .stopped, meanwhile work: () throws -> Void = {}) throws {
    let daemon = daemons.last ?? tablet.rig.daemon
    daemon.send(end == .stopped ? SIGTERM : SIGKILL)
    _ = try daemon.exitCode()
    try work()
    daemons.append(try tablet.rig.startAnotherDaemon())
  }
}

@Suite("A restart of the daemon")
struct RestartTests {
  private static let generates = "GeneratesDeviceOrientationNotifications"

  @Test("leaves who has begun as they are", arguments: RestartedTablet.End.allCases)
  private func begun(end: RestartedTablet.End) throws {
    let tablet = try RestartedTablet()
    try tablet.client.begin()
    try tablet.client.begin()
    try tablet.client.wait(for: "OrientationName", toBe: "portrait")
    try tablet.restart(end)
    #expect(try tablet.client.property(Self.generates) == true)
    try tablet.tablet.turn(to: .landscapeLeft)
    try tablet.client.end()
    #expect(try tablet.client.property(Self.generates) == true)
    try tablet.client.end()
    #expect(try tablet.client.property(Self.generates) == false)
    #expect(throws: BusError.self) { try tablet.client.end() }
  }

  @Test(
    "leaves who turns the screen, for whom the sensor runs again", arguments: RestartedTablet.End.allCases)
  private func following(end: RestartedTablet.End) throws {
    let tablet = try RestartedTablet()
    _ = try tablet.client.call("BeginFollowing", of: Daemon.screenInterface)
    try tablet.client.wait(for: "OrientationName", toBe: "portrait")
    try tablet.restart(end)
    #expect(try tablet.client.property("Followers") == .texts([tablet.client.bus.uniqueName]))
    try tablet.tablet.turn(to: .landscapeLeft)
    #expect(try tablet.client.property("InterfaceOrientationName") == "landscapeRight")
    _ = try tablet.client.call("EndFollowing", of: Daemon.screenInterface)
    try tablet.client.wait(for: "SensorStatus", toBe: "idle")
  }

  @Test("counts once who begins again because of it")
  func repetition() throws {
    let tablet = try RestartedTablet.generating()
    try tablet.restart()
    try tablet.client.begin()
    try tablet.client.end()
    #expect(try tablet.client.property(Self.generates) == false)
  }

  @Test("forgets who has left meanwhile")
  func left() throws {
    let tablet = try RestartedTablet()
    var other: Client? = try Client(on: tablet.tablet.rig.bus)
    try other?.begin()
    try tablet.client.wait(for: Self.generates, toBe: true)
    try tablet.restart { other = nil }
    #expect(try tablet.client.property(Self.generates) == false)
  }

  @Test("tells of no orientation that clients know, and once of another one")
  func announcements() throws {
    let tablet = try RestartedTablet.generating()
    try tablet.client.forget()
    try tablet.restart()
    try tablet.client.wait(for: "SensorStatus", toBe: "active")
    try tablet.client.spend(seconds: 1)
    #expect(tablet.client.lastOrientation == nil)
    #expect(try tablet.client.property("OrientationName") == "portrait")
    try tablet.restart { tablet.tablet.hold(.landscapeLeft) }
    try tablet.client.wait(for: "OrientationName", toBe: "landscapeLeft")
    try tablet.client.spend(seconds: 1)
    let turns = tablet.client.heard.filter {
      switch $0 {
      case .orientation, .interface: true
      case .changed, .screenChanged: false
      }
    }
    #expect(turns == [.orientation(3, "landscapeLeft"), .interface(3, "landscapeRight", previous: 1)])
  }

  @Test("leaves the interface of a tablet that lies flat as it was, and is no first start")
  func flat() throws {
    let tablet = try RestartedTablet(configuration: "InitialInterfaceOrientation=portraitUpsideDown")
    try tablet.client.begin()
    try tablet.tablet.turn(to: .portrait)
    try tablet.tablet.turn(to: .landscapeLeft)
    try tablet.tablet.turn(to: .faceUp)
    try tablet.client.wait(for: "InterfaceOrientationName", toBe: "landscapeRight")
    try tablet.restart()
    #expect(try tablet.client.property("InterfaceOrientationName") == "landscapeRight")
    try tablet.client.wait(for: "SensorStatus", toBe: "active")
    try tablet.client.spend(seconds: 0.5)
    #expect(try tablet.client.property("InterfaceOrientationName") == "landscapeRight")
    #expect(try tablet.client.property("OrientationName") == "faceUp")
  }

  @Test("leaves the interface to know how the device is held, although nobody turns it")
  func rotatedToDevice() throws {
    let tablet = try RestartedTablet.generating()
    try tablet.restart()
    try tablet.client.wait(for: "SensorStatus", toBe: "active")
    try tablet.client.spend(seconds: 0.5)
    try tablet.client.rotate(to: 3)
    #expect(try tablet.client.property("InterfaceOrientationName") == "landscapeRight")
    try tablet.client.attemptRotation()
    #expect(try tablet.client.property("InterfaceOrientationName") == "portrait")
  }

  @Test("leaves a locked interface to know how the device was held as it was locked, and not how it is since")
  func locked() throws {
    let tablet = try RestartedTablet.generating()
    try tablet.client.lock()
    try tablet.tablet.turnUnheard(to: .landscapeLeft)
    try tablet.restart()
    try tablet.client.wait(for: "SensorStatus", toBe: "active")
    try tablet.client.lock(false)
    try tablet.client.wait(for: "InterfaceOrientationName", toBe: "landscapeRight")
    try tablet.client.rotate(to: 4)
    // A turn, as the interface has taken the one before.
    tablet.tablet.hold(.portrait)
    try tablet.client.wait(for: "InterfaceOrientationName", toBe: "portrait")
  }

  /// A laptop.
  private func laptop() throws -> RestartedTablet {
    let tablet = try RestartedTablet(configuration: "FollowIn=tablet")
    try tablet.restart { tablet.tablet.rig.kernel.addHinge(angle: "100") }
    try tablet.client.begin()
    try tablet.client.wait(for: "TabletMode", toBe: "laptop")
    return tablet
  }

  /// A laptop whose interface a person has turned.
  private func turnedLaptop() throws -> RestartedTablet {
    let tablet = try laptop()
    try tablet.client.wait(for: "OrientationName", toBe: "portrait")
    try tablet.client.rotate(to: 4)
    return tablet
  }

  @Test("leaves a laptop's interface as a person turns it before the mode is known again")
  func turnedEarly() throws {
    let tablet = try laptop()
    try tablet.client.end()
    try tablet.restart()
    #expect(try tablet.client.property("TabletMode") == "unknown")
    try tablet.client.rotate(to: 4)
    try tablet.client.begin()
    try tablet.client.wait(for: "TabletMode", toBe: "laptop")
    try tablet.client.catchUp()
    #expect(try tablet.client.property("InterfaceOrientationName") == "landscapeLeft")
  }

  @Test("leaves a laptop's interface as a person has turned it, but a fold does not")
  func turned() throws {
    let tablet = try turnedLaptop()
    try tablet.client.forget()
    try tablet.restart()
    try tablet.client.wait(for: "TabletMode", toBe: "laptop")
    try tablet.client.spend(seconds: 0.5)
    #expect(try tablet.client.property("InterfaceOrientationName") == "landscapeLeft")
    #expect(!tablet.client.heard.contains { if case .interface = $0 { true } else { false } })
    tablet.tablet.rig.kernel.set("in_angl_raw", of: MockKernel.hingePath, to: "350")
    try tablet.client.wait(for: "TabletMode", toBe: "tablet")
    try tablet.client.wait(for: "InterfaceOrientationName", toBe: "portrait")
  }

  @Test("does not hide that a laptop was folded meanwhile")
  func folded() throws {
    let tablet = try turnedLaptop()
    try tablet.restart { tablet.tablet.rig.kernel.set("in_angl_raw", of: MockKernel.hingePath, to: "350") }
    try tablet.client.wait(for: "TabletMode", toBe: "tablet")
    try tablet.client.wait(for: "InterfaceOrientationName", toBe: "portrait")
  }

  @Test("brings nothing back that an app has released or ended while no daemon ran")
  func endedMeanwhile() throws {
    let tablet = try RestartedTablet()
    let device = tablet.tablet.device
    let loop = AppLoop(over: device.orientations)
    try tablet.client.wait(for: "portrait") { loop.values == [DeviceOrientation.portrait] }
    let hold = try tablet.tablet.run { () throws(OrientationError) in
      try await device.hold(.landscape, application: "org.example.Player", reason: "plays a film")
    }
    try tablet.client.wait(for: "InterfaceOrientationName", toBe: "landscapeLeft")
    try tablet.restart {
      try tablet.client.wait(for: "the end of the daemon") { loop.values.last == DeviceOrientation.unknown }
      loop.cancel()
      _ = try tablet.tablet.run { () throws(OrientationError) in await hold.release() }
    }
    try tablet.client.wait(for: "InterfaceOrientationName", toBe: "portrait")
    try tablet.client.wait(for: Self.generates, toBe: false)
  }

  @Test("leaves an app's hold as it is, also if the app asks for the same again")
  func holds() throws {
    let tablet = try RestartedTablet.generating()
    let (reason, other) = ("plays \"50 %\" of a %0a film é", "rests")
    let hold = try tablet.client.hold(8, reason: reason)
    let newer = try tablet.client.hold(24, reason: other)
    let orientation = try tablet.client.property("InterfaceOrientationName")
    let holds = try tablet.client.property("InterfaceOrientationHolds")
    try tablet.restart()
    #expect(try tablet.client.property("InterfaceOrientationHolds") == holds)
    #expect(try tablet.client.property("InterfaceOrientationName") == orientation)
    #expect(try tablet.client.hold(24, reason: other) == newer)
    #expect(try tablet.client.property("InterfaceOrientationHolds") == holds)
    #expect(try tablet.client.hold(24, reason: other) == newer + 1)
    try tablet.client.release(newer + 1)
    try tablet.client.release(newer)
    try tablet.client.release(hold)
    #expect(try tablet.client.property("InterfaceOrientationName") == "portrait")
  }

  @Test("leaves how the interface stands under each hold", arguments: RestartedTablet.End.allCases)
  private func olderHold(end: RestartedTablet.End) throws {
    let tablet = try RestartedTablet.generating()
    _ = try tablet.client.hold(24, reason: "plays a film")
    let beneath = try tablet.client.property("InterfaceOrientationName")
    let newer = try tablet.client.hold(beneath == "landscapeLeft" ? 8 : 16, reason: "takes a picture")
    #expect(try tablet.client.property("InterfaceOrientationName") != beneath)
    try tablet.restart(end)
    #expect(try tablet.client.property("InterfaceOrientationName") != beneath)
    try tablet.client.release(newer)
    #expect(try tablet.client.property("InterfaceOrientationName") == beneath)
  }

  @Test("returns the number of a hold that waits, or of one of as many as there may be")
  func holdsThatWait() throws {
    let tablet = try RestartedTablet()
    let numbers = try (0..<8).map { try tablet.client.hold(8, reason: "film \($0)") }
    try tablet.client.support(1 << 1)
    try tablet.restart()
    for (index, number) in numbers.enumerated() {
      #expect(try tablet.client.hold(8, reason: "film \(index)") == number)
    }
    for number in numbers { try tablet.client.release(number) }
  }

  @Test("leaves what the lock holds, wherever the device was turned since")
  func lock() throws {
    let tablet = try RestartedTablet.generating()
    try tablet.client.lock()
    try tablet.tablet.turnUnheard(to: .landscapeLeft)
    try tablet.client.forget()
    try tablet.restart()
    #expect(try tablet.client.property("OrientationName") == "portrait")
    try tablet.client.wait(for: "SensorStatus", toBe: "active")
    try tablet.client.spend(seconds: 0.5)
    #expect(try tablet.client.property("OrientationName") == "portrait")
    #expect(tablet.client.lastOrientation == nil)
    try tablet.client.lock(false)
    try tablet.client.wait(for: "OrientationName", toBe: "landscapeLeft")
  }

  @Test("without a sensor leaves no orientation")
  func sensorThatHasGone() throws {
    let tablet = try RestartedTablet.generating()
    try tablet.restart { tablet.tablet.rig.kernel.remove(chipPath) }
    try tablet.client.wait(for: "SensorStatus", toBe: "absent")
    #expect(try tablet.client.property("OrientationName") == "unknown")
  }

  @Test("leaves what a client has begun, also if it is more than a client may begin by then")
  func moreThanTheLimit() throws {
    let tablet = try RestartedTablet()
    for _ in 0..<3 { try tablet.client.begin() }
    try tablet.restart { try tablet.configure("MaxBeginsPerClient=2") }
    for left in [true, true, false] {
      try tablet.client.end()
      #expect(try tablet.client.property(Self.generates) == .boolean(left))
    }
  }

  @Test("counts again who has ended first")
  func endFirst() throws {
    let tablet = try RestartedTablet()
    try tablet.client.begin()
    try tablet.client.begin()
    try tablet.client.wait(for: "OrientationName", toBe: "portrait")
    try tablet.restart()
    try tablet.client.end()
    try tablet.client.begin()
    try tablet.client.end()
    #expect(try tablet.client.property(Self.generates) == true)
    try tablet.client.end()
    #expect(try tablet.client.property(Self.generates) == false)
  }

  @Test("gives the interface another orientation if the configuration has another")
  func initialOrientation() throws {
    let tablet = try RestartedTablet()
    #expect(try tablet.client.property("InterfaceOrientationName") == "portrait")
    try tablet.restart { try tablet.configure("InitialInterfaceOrientation=landscapeLeft") }
    #expect(try tablet.client.property("InterfaceOrientationName") == "landscapeLeft")
  }

  @Test("takes the configuration's orientation again if a sensor has decided since, but nobody has chosen")
  func otherInitialOrientation() throws {
    let tablet = try RestartedTablet(configuration: "InitialInterfaceOrientation=landscapeLeft")
    try tablet.client.begin()
    try tablet.client.wait(for: "OrientationName", toBe: "portrait")
    #expect(try tablet.client.property("InterfaceOrientationName") == "landscapeLeft")
    try tablet.restart()
    try tablet.client.wait(for: "OrientationName", toBe: "portrait")
    #expect(try tablet.client.property("InterfaceOrientationName") == "landscapeLeft")
    try tablet.restart { try tablet.configure("InitialInterfaceOrientation=landscapeRight") }
    try tablet.client.wait(for: "OrientationName", toBe: "portrait")
    #expect(try tablet.client.property("InterfaceOrientationName") == "landscapeRight")
    tablet.tablet.hold(.portraitUpsideDown)
    try tablet.client.wait(for: "InterfaceOrientationName", toBe: "portraitUpsideDown")
  }

  @Test("has the interface follow the device again if the configuration's orientation is not there any more")
  func noInitialOrientation() throws {
    let tablet = try RestartedTablet(configuration: "InitialInterfaceOrientation=landscapeRight")
    tablet.tablet.hold(.landscapeRight)
    try tablet.client.begin()
    try tablet.client.wait(for: "OrientationName", toBe: "landscapeRight")
    #expect(try tablet.client.property("InterfaceOrientationName") == "landscapeRight")
    try tablet.restart { try tablet.configure("") }
    try tablet.client.wait(for: "InterfaceOrientationName", toBe: "landscapeLeft")
  }

  @Test("forgets a rotation by hand, or a lock, that was not saved, and the interface follows the device")
  func lostState() throws {
    let tablet = try RestartedTablet.generating()
    try tablet.client.rotate(to: 4)
    try tablet.restart { try FileManager.default.removeItem(atPath: "\(tablet.state.path)/state") }
    #expect(try tablet.client.property("InterfaceOrientationName") == "portrait")
    try tablet.client.lock()
    tablet.tablet.hold(.landscapeLeft)
    try tablet.client.spend(seconds: 2)
    #expect(try tablet.client.property("InterfaceOrientationName") == "portrait")
    try tablet.restart { try FileManager.default.removeItem(atPath: "\(tablet.state.path)/state") }
    try tablet.client.wait(for: "InterfaceOrientationName", toBe: "landscapeRight")
  }

  @Test("leaves no claim where another program serves it by then")
  func claimsOfAnother() throws {
    let tablet = try RestartedTablet(configuration: "SensorProxy=yes")
    let program = try ProxyClient(on: tablet.tablet.rig.bus)
    try program.call("ClaimAccelerometer")
    try tablet.client.wait(for: Self.generates, toBe: true)
    let neighbour = try Bus.open(.address(tablet.tablet.rig.bus.address))
    try tablet.restart { try neighbour.requestName(ProxyClient.name) }
    try tablet.client.wait(for: Self.generates, toBe: false)
    withExtendedLifetime(neighbour) {}
  }

  @Test("leaves claims of a sensor as they are", arguments: RestartedTablet.End.allCases)
  private func claims(end: RestartedTablet.End) throws {
    let tablet = try RestartedTablet(configuration: "SensorProxy=yes")
    let program = try ProxyClient(on: tablet.tablet.rig.bus)
    try program.call("ClaimAccelerometer")
    try program.wait(for: "AccelerometerOrientation", toBe: "normal")
    try program.catchUp()
    let heard = program.heard.count
    try tablet.restart(end)
    try program.wait(for: "what has changed") { program.heard.count > heard }
    #expect(program.heard(of: "AccelerometerOrientation").last == "normal")
    tablet.tablet.hold(.landscapeLeft)
    try program.wait(for: "the turn") { program.heard(of: "AccelerometerOrientation").last == "right-up" }
    try program.call("ReleaseAccelerometer")
    try tablet.client.wait(for: Self.generates, toBe: false)
  }

  @Test("leaves many claims as they are, and tells each client what it must know")
  func manyClaims() throws {
    let tablet = try RestartedTablet(configuration: "SensorProxy=yes")
    let programs = try (0..<48).map { _ in try ProxyClient(on: tablet.tablet.rig.bus) }
    for program in programs { try program.call("ClaimAccelerometer") }
    for program in programs { try program.catchUp() }
    let heard = programs.map { $0.heard(of: "AccelerometerOrientation").count }
    try tablet.restart { tablet.tablet.hold(.landscapeLeft) }
    for program in programs {
      try program.wait(for: "the turn") { program.heard(of: "AccelerometerOrientation").last == "right-up" }
    }
    for (program, count) in zip(programs, heard) {
      try program.catchUp()
      // Where it was, if that is known before the sensor has decided; and the turn.
      let orientations = Array(program.heard(of: "AccelerometerOrientation").dropFirst(count))
      #expect(orientations == ["normal", "right-up"] || orientations == ["right-up"])
    }
  }

  @Test("keeps the name of iio-sensor-proxy, also if it was not to be served any more for a while")
  func keptName() throws {
    let manager = try NotifySocket()
    let rig = try Rig(
      sensor: "simulated", configuration: "SensorProxy=yes", environment: ["NOTIFY_SOCKET": manager.path])
    func owners() throws -> Int {
      let question = try rig.client.bus.methodCall(
        destination: "org.freedesktop.DBus", path: "/org/freedesktop/DBus", interface: "org.freedesktop.DBus",
        member: "ListQueuedOwners")
      try question.append(ProxyClient.name)
      return try rig.client.bus.call(question).readStrings().count
    }
    try rig.client.wait(for: "the connection that waits for the name") { try owners() == 2 }
    _ = try rig.folder.write("SensorProxy=no", to: "test.conf")
    rig.daemon.send(SIGHUP)
    try rig.waitForLog("SensorProxy=no (was yes) needs a restart")
    _ = try rig.folder.write("SensorProxy=yes", to: "test.conf")
    rig.daemon.send(SIGHUP)
    try rig.waitForLog("as at the start; no restart is needed")
    #expect(try owners() == 2)
  }

  @Test("of which nothing can be read, or of another bus, is a first start", arguments: ["", "other"])
  func unreadable(text: String) throws {
    let tablet = try RestartedTablet.generating()
    let file = "\(tablet.runtime.path)/restart"
    try tablet.restart {
      let known = try String(contentsOfFile: file, encoding: .utf8)
      #expect(known.contains("begun :"))
      let id = try #require(known.split(separator: "\n").first?.split(separator: " ").last)
      let changed = text.isEmpty ? "" : known.replacingOccurrences(of: id, with: String(id.reversed()) + "0")
      try changed.write(toFile: file, atomically: true, encoding: .utf8)
    }
    #expect(try tablet.client.property(Self.generates) == false)
  }
}
