// SPDX-License-Identifier: Apache-2.0

import Orientation
import OrientationClient
import OrientationClientTesting
import TestSupport

/// What the views of a test were told, in order.
@MainActor
final class ViewLog {
  var lines: [String] = []
}

/// A view with the rules that a test gives it.
@MainActor
final class TestView: InterfaceOrientationView {
  let name: String
  var shouldAutorotate: Bool
  var supportedInterfaceOrientations: InterfaceOrientationMask
  var preferredInterfaceOrientationForPresentation: InterfaceOrientation?
  var childForInterfaceOrientation: (any InterfaceOrientationView)?
  var transitions: [InterfaceOrientationTransition] = []
  private let log: ViewLog?

  init(
    _ supported: InterfaceOrientationMask = .all, autorotates: Bool = true,
    prefers: InterfaceOrientation? = nil,
    child: (any InterfaceOrientationView)? = nil, name: String = "view", log: ViewLog? = nil
  ) {
    self.name = name
    self.log = log
    shouldAutorotate = autorotates
    supportedInterfaceOrientations = supported
    preferredInterfaceOrientationForPresentation = prefers
    childForInterfaceOrientation = child
  }

  func interfaceOrientationDidChange(_ transition: InterfaceOrientationTransition) {
    transitions.append(transition)
    log?.lines.append("\(name) \(transition.to.name)")
  }
}

/// An app on a fake screen.
@MainActor
struct TestApp {
  let screen: SimulatedScreen
  let controller: InterfaceOrientationController

  /// Starts an app, and waits until it holds what it has to.
  init(
    _ root: any InterfaceOrientationView = TestView(), on screen: SimulatedScreen = SimulatedScreen(),
    app: InterfaceOrientationMask = .all, window: InterfaceOrientationMask? = nil
  ) async {
    self.screen = screen
    controller = InterfaceOrientationController(
      screen: screen, application: "org.example.Test", root: root, applicationOrientations: app,
      windowOrientations: window)
    await controller.settled()
  }

  /// Turns the tablet, and waits until the app has heard of it.
  func turn(to orientation: DeviceOrientation) async throws {
    screen.turn(to: orientation)
    try await catchUp()
  }

  /// Waits until the app shows what the screen shows, and has requested all that follows from it.
  func catchUp() async throws {
    try await eventually("the app shows \(screen.interface.name)") {
      controller.interfaceOrientation == screen.interface
    }
    await controller.settled()
  }
}

/// Waits until something holds.
@MainActor
func eventually(_ what: String, _ holds: () -> Bool) async throws {
  let end = ContinuousClock.now + patience
  while !holds() {
    guard ContinuousClock.now < end else { throw GaveUp(description: "in vain: \(what)") }
    await Task.yield()
  }
}
