// SPDX-License-Identifier: Apache-2.0

import Orientation
import OrientationClient
import OrientationClientTesting
import Testing

@Suite("A transition of the interface")
@MainActor
struct TransitionTests {
  @Test("is told to containers before their children")
  func order() async throws {
    let log = ViewLog()
    let inner = TestView(name: "inner", log: log)
    let app = await TestApp(TestView(child: inner, name: "outer", log: log))
    try await app.turn(to: .landscapeLeft)
    #expect(log.lines == ["outer landscapeRight", "inner landscapeRight"])
  }

  @Test("changes interfaceOrientation before views are told")
  func orientationIsNew() async throws {
    @MainActor
    final class Reader: InterfaceOrientationView {
      weak var controller: InterfaceOrientationController?
      var seen: [InterfaceOrientation?] = []
      func interfaceOrientationDidChange(_ transition: InterfaceOrientationTransition) {
        seen.append(controller?.interfaceOrientation)
      }
    }
    let reader = Reader()
    let app = await TestApp(reader)
    reader.controller = app.controller
    try await app.turn(to: .portraitUpsideDown)
    #expect(reader.seen == [.portraitUpsideDown])
  }

  @Test("has both orientations, the turn on the screen, and may be animated")
  func values() async throws {
    let view = TestView()
    let app = await TestApp(view)
    try await app.turn(to: .landscapeRight)
    let transition = try #require(view.transitions.first)
    #expect(transition.from == .portrait)
    #expect(transition.to == .landscapeLeft)
    #expect(transition.turn == .counterclockwise)
    #expect(transition.mayBeAnimated)
    #expect(
      view.transitions == [
        InterfaceOrientationTransition(from: .portrait, to: .landscapeLeft, mayBeAnimated: true)
      ])
  }

  @Test("of an app's tests is one that views can be told")
  func created() {
    let first = InterfaceOrientationTransition(from: .unknown, to: .landscapeRight, mayBeAnimated: true)
    #expect(first?.turn == .zero)
    #expect(first?.mayBeAnimated == false)
    #expect(InterfaceOrientationTransition(from: .portrait, to: .portrait, mayBeAnimated: true) == nil)
    #expect(InterfaceOrientationTransition(from: .portrait, to: .unknown, mayBeAnimated: true) == nil)
  }

  @Test("by half a turn is told, too, though the size stays the same")
  func halfTurn() async throws {
    let view = TestView()
    let app = await TestApp(view)
    try await app.turn(to: .landscapeLeft)
    try await app.turn(to: .landscapeRight)
    #expect(view.transitions.map(\.turn) == [.clockwise, .half])
  }

  @Test("is told to visible views only; a hidden one finds the present orientation when it is visible again")
  func hiddenViews() async throws {
    let log = ViewLog()
    let navigation = NavigationContainer(root: TestView(name: "root", log: log))
    let app = await TestApp(navigation)
    navigation.push(TestView(name: "top", log: log))
    try await app.turn(to: .landscapeLeft)
    app.controller.present(TestView(name: "front", log: log))
    try await app.turn(to: .portrait)
    #expect(log.lines == ["top landscapeRight", "front portrait"])
    app.controller.dismiss()
    await app.controller.settled()
    #expect(app.controller.interfaceOrientation == .portrait)
    // Nothing has changed since it was presented: the view behind is not notified.
    #expect(log.lines.count == 2)
    try app.controller.rotate(to: .landscapeLeft)
    await app.controller.settled()
    #expect(log.lines.last == "top landscapeLeft")
  }

  @Test("that a presentation causes is told to the presented view")
  func presentation() async throws {
    let view = TestView(.landscape, prefers: .landscapeRight)
    let app = await TestApp()
    app.controller.present(view)
    await app.controller.settled()
    #expect(view.transitions.map(\.to) == [.landscapeRight])
  }

  @Test("reaches any number of readers, until the controller is gone")
  func readers() async throws {
    var app: TestApp? = await TestApp()
    let streams = [app?.controller.transitions, app?.controller.transitions].compactMap { $0 }
    try await app?.turn(to: .landscapeLeft)
    try await app?.turn(to: .landscapeRight)
    app = nil
    for stream in streams {
      var reported: [InterfaceOrientation] = []
      for await transition in stream { reported.append(transition.to) }
      #expect(reported == [.landscapeRight, .landscapeLeft])
    }
  }

  @Test("to the first orientation that is known is one from unknown, without an animation")
  func first() async throws {
    let screen = SimulatedScreen()
    screen.setSilent(true)
    let view = TestView()
    let app = await TestApp(view, on: screen)
    #expect(app.controller.interfaceOrientation == .unknown)
    screen.setSilent(false)
    try await app.catchUp()
    #expect(view.transitions.map(\.from) == [.unknown])
    #expect(view.transitions.map(\.to) == [.portrait])
    #expect(view.transitions.map(\.turn) == [.zero])
    #expect(view.transitions.map(\.mayBeAnimated) == [false])
  }

  @Test("may present a view that stays: it is where the interface is now, not where it was")
  func presentsAFixedView() async throws {
    @MainActor
    final class Presenter: InterfaceOrientationView {
      weak var controller: InterfaceOrientationController?
      func interfaceOrientationDidChange(_ transition: InterfaceOrientationTransition) {
        controller?.present(TestView(autorotates: false))
      }
    }
    let presenter = Presenter()
    let app = await TestApp(presenter)
    presenter.controller = app.controller
    try await app.turn(to: .landscapeLeft)
    #expect(app.screen.heldTo == [.landscapeRight])
    #expect(app.screen.history == [.portrait, .landscapeRight])
  }

  @Test("may change the rules: a view that is presented by a view that is told")
  func presentsDuringTransition() async throws {
    @MainActor
    final class Presenter: InterfaceOrientationView {
      weak var controller: InterfaceOrientationController?
      func interfaceOrientationDidChange(_ transition: InterfaceOrientationTransition) {
        controller?.present(TestView(.portrait))
      }
    }
    let presenter = Presenter()
    let app = await TestApp(presenter)
    presenter.controller = app.controller
    app.screen.turn(to: .landscapeLeft)
    try await eventually("a view is presented") { app.controller.presentedViews.count == 1 }
    await app.controller.settled()
    #expect(app.screen.heldTo == [.portrait])
    #expect(app.controller.interfaceOrientation == .portrait)
    #expect(app.controller.presentedViews.count == 1)
  }
}
