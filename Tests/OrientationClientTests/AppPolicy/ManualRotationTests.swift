// SPDX-License-Identifier: Apache-2.0

import Orientation
import OrientationClient
import OrientationClientTesting
import Testing

@Suite("An app that rotates its interface itself")
@MainActor
struct ManualRotationTests {
  @Test("while it does not autorotate, gets what it asks for, for as long as the view is in front")
  func byHand() async throws {
    let app = await TestApp()
    app.controller.present(TestView(autorotates: false))
    try app.controller.rotate(to: .landscapeLeft)
    await app.controller.settled()
    #expect(app.controller.interfaceOrientation == .landscapeLeft)
    try await app.turn(to: .portraitUpsideDown)
    #expect(app.controller.interfaceOrientation == .landscapeLeft)
    try app.controller.rotate(to: .portrait)
    await app.controller.settled()
    #expect(app.screen.heldTo == [.portrait])
    #expect(app.screen.history == [.portrait, .landscapeLeft, .portrait])
    app.controller.dismiss()
    await app.controller.settled()
    #expect(app.controller.interfaceOrientation == .portraitUpsideDown)
  }

  @Test("gets the orientation that the device already has")
  func whereTheDeviceIs() async throws {
    let app = await TestApp(TestView(autorotates: false))
    try await app.turn(to: .landscapeLeft)
    #expect(app.controller.interfaceOrientation == .portrait)
    for _ in 0..<2 {
      try app.controller.rotate(to: .landscapeRight)
      await app.controller.settled()
      #expect(app.controller.interfaceOrientation == .landscapeRight)
    }
    #expect(app.screen.heldTo == [.landscapeRight])
    try app.controller.rotate(to: .portrait)
    await app.controller.settled()
    #expect(app.controller.interfaceOrientation == .portrait)
    #expect(app.controller.lastProblem == nil)
  }

  @Test("while it autorotates, gets what it asks for until the device is turned")
  func untilTheNextTurn() async throws {
    let app = await TestApp()
    try app.controller.rotate(to: .landscapeLeft)
    await app.controller.settled()
    #expect(app.controller.interfaceOrientation == .landscapeLeft)
    try await app.turn(to: .faceUp)
    #expect(app.controller.interfaceOrientation == .landscapeLeft)
    try await app.turn(to: .portraitUpsideDown)
    #expect(app.controller.interfaceOrientation == .portraitUpsideDown)
  }

  @Test("keeps what it asked for when its rules change and still allow it, until the device is turned")
  func rulesChangeAfterwards() async throws {
    let view = TestView()
    let app = await TestApp(view)
    try app.controller.rotate(to: .landscapeLeft)
    await app.controller.settled()
    view.supportedInterfaceOrientations = .allButUpsideDown
    app.controller.setNeedsUpdateOfSupportedInterfaceOrientations()
    await app.controller.settled()
    #expect(app.screen.history == [.portrait, .landscapeLeft])
    try await app.turn(to: .landscapeLeft)
    #expect(app.controller.interfaceOrientation == .landscapeRight)
    view.supportedInterfaceOrientations = .all
    app.controller.setNeedsUpdateOfSupportedInterfaceOrientations()
    await app.controller.settled()
    #expect(app.screen.holds.isEmpty)
    #expect(app.controller.interfaceOrientation == .landscapeRight)
  }

  @Test("gets the same orientation again, after the device was turned in between")
  func sameAgain() async throws {
    let app = await TestApp(TestView(.allButUpsideDown))
    for _ in 0..<2 {
      try await app.turn(to: .portrait)
      try app.controller.rotate(to: .landscapeLeft)
      await app.controller.settled()
      #expect(app.controller.interfaceOrientation == .landscapeLeft)
      try await app.turn(to: .landscapeLeft)
      #expect(app.controller.interfaceOrientation == .landscapeRight)
    }
  }

  @Test("gets what it asked for last: a rotation by hand after an attempt, or while that is under way")
  func afterAnAttempt() async throws {
    for isUnderWay in [false, true] {
      let app = await TestApp(TestView(.allButUpsideDown))
      try await app.screen.rotate(to: .landscapeRight)
      try await app.catchUp()
      if isUnderWay { app.screen.pause() }
      app.controller.attemptRotationToDeviceOrientation()
      if isUnderWay { try await eventually("the app attempts") { app.screen.pausedCalls == 1 } }
      try app.controller.rotate(to: .landscapeLeft)
      app.screen.resume()
      await app.controller.settled()
      #expect(app.controller.interfaceOrientation == .landscapeLeft)
    }
  }

  @Test("on a table follows the next turn, and is not rotated back later", arguments: [true, false])
  func onATable(isInBackground: Bool) async throws {
    let view = TestView()
    let app = await TestApp(view)
    try await app.turn(to: .faceUp)
    try app.controller.rotate(to: .landscapeLeft)
    await app.controller.settled()
    try await app.turn(to: .landscapeLeft)
    if isInBackground {
      app.controller.isInForeground = false
      await app.controller.settled()
      app.controller.isInForeground = true
    } else {
      view.supportedInterfaceOrientations = .allButUpsideDown
      app.controller.setNeedsUpdateOfSupportedInterfaceOrientations()
    }
    await app.controller.settled()
    try await app.catchUp()
    #expect(app.controller.interfaceOrientation == .landscapeRight)
  }

