// SPDX-License-Identifier: Apache-2.0

import Orientation
import OrientationClient
import TestSupport
import Testing

@MainActor
private final class Page: InterfaceOrientationView {
  let supportedInterfaceOrientations: InterfaceOrientationMask
  private(set) var transitions: [InterfaceOrientationTransition] = []

  init(_ supported: InterfaceOrientationMask) { supportedInterfaceOrientations = supported }

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
    controller.present(film)
    await controller.settled()
    #expect(try tablet.client.property("InterfaceOrientationName") == "landscapeLeft")
    #expect(controller.interfaceOrientation == .landscapeLeft)
    tablet.hold(.landscapeLeft)
    try await wait(for: "the turn of the film") { controller.interfaceOrientation == .landscapeRight }
    #expect(film.transitions.map(\.to) == [.landscapeLeft, .landscapeRight])
    controller.dismiss()
    await controller.settled()
    #expect(try tablet.client.property("InterfaceOrientationName") == "portrait")
    #expect(root.transitions.map(\.to) == [.portrait])
    controller.isActive = false
    await controller.settled()
    #expect(try tablet.client.property("InterfaceOrientationHolds") == .holds([]))
    try await wait(for: "the end of the subscription") {
      try tablet.client.property("GeneratesDeviceOrientationNotifications") == false
    }
    #expect(controller.lastProblem == nil)
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
    try tablet.client.support(2)
    try await wait(for: "the conflict") { controller.lastProblem != nil }
    guard case .conflict(let conflict)? = controller.lastProblem else {
      Issue.record("\(String(describing: controller.lastProblem))")
      return
    }
    #expect(conflict.levels == [.view, .device])
    // The person's choice counts.
    #expect(try tablet.client.property("InterfaceOrientationName") == "portrait")
  }
}
