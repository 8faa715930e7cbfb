// SPDX-License-Identifier: Apache-2.0

import Orientation
import OrientationClient
import Testing

private let someMasks: [InterfaceOrientationMask] = [
  .all, .portrait, .landscape, .allButUpsideDown, [.portrait, .landscapeLeft],
  [.landscapeRight, .portraitUpsideDown],
]

@Suite("The orientations that an app, its window and its view support")
@MainActor
struct SupportedOrientationTests {
  @Test("are held if they are fewer than all: what the three have in common")
  func intersection() async {
    for app in someMasks {
      for window in someMasks {
        for view in someMasks {
          let common = app.intersection(window).intersection(view)
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
    #expect(app.screen.holdCount == 0)
    try await app.turn(to: .portraitUpsideDown)
    #expect(app.controller.interfaceOrientation == .portraitUpsideDown)
    #expect(app.screen.holdCount == 0)
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
    #expect(conflict.levels == [.view, .app])
    await app.controller.settled()
    #expect(app.screen.heldTo == [.portrait])
    try await app.turn(to: .landscapeLeft)
    #expect(app.screen.history == [.portrait])

    app.controller.applicationOrientations = .all
    await app.controller.settled()
    #expect(app.screen.heldTo == [.landscape])
    #expect(app.controller.interfaceOrientation == .landscapeRight)
  }

  @Test("with nothing in common are one problem, however often the rules are read")
  func emptyIntersectionIsReportedOnce() async throws {
    let app = await TestApp(app: .portrait)
    var problems = app.controller.problems.makeAsyncIterator()
    app.controller.windowOrientations = .landscape
    app.controller.setNeedsUpdateOfSupportedInterfaceOrientations()
    app.controller.windowOrientations = .portraitUpsideDown
    var found: [[InterfaceOrientationLevel]] = []
    for _ in 0..<2 {
      if case .conflict(let conflict)? = await problems.next() { found.append(conflict.levels) }
    }
    #expect(found == [[.window, .app], [.window, .app]])
    app.controller.rotate(to: .landscapeLeft)
    #expect(await problems.next() == .unsupportedRotation(to: .landscapeLeft, supported: []))
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
    let screen = FakeScreen()
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
