// SPDX-License-Identifier: Apache-2.0

import Orientation
import OrientationClient
import TestSupport
import Testing

@MainActor
private final class Page: InterfaceOrientationView {
  let supportedInterfaceOrientations: InterfaceOrientationMask
  let preferredInterfaceOrientationForPresentation: InterfaceOrientation?
  private(set) var transitions: [InterfaceOrientationTransition] = []

  init(_ supported: InterfaceOrientationMask, prefers: InterfaceOrientation? = nil) {
    supportedInterfaceOrientations = supported
    preferredInterfaceOrientationForPresentation = prefers
  }

  func interfaceOrientationDidChange(_ transition: InterfaceOrientationTransition) {
    transitions.append(transition)
  }
}

@Suite("An app's controller, beside the daemon")
@MainActor
struct AppControllerTests {
  private func controller(of root: Page, on tablet: Tablet) -> InterfaceOrientationController {
    InterfaceOrientationController(
      screen: OrientationDevice(bus: .address(tablet.rig.bus.address)), application: "org.example.Player",
      root: root)
  }

  /// Lets the app go on until something is so.
  private func wait(for what: String, until holds: () throws -> Bool) async throws {
    let end = ContinuousClock.now + patience
    while try !holds() {
      guard ContinuousClock.now < end else { throw GaveUp(description: "in vain: \(what)") }
      try await Task.sleep(for: .milliseconds(5))
    }
  }

  @Test(
    "shows a film in landscape and the app behind it in portrait again, and holds nothing in the background")
  func film() async throws {
    let tablet = try Tablet()
    let (root, film) = (Page(.portrait), Page(.landscape))
    let controller = controller(of: root, on: tablet)
    await controller.settled()
    #expect(try tablet.client.property("EffectiveInterfaceOrientations") == 2)
    try await wait(for: "the first orientation") { controller.interfaceOrientation == .portrait }
    controller.present(film)
    await controller.settled()
    try await wait(for: "the film") { controller.interfaceOrientation == .landscapeLeft }
    #expect(try tablet.client.property("InterfaceOrientationName") == "landscapeLeft")
    tablet.hold(.landscapeLeft)
    try await wait(for: "the turn of the film") { controller.interfaceOrientation == .landscapeRight }
    #expect(film.transitions.map(\.to) == [.landscapeLeft, .landscapeRight])
    controller.dismiss()
    await controller.settled()
    #expect(try tablet.client.property("InterfaceOrientationName") == "portrait")
    #expect(root.transitions.map(\.from) == [.unknown, .landscapeRight])
    #expect(root.transitions.map(\.to) == [.portrait, .portrait])
    controller.isInForeground = false
    await controller.settled()
    #expect(try tablet.client.property("InterfaceOrientationHolds") == .holds([]))
    try await wait(for: "the end of the subscription") {
      try tablet.client.property("GeneratesDeviceOrientationNotifications") == false
    }
    #expect(controller.lastProblem == .screenIsNotTurned)
  }

  @Test("has the bus start a daemon that cannot be started once only, and holds when there is one")
  func noDaemon() async throws {
    let folder = try TemporaryFolder()
    let command = "/bin/sh -c 'echo >>\(folder.path)/starts; exit 1'"
    let bus = try PrivateBus(activating: [Daemon.busName: command])
    let controller = InterfaceOrientationController(
      screen: OrientationDevice(bus: .address(bus.address)), application: "org.example.Player",
      root: Page(.landscape))
    await controller.settled()
    let starts = folder.read("starts")
    #expect(starts != "")
    // It would be requested again after 5.
    try await Task.sleep(for: .seconds(6))
    #expect(folder.read("starts") == starts)
    let tablet = try Tablet(bus: bus)
    try await wait(for: "the hold") { controller.interfaceOrientation.isLandscape }
    withExtendedLifetime(tablet) {}
  }

  @Test("that begins, or is in the foreground again, leaves what a person has rotated by hand")
  func rotatedByHand() async throws {
    let bus = try PrivateBus()
    let polkit = try MockPolkit(on: bus, .allow)
    let tablet = try Tablet(bus: bus)
    try tablet.client.begin()
    try tablet.client.wait(for: "OrientationName", toBe: "portrait")
    try tablet.client.rotate(to: 4)
    let controller = controller(of: Page(.allButUpsideDown), on: tablet)
    for _ in 0..<2 {
      await controller.settled()
      try await wait(for: "the interface") { controller.interfaceOrientation != .unknown }
      #expect(controller.interfaceOrientation == .landscapeLeft)
      #expect(try tablet.client.property("InterfaceOrientationName") == "landscapeLeft")
      controller.isInForeground = false
      await controller.settled()
      controller.isInForeground = true
    }
    #expect(try !polkit.questions.isEmpty)
  }

  @Test("turns once if the app asks for the device's orientation while a view is where it prefers to be")
  func attempt() async throws {
    let tablet = try Tablet()
    let controller = controller(of: Page(.allButUpsideDown), on: tablet)
    await controller.settled()
    try await wait(for: "the device") { controller.interfaceOrientation == .portrait }
    let film = Page(.allButUpsideDown, prefers: .landscapeRight)
    controller.present(film)
    await controller.settled()
    try await wait(for: "the film") { controller.interfaceOrientation == .landscapeRight }
    controller.attemptRotationToDeviceOrientation()
    await controller.settled()
    try await wait(for: "the device again") { controller.interfaceOrientation == .portrait }
    #expect(film.transitions.map(\.to) == [.landscapeRight, .portrait])
  }

