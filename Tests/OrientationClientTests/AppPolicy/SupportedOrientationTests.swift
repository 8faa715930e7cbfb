// SPDX-License-Identifier: Apache-2.0

import Orientation
import OrientationClient
import OrientationClientTesting
import Testing

private let someMasks: [InterfaceOrientationMask] = [
  .all, .portrait, .landscape, .allButUpsideDown, [.portrait, .landscapeLeft],
  [.landscapeRight, .portraitUpsideDown],
]

@Suite("The orientations that an app, its window and its view support")
@MainActor
struct SupportedOrientationTests {
  @Test("are held if they are fewer than all: what view and window have in common, or view and app")
  func intersection() async {
    for app in someMasks {
      for window in someMasks + [nil] {
        for view in someMasks {
          // UIKit: the delegate's answer for a window replaces the app's own list.
          let common = (window ?? app).intersection(view)
          guard !common.isEmpty else { continue }
          let test = await TestApp(TestView(view), app: app, window: window)
          #expect(test.screen.heldTo == (common == .all ? [] : [common]))
          #expect(common.contains(test.controller.interfaceOrientation))
          #expect(test.controller.lastProblem == nil)
        }
      }
    }
  }

  @Test("restrict nothing by default: no hold, and the interface follows the device")
  func defaults() async throws {
    final class Plain: InterfaceOrientationView {}
    let app = await TestApp(Plain())
    #expect(app.screen.holdsTaken == 0)
    try await app.turn(to: .portraitUpsideDown)
    #expect(app.controller.interfaceOrientation == .portraitUpsideDown)
    #expect(app.screen.holdsTaken == 0)
  }

  @Test("are told to people with the app's id and a reason")
  func reason() async {
    let app = await TestApp(TestView(.landscape))
    #expect(app.screen.holds.map(\.application) == ["org.example.Test"])
    #expect(app.screen.holds.map(\.reason) == ["its view is for landscapeRight and landscapeLeft"])
  }

  @Test("with nothing in common do not end the app: the view is shown as it is, and the levels are named")
  func emptyIntersection() async throws {
    let app = await TestApp(app: [.portrait, .portraitUpsideDown])
    let view = TestView(.landscape)
    app.controller.present(view)
    guard case .conflict(let conflict)? = app.controller.lastProblem else {
      Issue.record("\(String(describing: app.controller.lastProblem))")
      return
    }
    #expect(conflict.levels == [.view, .application])
    await app.controller.settled()
    #expect(app.screen.heldTo.last == .portrait)
    try await app.turn(to: .landscapeLeft)
    #expect(app.screen.history == [.portrait])

    app.controller.applicationOrientations = .all
    await app.controller.settled()
    #expect(app.screen.heldTo.last == .landscape)
    #expect(app.controller.interfaceOrientation == .landscapeRight)
  }

  @Test("with nothing in common leave the view where it was: it does not follow what other apps hold")
  func emptyIntersectionBesideAnotherApp() async throws {
    let app = await TestApp(TestView(.landscape), app: .portrait)
    #expect(app.screen.heldTo == [.portrait])
    let other = await TestApp(TestView(.landscape), on: app.screen)
    try await app.catchUp()
    #expect(app.screen.holdsTaken == 2)
    other.controller.isInForeground = false
    await other.controller.settled()
    try await app.catchUp()
    #expect(app.screen.heldTo == [.portrait])
    #expect(app.controller.interfaceOrientation == .portrait)
  }

