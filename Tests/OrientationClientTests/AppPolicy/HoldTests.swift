// SPDX-License-Identifier: Apache-2.0

import Orientation
import OrientationClient
import OrientationClientTesting
import Testing

@Suite("The hold of an app")
@MainActor
struct HoldTests {
  @Test("follows the newest rules, however they change while it is being taken; no hold is left over")
  func newestRules() async throws {
    let view = TestView(.landscape)
    let screen = SimulatedScreen()
    screen.pause()
    let controller = InterfaceOrientationController(
      screen: screen, application: "org.example.Test", root: view)
    try await eventually("the app asks for its hold") { screen.pausedCalls == 1 }
    for mask in [InterfaceOrientationMask.portrait, .portraitUpsideDown, .all, .landscapeLeft] {
      view.supportedInterfaceOrientations = mask
      controller.setNeedsUpdateOfSupportedInterfaceOrientations()
    }
    screen.resume()
    await controller.settled()
    #expect(screen.heldTo == [.landscapeLeft])
    // What was overtaken was never asked for.
    #expect(screen.holdsTaken == 2)
    #expect(controller.interfaceOrientation == .landscapeLeft)
  }

  @Test("follows rules that change during every call, without more holds than the daemon allows")
  func restlessRules() async throws {
    let view = TestView(.landscape)
    let screen = SimulatedScreen()
    screen.pause()
    let controller = InterfaceOrientationController(
      screen: screen, application: "org.example.Test", root: view)
    let masks: [InterfaceOrientationMask] = [.portrait, .landscapeLeft, .allButUpsideDown, .landscape]
    for index in 0..<30 {
      try await eventually("a call") { screen.pausedCalls == 1 }
      view.supportedInterfaceOrientations = masks[index % 4]
      controller.setNeedsUpdateOfSupportedInterfaceOrientations()
      screen.resume()
      screen.pause()
    }
    screen.resume()
    await controller.settled()
    #expect(controller.lastProblem == nil)
    #expect(screen.heldTo == [masks[29 % 4]])
  }

  @Test("is taken before the one before is released: the interface is nowhere else in between")
  func noJump() async throws {
    let view = TestView(.landscapeLeft)
    let app = await TestApp(view)
    for mask in [InterfaceOrientationMask.landscape, .landscapeLeft, [.landscapeLeft, .portraitUpsideDown]] {
      view.supportedInterfaceOrientations = mask
      app.controller.setNeedsUpdateOfSupportedInterfaceOrientations()
      await app.controller.settled()
      #expect(app.screen.heldTo == [mask])
    }
    #expect(app.screen.history == [.portrait, .landscapeLeft])
  }

  @Test("is not taken again if the rules are the same")
  func sameRules() async throws {
    let app = await TestApp(TestView(.landscape))
    app.controller.setNeedsUpdateOfSupportedInterfaceOrientations()
    try await app.turn(to: .landscapeLeft)
    await app.controller.settled()
    #expect(app.screen.holdsTaken == 1)
  }

  @Test("of a view lets the next one, which follows the device, begin upright, whatever kept the interface")
  func upright() async throws {
    let app = await TestApp(TestView(.allButUpsideDown))
    let kept = [
      TestView(.landscapeLeft), TestView(autorotates: false, prefers: .landscapeLeft),
      TestView(.allButUpsideDown, prefers: .landscapeLeft),
    ]
    for view in kept {
      app.controller.present(view)
      await app.controller.settled()
      #expect(app.controller.interfaceOrientation == .landscapeLeft)
      app.controller.dismiss()
      await app.controller.settled()
      #expect(app.controller.interfaceOrientation == .portrait)
      #expect(app.screen.heldTo == [.allButUpsideDown])
    }
  }

  @Test("begins where the device was turned to while it was being taken")
  func turnedMeanwhile() async throws {
    let app = await TestApp(TestView(.allButUpsideDown))
    try await app.turn(to: .landscapeRight)
    app.controller.present(TestView(.landscapeLeft))
    await app.controller.settled()
    app.screen.pause()
    app.controller.present(TestView([.portrait, .landscapeLeft]))
    try await eventually("the app asks for its hold") { app.screen.pausedCalls == 1 }
    app.screen.turn(to: .portrait)
    app.screen.resume()
    await app.controller.settled()
    try await app.catchUp()
    #expect(app.controller.interfaceOrientation == .portrait)
  }