  @Test("to several goes where the device is upright, else stays, else takes the first")
  func severalOrientations() async throws {
    let app = await TestApp(TestView(autorotates: false))
    app.screen.turn(to: .landscapeLeft)
    for (orientations, expected) in [
      (InterfaceOrientationMask.landscape, InterfaceOrientation.landscapeRight),
      (.allButUpsideDown, .landscapeRight), (.portrait, .portrait),
      ([.portrait, .portraitUpsideDown], .portrait),
      ([.landscapeLeft, .portraitUpsideDown], .landscapeLeft),
    ] {
      try app.controller.rotate(to: orientations)
      await app.controller.settled()
      #expect(app.controller.interfaceOrientation == expected)
    }
  }

  @Test("to what is not supported, is told that, and nothing moves")
  func unsupported() async throws {
    let app = await TestApp(TestView(.landscape), app: .allButUpsideDown)
    let view = InterfaceOrientationConflict.Claim(level: .view, supported: .landscape)
    #expect(throws: InterfaceOrientationProblem.unsupportedRotation(to: .portrait, by: [view])) {
      try app.controller.rotate(to: .portrait)
    }
    let error = InterfaceOrientationProblem.unsupportedRotation(to: .portrait, by: [view])
    #expect("\(error)" == "cannot rotate to portrait: view supports landscapeRight and landscapeLeft")
    #expect(throws: InterfaceOrientationProblem.unsupportedRotation(to: [], by: [])) {
      try app.controller.rotate(to: [])
    }
    await app.controller.settled()
    #expect(app.screen.holdsTaken == 1)
  }

  @Test("asks with attemptRotationToDeviceOrientation for the device's, against one that was set by hand")
  func attempt() async throws {
    let app = await TestApp(TestView(.allButUpsideDown))
    try await app.turn(to: .landscapeLeft)
    try await app.screen.rotate(to: .portrait)
    try await app.catchUp()
    #expect(app.controller.interfaceOrientation == .portrait)
    app.controller.attemptRotationToDeviceOrientation()
    await app.controller.settled()
    #expect(app.controller.interfaceOrientation == .landscapeRight)
    app.controller.attemptRotationToDeviceOrientation()
    await app.controller.settled()
    #expect(app.screen.attempts == 1)
  }

  @Test(
    "asks in vain with attemptRotationToDeviceOrientation: locked, not autorotating, flat, or unsupported")
  func attemptInVain() async throws {
    let view = TestView()
    let app = await TestApp(view)
    func attempt() async {
      app.controller.attemptRotationToDeviceOrientation()
      await app.controller.settled()
      #expect(app.controller.interfaceOrientation == .portrait)
    }
    // By hand, the interface is not where the device is: only the lock is in the way.
    app.screen.setLock(.locked)
    try app.controller.rotate(to: .landscapeLeft)
    await app.controller.settled()
    app.controller.attemptRotationToDeviceOrientation()
    await app.controller.settled()
    #expect(app.controller.interfaceOrientation == .landscapeLeft)
    try app.controller.rotate(to: .portrait)
    await app.controller.settled()
    app.screen.turn(to: .portrait)
    app.screen.setLock(.unlocked)
    view.shouldAutorotate = false
    app.controller.setNeedsUpdateOfSupportedInterfaceOrientations()
    await app.controller.settled()
    app.screen.turn(to: .landscapeLeft)
    await attempt()
    (view.shouldAutorotate, view.supportedInterfaceOrientations) = (true, .portrait)
    await attempt()
    app.screen.turn(to: .faceUp)
    view.supportedInterfaceOrientations = [.portrait, .landscapeLeft]
    await attempt()
    #expect(app.screen.attempts == 0)
    #expect(app.controller.lastProblem == nil)
  }

  @Test("is told if the daemon refuses to rotate to the device's orientation")
  func attemptRefused() async throws {
    let app = await TestApp()
    try await app.screen.rotate(to: .landscapeLeft)
    try await app.catchUp()
    app.screen.refuse(with: .notAuthorized)
    app.controller.attemptRotationToDeviceOrientation()
    await app.controller.settled()
    guard case .rotationRefused(let error)? = app.controller.lastProblem else {
      Issue.record("\(String(describing: app.controller.lastProblem))")
      return
    }
    #expect(error.kind == .notAuthorized)
    #expect(app.controller.interfaceOrientation == .landscapeLeft)
  }

  @Test("turns autorotation on again, and the interface is where the device is")
  func autorotationOnAgain() async throws {
    for supported in [InterfaceOrientationMask.all, .allButUpsideDown] {
      let view = TestView(supported, autorotates: false)
      let app = await TestApp(view)
      try await app.turn(to: .landscapeLeft)
      #expect(app.controller.interfaceOrientation == .portrait)
      view.shouldAutorotate = true
      app.controller.setNeedsUpdateOfSupportedInterfaceOrientations()
      await app.controller.settled()
      #expect(app.controller.interfaceOrientation == .landscapeRight)
      view.shouldAutorotate = false
      app.controller.setNeedsUpdateOfSupportedInterfaceOrientations()
      try await app.turn(to: .portrait)
      #expect(app.controller.interfaceOrientation == .landscapeRight)
    }
  }
}