  @Test("presents a view as it prefers, and shows the one behind as it was, though the tablet lies flat")
  func flat() async throws {
    let tablet = try Tablet()
    let controller = controller(of: Page(.allButUpsideDown), on: tablet)
    await controller.settled()
    try await wait(for: "the device") { try tablet.client.property("OrientationName") == "portrait" }
    tablet.hold(.faceUp)
    try await wait(for: "the table") { try tablet.client.property("OrientationName") == "faceUp" }
    controller.present(Page(.landscape, prefers: .landscapeRight))
    await controller.settled()
    #expect(try tablet.client.property("InterfaceOrientationName") == "landscapeRight")
    #expect(try tablet.client.property("EffectiveInterfaceOrientations") == 24)
    controller.dismiss()
    await controller.settled()
    #expect(try tablet.client.property("InterfaceOrientationName") == "portrait")
    #expect(try tablet.client.property("EffectiveInterfaceOrientations") == 26)
    #expect(controller.lastProblem == .screenIsNotTurned)
  }

  @Test("comes back from the background to a tablet that was turned meanwhile: one change, not animated")
  func turnedInTheBackground() async throws {
    let tablet = try Tablet()
    let root = Page(.all)
    let controller = controller(of: root, on: tablet)
    try await wait(for: "the first orientation") { root.transitions.count == 1 }
    try await wait(for: "the device") { try tablet.client.property("OrientationName") == "portrait" }
    controller.isInForeground = false
    try await wait(for: "the end of the subscription") {
      try tablet.client.property("GeneratesDeviceOrientationNotifications") == false
    }
    tablet.hold(.landscapeLeft)
    controller.isInForeground = true
    try await wait(for: "landscape") { controller.interfaceOrientation == .landscapeRight }
    tablet.hold(.portrait)
    try await wait(for: "portrait") { controller.interfaceOrientation == .portrait }
    #expect(root.transitions.map(\.to) == [.portrait, .landscapeRight, .portrait])
    #expect(root.transitions.map(\.mayBeAnimated) == [false, false, true])
  }

  @Test("dismisses a view while polkit still considers its hold: nothing of it is left")
  func slowPolkit() async throws {
    let bus = try PrivateBus()
    let polkit = try MockPolkit(on: bus, .hang)
    let tablet = try Tablet(bus: bus)
    let controller = controller(of: Page(.all), on: tablet)
    await controller.settled()
    controller.present(Page(.landscape))
    try await wait(for: "the question") { try polkit.questions.count == 1 }
    controller.dismiss()
    try polkit.allowLastFirst()
    await controller.settled()
    #expect(try tablet.client.property("InterfaceOrientationHolds") == .holds([]))
    #expect(try tablet.client.property("InterfaceOrientationName") == "portrait")
    #expect(controller.lastProblem == nil)
  }

  @Test("shows the view in front after a restart, though the hold of the one behind is granted later")
  func orderAfterRestart() async throws {
    let state = try TemporaryFolder()
    let tablet = try Tablet(options: ["--state", state.path])
    let controller = controller(of: Page(.portrait), on: tablet)
    controller.present(Page(.landscape))
    await controller.settled()
    #expect(try tablet.client.property("EffectiveInterfaceOrientations") == 24)
    try tablet.client.support(24)
    #expect(try tablet.rig.end() == 0)
    let another = try tablet.rig.startAnotherDaemon()
    defer { withExtendedLifetime(another) {} }
    try await wait(for: "the hold") {
      try tablet.client.property("EffectiveInterfaceOrientations") == 24
        && controller.interfaceOrientation.isLandscape
    }
    try tablet.client.support(30)
    try await wait(for: "the choice") { try tablet.client.property("SupportedInterfaceOrientations") == 30 }
    try await Task.sleep(for: .seconds(1))
    await controller.settled()
    #expect(try tablet.client.property("EffectiveInterfaceOrientations") == 24)
    controller.dismiss()
    try await wait(for: "the view behind") {
      try tablet.client.property("EffectiveInterfaceOrientations") == 2
    }
  }

  @Test("has its hold again after a restart of the daemon, and reports what the person does not support")
  func restart() async throws {
    let tablet = try Tablet()
    let controller = controller(of: Page(.landscape), on: tablet)
    await controller.settled()
    #expect(try tablet.client.property("EffectiveInterfaceOrientations") == 24)
    #expect(try tablet.rig.end() == 0)
    let another = try tablet.rig.startAnotherDaemon()
    defer { withExtendedLifetime(another) {} }
    try await wait(for: "the hold") { try tablet.client.property("EffectiveInterfaceOrientations") == 24 }
    let problems = controller.problems
    try tablet.client.support(2)
    // That nothing turns the screen is reported, too.
    for await problem in problems {
      guard case .conflict(let conflict) = problem else { continue }
      #expect(conflict.levels == [.view, .device])
      break
    }
    // The person's choice counts.
    #expect(try tablet.client.property("InterfaceOrientationName") == "portrait")
  }
}
