// SPDX-License-Identifier: Apache-2.0

import Orientation
import OrientationClient
import OrientationClientTesting
import Testing

@Suite("An app in the background")
@MainActor
struct BackgroundTests {
  @Test("has neither a hold nor a subscription; in the foreground it has both again")
  func releasesAndTakesAgain() async throws {
    let app = await TestApp(TestView(.landscape))
    #expect(app.controller.interfaceOrientation.isLandscape)
    app.controller.isInForeground = false
    await app.controller.settled()
    #expect(app.screen.holds.isEmpty)
    #expect(app.screen.subscriptions == 0)
    #expect(app.screen.interface == .portrait)
    app.controller.isInForeground = true
    await app.controller.settled()
    #expect(app.screen.heldTo == [.landscape])
    #expect(app.screen.subscriptions == 1)
    #expect(app.screen.interface.isLandscape)
  }

  @Test("is told nothing; coming back, it is told the change at once, which is not animated")
  func notTold() async throws {
    let view = TestView()
    let app = await TestApp(view)
    app.controller.isInForeground = false
    await app.controller.settled()
    app.screen.turn(to: .landscapeLeft)
    app.screen.turn(to: .portraitUpsideDown)
    for _ in 0..<100 { await Task.yield() }
    #expect(app.controller.interfaceOrientation == .portrait)
    app.controller.isInForeground = true
    await app.controller.settled()
    #expect(view.transitions.map(\.to) == [.portraitUpsideDown])
    #expect(view.transitions.map(\.mayBeAnimated) == [false])
    try await app.turn(to: .landscapeLeft)
    #expect(view.transitions.last?.mayBeAnimated == true)
  }

  @Test("comes back, and what the sensor reports then is not animated, as it has rested until then")
  func sensorStarts() async throws {
    let view = TestView()
    let app = await TestApp(view)
    app.controller.isInForeground = false
    await app.controller.settled()
    app.screen.turn(to: .unknown)
    app.controller.isInForeground = true
    await app.controller.settled()
    try await app.turn(to: .landscapeLeft)
    try await app.turn(to: .landscapeRight)
    #expect(view.transitions.map(\.mayBeAnimated) == [false, true])
  }

  @Test("comes back with the view in front only; the view behind is upright again when that is dismissed")
  func viewBehind() async throws {
    for isLocked in [false, true] {
      let app = await TestApp(TestView(.allButUpsideDown))
      app.controller.present(TestView(.landscape))
      await app.controller.settled()
      if isLocked { app.screen.setLock(.locked) }
      app.controller.isInForeground = false
      await app.controller.settled()
      #expect(app.screen.holds.isEmpty)
      app.controller.isInForeground = true
      await app.controller.settled()
      #expect(app.screen.heldTo == [.landscape])
      app.controller.dismiss()
      await app.controller.settled()
      #expect(app.screen.heldTo == [.allButUpsideDown])
      #expect(app.controller.interfaceOrientation == .portrait)
    }
  }

  @Test("comes back placed by the app, and is not notified of what another app has left")
  func placed() async throws {
    let view = TestView()
    let app = await TestApp(view)
    try app.controller.rotate(to: .landscapeLeft)
    await app.controller.settled()
    let count = view.transitions.count
    app.controller.isInForeground = false
    await app.controller.settled()
    #expect(app.screen.interface == .portrait)
    app.screen.pause()
    app.controller.isInForeground = true
    try await eventually("the app asks for its hold") { app.screen.pausedCalls == 1 }
    for _ in 0..<100 { await Task.yield() }
    app.screen.resume()
    await app.controller.settled()
    #expect(app.controller.interfaceOrientation == .landscapeLeft)
    #expect(view.transitions.count == count)
  }

  @Test("knows of turns meanwhile for the view behind, too", arguments: [true, false])
  func viewBehindAfterATurn(isLocked: Bool) async throws {
    let app = await TestApp(TestView(.allButUpsideDown))
    try await app.turn(to: .landscapeRight)
    app.controller.present(TestView(.portrait))
    await app.controller.settled()
    app.controller.isInForeground = false
    await app.controller.settled()
    app.screen.turn(to: .portrait)
    app.controller.isInForeground = true
    await app.controller.settled()
    if isLocked { app.screen.setLock(.locked) } else { app.screen.turn(to: .faceUp) }
    try await app.catchUp()
    app.controller.dismiss()
    await app.controller.settled()
    #expect(app.controller.interfaceOrientation == .portrait)
  }