  @Test("with nothing in common are one problem, however often the rules are read")
  func emptyIntersectionIsReportedOnce() async throws {
    let app = await TestApp(TestView(.portrait), app: .landscape, window: .all)
    var problems = app.controller.problems.makeAsyncIterator()
    app.controller.windowOrientations = .landscape
    app.controller.setNeedsUpdateOfSupportedInterfaceOrientations()
    app.controller.windowOrientations = .portraitUpsideDown
    var found: [[InterfaceOrientationLevel]] = []
    var last: InterfaceOrientationConflict?
    for _ in 0..<2 {
      if case .conflict(let conflict)? = await problems.next() {
        found.append(conflict.levels)
        last = conflict
      }
    }
    #expect(found == [[.view, .window], [.view, .window]])
    #expect(throws: InterfaceOrientationProblem.conflict(try #require(last))) {
      try app.controller.rotate(to: .landscapeLeft)
    }
  }

  @Test("with nothing in common are no problem for a view that does not autorotate")
  func emptyIntersectionWithoutAutorotation() async throws {
    let app = await TestApp(app: .portrait)
    app.controller.present(TestView(.landscape, autorotates: false))
    await app.controller.settled()
    #expect(app.controller.lastProblem == nil)
    #expect(app.controller.interfaceOrientation == .portrait)
    #expect(app.screen.heldTo == [.portrait])
  }

  @Test("may exclude those that the person allows: the view waits, and turns when the person allows one")
  func person() async throws {
    let screen = SimulatedScreen()
    screen.support(.portrait)
    let app = await TestApp(TestView(.landscape), on: screen)
    guard case .conflict(let conflict)? = app.controller.lastProblem else {
      Issue.record("\(String(describing: app.controller.lastProblem))")
      return
    }
    #expect(conflict.levels == [.view, .device])
    #expect(app.controller.interfaceOrientation == .portrait)
    screen.support(.all)
    try await eventually("the view is landscape") { app.controller.interfaceOrientation.isLandscape }
    await app.controller.settled()
    #expect(screen.heldTo == [.landscape])
  }

  @Test("may lose the one in which the view was placed: it keeps its hold, and takes another")
  func personForbidsThePlacement() async throws {
    for isPresented in [true, false] {
      let app = await TestApp(TestView(.landscape))
      if isPresented {
        app.controller.present(TestView(.landscape, prefers: .landscapeRight))
      } else {
        try app.controller.rotate(to: .landscapeRight)
        await app.controller.settled()
      }
      app.screen.support([.portrait, .landscapeLeft])
      await app.controller.settled()
      try await app.catchUp()
      #expect(app.controller.interfaceOrientation == .landscapeLeft)
      app.controller.isInForeground = false
      await app.controller.settled()
      app.controller.isInForeground = true
      await app.controller.settled()
      #expect(app.controller.interfaceOrientation == .landscapeLeft)
      #expect(app.screen.heldTo == [.landscape])
    }
  }

  @Test("may all be forbidden by the person to a view that does not autorotate: that is no problem")
  func personForbidsAFixedView() async throws {
    let app = await TestApp(TestView(.portrait, autorotates: false))
    app.screen.support(.landscape)
    try await app.catchUp()
    app.controller.isInForeground = false
    await app.controller.settled()
    app.controller.isInForeground = true
    await app.controller.settled()
    #expect(app.controller.lastProblem == nil)
    app.screen.support(.all)
    try await eventually("the view is portrait") { app.controller.interfaceOrientation == .portrait }
    await app.controller.settled()
    #expect(app.screen.heldTo == [.portrait])
  }

  @Test("may be asked for while a view is asked for them")
  func updateWithinAnAnswer() async throws {
    @MainActor
    final class Asking: InterfaceOrientationView {
      weak var controller: InterfaceOrientationController?
      var supportedInterfaceOrientations: InterfaceOrientationMask {
        controller?.setNeedsUpdateOfSupportedInterfaceOrientations()
        return .landscape
      }
    }
    let view = Asking()
    let app = await TestApp(view)
    view.controller = app.controller
    app.controller.setNeedsUpdateOfSupportedInterfaceOrientations()
    await app.controller.settled()
    #expect(app.screen.heldTo == [.landscape])
  }

  @Test("of a view that is presented while another is asked after a turn are held")
  func presentedWithinAnAnswer() async throws {
    @MainActor
    final class Asking: InterfaceOrientationView {
      weak var app: InterfaceOrientationController?
      var device: (() -> DeviceOrientation)?
      let film = TestView(.portrait)
      var supportedInterfaceOrientations: InterfaceOrientationMask {
        if device?() == .landscapeLeft { app?.present(film) }
        return .all
      }
    }
    let view = Asking()
    let app = await TestApp(view)
    (view.app, view.device) = (app.controller, { app.screen.screenState.device })
    app.screen.turn(to: .landscapeLeft)
    try await eventually("the film is held") { app.screen.heldTo == [.portrait] }
    await app.controller.settled()
    #expect(app.controller.presentedViews.count == 1)
  }

  @Test("may be asked by a container that wants an update whenever it is asked for its child: it ends")
  func updateWithinTheChild() async throws {
    @MainActor
    final class Asking: InterfaceOrientationView {
      weak var app: InterfaceOrientationController?
      let child = TestView(.landscape)
      var asked = 0
      var childForInterfaceOrientation: (any InterfaceOrientationView)? {
        asked += 1
        app?.setNeedsUpdateOfSupportedInterfaceOrientations()
        return child
      }
    }
    let view = Asking()
    let app = await TestApp(view)
    view.app = app.controller
    try await app.turn(to: .landscapeLeft)
    #expect(app.screen.heldTo == [.landscape])
    #expect(view.asked < 100)
  }

  @Test("of a root that was replaced are not held any more")
  func replacedRoot() async throws {
    let old = TestView(.landscape)
    let app = await TestApp(old)
    app.controller.root = TestView(.portrait)
    await app.controller.settled()
    #expect(app.screen.heldTo == [.portrait])
    withExtendedLifetime(old) {}
  }

  @Test("are asked for again after setNeedsUpdateOfSupportedInterfaceOrientations, and take effect at once")
  func setNeedsUpdate() async throws {
    let view = TestView()
    let app = await TestApp(view)
    try await app.turn(to: .landscapeLeft)
    view.supportedInterfaceOrientations = .portrait
    app.controller.setNeedsUpdateOfSupportedInterfaceOrientations()
    await app.controller.settled()
    #expect(app.controller.interfaceOrientation == .portrait)
    #expect(app.screen.heldTo == [.portrait])
    view.supportedInterfaceOrientations = .all
    app.controller.setNeedsUpdateOfSupportedInterfaceOrientations()
    await app.controller.settled()
    #expect(app.controller.interfaceOrientation == .landscapeRight)
    #expect(app.screen.holds.isEmpty)
  }
}