  @Test("that is refused is reported once, and not at all if the app does not want it any more")
  func reportedOnce() async throws {
    for isDismissed in [false, true] {
      let app = await TestApp(TestView(.landscapeLeft))
      let problems = app.controller.problems
      app.screen.pause()
      app.controller.present(TestView(.allButUpsideDown))
      try await eventually("the app asks for its hold") { app.screen.pausedCalls == 1 }
      app.screen.refuse(with: .limitsExceeded)
      if isDismissed { app.controller.dismiss() }
      app.screen.resume()
      await app.controller.settled()
      app.screen.refuse(with: nil)
      app.controller.isInForeground = false
      await app.controller.settled()
      // The last one, so that a reader sees the end.
      app.controller.windowOrientations = []
      var refusals = 0
      for await problem in problems {
        guard case .holdRefused(_, let orientations) = problem else { break }
        #expect(orientations == (isDismissed ? .landscapeLeft : .allButUpsideDown))
        refusals += 1
      }
      // After the dismissal, the hold of the view behind is there: nothing was refused.
      #expect(refusals == (isDismissed ? 0 : 1))
    }
  }

  @Test("that nothing shows, as no program turns the screen, is reported once until one does")
  func notTurned() async throws {
    let app = await TestApp(TestView())
    app.screen.setFollowed(false)
    await app.controller.settled()
    #expect(app.controller.lastProblem == nil)
    var problems = app.controller.problems.makeAsyncIterator()
    for isTurned in [false, false, true, true, false] {
      app.screen.setFollowed(isTurned)
      app.controller.present(TestView(.landscape))
      await app.controller.settled()
    }
    // The last one, so that a reader sees the end.
    app.controller.windowOrientations = []
    for _ in 1...2 { #expect(await problems.next() == .screenIsNotTurned) }
    #expect(await problems.next() != .screenIsNotTurned)
  }

  @Test("that nothing shows is reported, too, if that is known only after the hold was granted")
  func notTurnedLater() async throws {
    let app = await TestApp(TestView(.landscape))
    var problems = app.controller.problems.makeAsyncIterator()
    app.screen.setFollowed(false)
    #expect(await problems.next() == .screenIsNotTurned)
  }

  @Test("that was refused is told to who listens later, too")
  func toldLater() async throws {
    let screen = SimulatedScreen()
    screen.refuse(with: .limitsExceeded)
    let app = await TestApp(TestView(.landscape), on: screen)
    var problems = app.controller.problems.makeAsyncIterator()
    guard case .holdRefused(let error, _)? = await problems.next() else {
      Issue.record("\(String(describing: app.controller.lastProblem))")
      return
    }
    #expect(error.kind == .limitsExceeded)
  }

  @Test("that the daemon refuses is reported, with none left of the rules before; it is not asked for again")
  func refused() async throws {
    let app = await TestApp(TestView(.landscape))
    var problems = app.controller.problems.makeAsyncIterator()
    app.screen.refuse(with: .limitsExceeded)
    app.controller.present(TestView(.portraitUpsideDown))
    guard case .holdRefused(let error, let orientations)? = await problems.next() else {
      Issue.record("no problem")
      return
    }
    #expect(error.kind == .limitsExceeded)
    #expect(orientations == .portraitUpsideDown)
    await app.controller.settled()
    #expect(app.screen.holds.isEmpty)
    #expect(app.controller.interfaceOrientation == .portrait)

    app.screen.refuse(with: nil)
    try await app.turn(to: .landscapeLeft)
    #expect(app.screen.holds.isEmpty)
    app.controller.setNeedsUpdateOfSupportedInterfaceOrientations()
    await app.controller.settled()
    #expect(app.screen.heldTo == [.portraitUpsideDown])
    #expect(app.controller.interfaceOrientation == .portraitUpsideDown)
  }

  @Test("that the person's orientations did not allow is asked for again when the person changes them")
  func personChanges() async throws {
    let screen = SimulatedScreen()
    screen.refuse(with: .unsupportedOrientation)
    let app = await TestApp(TestView(.landscapeLeft), on: screen)
    #expect(screen.holds.isEmpty)
    screen.refuse(with: nil)
    screen.support(.allButUpsideDown)
    try await eventually("the view is landscape") {
      app.controller.interfaceOrientation == .landscapeLeft
    }
    await app.controller.settled()
    #expect(screen.heldTo == [.landscapeLeft])
  }

  @Test("is refused in the middle of a presentation, and nothing of it is left")
  func refusedInTheMiddle() async throws {
    let app = await TestApp()
    app.screen.pause()
    app.controller.present(TestView(.landscape, prefers: .landscapeLeft))
    try await eventually("the app asks for its first hold") { app.screen.pausedCalls == 1 }
    app.screen.resume()
    app.screen.pause()
    try await eventually("the app asks for its second hold") { app.screen.pausedCalls == 1 }
    app.screen.refuse(with: .noAnswer)
    app.screen.resume()
    await app.controller.settled()
    #expect(app.screen.holdsTaken == 1)
    #expect(app.screen.holds.isEmpty)
    #expect(app.controller.interfaceOrientation == .portrait)
  }

  @Test("waits for a daemon that comes later")
  func daemonComesLater() async throws {
    let screen = SimulatedScreen()
    screen.setSilent(true)
    screen.refuse(with: .daemonUnavailable)
    let fixed = TestView(autorotates: false)
    let app = await TestApp(TestView(.landscapeLeft), on: screen)
    guard case .holdRefused(let error, _)? = app.controller.lastProblem else {
      Issue.record("\(String(describing: app.controller.lastProblem))")
      return
    }
    #expect(error.kind == .daemonUnavailable)
    #expect(app.controller.interfaceOrientation == .unknown)
    // A view that is to stay where it is has nowhere to stay yet.
    app.controller.present(fixed)
    await app.controller.settled()
    app.controller.dismiss()
    await app.controller.settled()
    screen.refuse(with: nil)
    screen.setSilent(false)
    try await eventually("the view is landscape") {
      app.controller.interfaceOrientation == .landscapeLeft
    }
    await app.controller.settled()
    #expect(screen.heldTo == [.landscapeLeft])
  }

  @Test("is not there before the interface of a view that stays has an orientation")
  func fixedBeforeTheDaemon() async throws {
    let screen = SimulatedScreen()
    screen.setSilent(true)
    let app = await TestApp(TestView(autorotates: false), on: screen)
    #expect(screen.holdsTaken == 0)
    screen.setSilent(false)
    try await eventually("the view is held") { screen.heldTo == [.portrait] }
    await app.controller.settled()
  }

  @Test("that is refused places the view where it was to be when it is granted later")
  func placementAfterRefusal() async throws {
    for isPresented in [true, false] {
      let app = await TestApp()
      app.screen.refuse(with: .limitsExceeded)
      if isPresented {
        app.controller.present(TestView(.landscape, prefers: .landscapeLeft))
      } else {
        try app.controller.rotate(to: .landscapeLeft)
      }
      await app.controller.settled()
      #expect(app.controller.interfaceOrientation == .portrait)
      app.screen.refuse(with: nil)
      app.controller.setNeedsUpdateOfSupportedInterfaceOrientations()
      await app.controller.settled()
      #expect(app.controller.interfaceOrientation == .landscapeLeft)
    }
  }

  @Test("that is refused is requested again after some seconds, and when another daemon is there")
  func refusedForATime() async throws {
    for isRestarted in [false, true] {
      let screen = SimulatedScreen()
      screen.refuse(with: .limitsExceeded)
      let app = await TestApp(TestView(.landscape), on: screen)
      #expect(screen.holds.isEmpty)
      if isRestarted { screen.setSilent(true) }
      screen.refuse(with: nil)
      if isRestarted {
        try await eventually("the app has noticed") { app.controller.interfaceOrientation == .portrait }
        for _ in 0..<100 { await Task.yield() }
        screen.setSilent(false)
      }
      try await eventually("the view is landscape") { app.controller.interfaceOrientation.isLandscape }
      #expect(screen.heldTo == [.landscape])
    }
  }

  @Test("with an application id that is no id is refused, and says so")
  func applicationID() async throws {
    let screen = SimulatedScreen()
    let controller = InterfaceOrientationController(
      screen: screen, application: "", root: TestView(.landscape))
    await controller.settled()
    guard case .holdRefused(let error, _)? = controller.lastProblem else {
      Issue.record("\(String(describing: controller.lastProblem))")
      return
    }
    #expect(error.kind == .invalidArguments)
  }

  @Test("ends with the controller, as does its subscription", arguments: [true, false])
  func controllerGone(isInCall: Bool) async throws {
    let screen = SimulatedScreen()
    if isInCall { screen.pause() }
    var controller: InterfaceOrientationController? = InterfaceOrientationController(
      screen: screen, application: "org.example.Test", root: TestView(.landscape))
    weak let observed = controller
    if isInCall {
      try await eventually("the app asks for its hold") { screen.pausedCalls == 1 }
    } else {
      await controller?.settled()
      #expect(screen.holds.count == 1)
    }
    controller = nil
    screen.resume()
    try await eventually("nothing is left") {
      observed == nil && screen.holds.isEmpty && screen.subscriptions == 0
    }
  }

  @Test("of a newer app counts, and leaves the app in front its own when it ends")
  func anotherApp() async throws {
    let app = await TestApp(TestView(.portrait))
    let other = await TestApp(TestView(.landscape), on: app.screen)
    try await app.catchUp()
    #expect(app.controller.interfaceOrientation.isLandscape)
    other.controller.isInForeground = false
    await other.controller.settled()
    try await app.catchUp()
    #expect(app.controller.interfaceOrientation == .portrait)
    #expect(app.screen.heldTo == [.portrait])
  }
}