  @Test("that goes there in the middle of a presentation makes no further call")
  func inTheMiddle() async throws {
    let app = await TestApp()
    app.screen.pause()
    app.controller.present(TestView(.landscape, prefers: .landscapeLeft))
    try await eventually("the app asks for its first hold") { app.screen.pausedCalls == 1 }
    app.controller.isInForeground = false
    app.screen.resume()
    await app.controller.settled()
    #expect(app.screen.holdsTaken == 1)
    #expect(app.screen.holds.isEmpty)
  }

  @Test("comes back in its own orientation: the one that another app has left is never seen in it")
  func ownOrientation() async throws {
    let view = TestView(.landscapeLeft)
    let app = await TestApp(view)
    let told = view.transitions.count
    app.controller.isInForeground = false
    await app.controller.settled()
    #expect(app.screen.interface == .portrait)
    app.screen.pause()
    app.controller.isInForeground = true
    try await eventually("the app asks for its hold") { app.screen.pausedCalls == 1 }
    app.screen.turn(to: .portraitUpsideDown)
    for _ in 0..<100 { await Task.yield() }
    app.screen.resume()
    await app.controller.settled()
    #expect(app.screen.interface == .landscapeLeft)
    #expect(app.controller.interfaceOrientation == .landscapeLeft)
    #expect(view.transitions.count == told)
  }

  @Test("comes back in the orientation in which it was, if it does not autorotate")
  func fixed() async throws {
    let app = await TestApp(TestView(autorotates: false))
    try app.controller.rotate(to: .landscapeLeft)
    await app.controller.settled()
    app.controller.isInForeground = false
    await app.controller.settled()
    app.screen.turn(to: .portraitUpsideDown)
    app.controller.isInForeground = true
    await app.controller.settled()
    #expect(app.controller.interfaceOrientation == .landscapeLeft)
    #expect(app.screen.heldTo == [.landscapeLeft])
  }

  @Test("may present a view: it is in the preferred orientation when the app is seen, and only then")
  func presentation() async throws {
    let app = await TestApp()
    app.controller.isInForeground = false
    app.controller.present(TestView(.landscape, prefers: .landscapeLeft))
    await app.controller.settled()
    #expect(app.screen.history == [.portrait])
    app.controller.isInForeground = true
    await app.controller.settled()
    #expect(app.controller.interfaceOrientation == .landscapeLeft)
    app.controller.isInForeground = false
    await app.controller.settled()
    app.screen.turn(to: .landscapeLeft)
    app.controller.isInForeground = true
    await app.controller.settled()
    #expect(app.controller.interfaceOrientation == .landscapeRight)
  }

  @Test("does not rotate to the device's orientation any more, though it has just asked for that")
  func attempt() async throws {
    let app = await TestApp()
    // So that the device's orientation is known in the background.
    app.screen.beginGeneratingDeviceOrientationNotifications()
    try await app.screen.rotate(to: .landscapeLeft)
    try await app.catchUp()
    app.controller.attemptRotationToDeviceOrientation()
    app.controller.isInForeground = false
    await app.controller.settled()
    #expect(app.screen.attempts == 0)
    app.controller.attemptRotationToDeviceOrientation()
    await app.controller.settled()
    app.controller.isInForeground = true
    await app.controller.settled()
    #expect(app.screen.attempts == 0)
  }

  @Test("that goes there while a hold is being taken has none in the end, and one if it comes back meanwhile")
  func duringACall() async throws {
    for endsInForeground in [false, true] {
      let app = await TestApp()
      app.screen.pause()
      app.controller.present(TestView(.landscape))
      try await eventually("the app asks for its hold") { app.screen.pausedCalls == 1 }
      app.controller.isInForeground = false
      if endsInForeground { app.controller.isInForeground = true }
      app.screen.resume()
      await app.controller.settled()
      #expect(app.screen.heldTo == (endsInForeground ? [.landscape] : []))
      #expect(app.screen.subscriptions == (endsInForeground ? 1 : 0))
    }
  }
}
