// SPDX-License-Identifier: Apache-2.0

import Orientation
import OrientationClient
import OrientationClientTesting
import Testing

@Suite("A view of an app")
@MainActor
struct PresentationTests {
  @Test("is presented in the orientation that it prefers, and then follows the device")
  func preferredAtPresentation() async throws {
    let app = await TestApp()
    app.controller.present(TestView(.landscape, prefers: .landscapeLeft))
    await app.controller.settled()
    #expect(app.controller.interfaceOrientation == .landscapeLeft)
    #expect(app.screen.heldTo == [.landscape])
    try await app.turn(to: .landscapeLeft)
    #expect(app.controller.interfaceOrientation == .landscapeRight)
    #expect(app.screen.history == [.portrait, .landscapeLeft, .landscapeRight])
  }

  @Test("that supports all orientations is presented in the preferred one, too")
  func preferredOfAll() async throws {
    let app = await TestApp()
    app.controller.present(TestView(prefers: .portraitUpsideDown))
    await app.controller.settled()
    #expect(app.controller.interfaceOrientation == .portraitUpsideDown)
    try await app.turn(to: .landscapeLeft)
    #expect(app.controller.interfaceOrientation == .landscapeRight)
    app.controller.dismiss()
    await app.controller.settled()
    #expect(app.screen.holds.isEmpty)
  }

  @Test("that does not autorotate stays in the preferred orientation")
  func preferredWithoutAutorotation() async throws {
    let app = await TestApp()
    app.controller.present(TestView(autorotates: false, prefers: .landscapeLeft))
    try await app.turn(to: .portraitUpsideDown)
    #expect(app.controller.interfaceOrientation == .landscapeLeft)
    #expect(app.screen.heldTo == [.landscapeLeft])
  }

  @Test("that is pushed is not shown in the orientation that it prefers")
  func preferredNotAtPush() async throws {
    let navigation = NavigationContainer(root: TestView())
    let app = await TestApp(navigation)
    navigation.push(TestView(prefers: .landscapeLeft))
    await app.controller.settled()
    #expect(app.screen.history == [.portrait])
    #expect(app.screen.holdsTaken == 0)
  }

  @Test("that prefers what is not supported is presented all the same, and the preference is reported")
  func unsupportedPreference() async throws {
    let app = await TestApp()
    app.controller.present(TestView(.landscape, prefers: .portrait))
    guard case .unsupportedPreference(let preference)? = app.controller.lastProblem else {
      Issue.record("\(String(describing: app.controller.lastProblem))")
      return
    }
    #expect(
      preference
        == UnsupportedInterfaceOrientationPreference(
          level: .view, preferred: .portrait, excludedBy: [.init(level: .view, supported: .landscape)]))
    #expect("\(preference)" == "view prefers portrait, but view supports landscapeRight and landscapeLeft")
    await app.controller.settled()
    #expect(app.controller.interfaceOrientation.isLandscape)
  }

  @Test("that is pushed and supports landscape only is shown in landscape at once")
  func pushRotatesAtOnce() async throws {
    let navigation = NavigationContainer(root: TestView(.portrait))
    let app = await TestApp(navigation)
    navigation.push(TestView(.landscapeLeft))
    await app.controller.settled()
    #expect(app.controller.interfaceOrientation == .landscapeLeft)
  }

  @Test("is not left sideways when a landscape-only one above is popped")
  func uprightAfterPop() async throws {
    let navigation = NavigationContainer(root: TestView(.portrait))
    let app = await TestApp(navigation)
    navigation.push(TestView(.landscape))
    await app.controller.settled()
    try await app.turn(to: .landscapeLeft)
    #expect(app.controller.interfaceOrientation == .landscapeRight)
    navigation.pop()
    await app.controller.settled()
    #expect(app.controller.interfaceOrientation == .portrait)
    // With both holds at once, the interface has not been anywhere else.
    #expect(app.screen.history == [.portrait, .landscapeLeft, .landscapeRight, .portrait])
  }

  @Test("is not left sideways when a landscape-only one in front is dismissed")
  func uprightAfterDismissal() async throws {
    let app = await TestApp(TestView())
    app.controller.present(TestView(.landscape))
    await app.controller.settled()
    #expect(app.controller.interfaceOrientation.isLandscape)
    app.controller.dismiss()
    await app.controller.settled()
    #expect(app.controller.interfaceOrientation == .portrait)
    #expect(app.screen.holds.isEmpty)
  }

  @Test(
    "is not left sideways when one in front is dismissed, though the device does not say what is upright",
    arguments: [DeviceOrientation.faceUp, .unknown])
  func uprightWithoutDevice(device: DeviceOrientation) async throws {
    let app = await TestApp(TestView(.allButUpsideDown))
    app.screen.turn(to: device)
    app.controller.present(TestView(.landscape))
    await app.controller.settled()
    #expect(app.controller.interfaceOrientation.isLandscape)
    app.controller.dismiss()
    await app.controller.settled()
    #expect(app.controller.interfaceOrientation == .portrait)
    #expect(app.screen.heldTo == [.allButUpsideDown])
  }

  @Test("comes back as the person has locked or rotated the interface meanwhile")
  func personMeanwhile() async throws {
    for locks in [true, false] {
      let app = await TestApp(TestView(.allButUpsideDown))
      app.controller.present(TestView(.landscape))
      await app.controller.settled()
      if locks {
        app.screen.setLock(.locked)
        app.screen.turn(to: .landscapeLeft)
      } else {
        try await app.screen.rotate(to: .landscapeRight)
      }
      try await app.catchUp()
      app.controller.dismiss()
      await app.controller.settled()
      #expect(app.controller.interfaceOrientation == (locks ? .portrait : .landscapeRight))
    }
  }

  @Test("that does not autorotate is where it was when one in front is dismissed")
  func fixedViewBehind() async throws {
    let app = await TestApp(TestView(autorotates: false))
    try await app.turn(to: .landscapeLeft)
    app.controller.present(TestView(.landscape))
    await app.controller.settled()
    #expect(app.controller.interfaceOrientation == .landscapeRight)
    app.controller.dismiss()
    await app.controller.settled()
    #expect(app.screen.heldTo == [.portrait])
    #expect(app.controller.interfaceOrientation == .portrait)
  }

  @Test("keeps its hold while another one is in front, which the screen then shows again by itself")
  func holdBehind() async throws {
    let app = await TestApp(TestView(.allButUpsideDown))
    app.controller.present(TestView(.landscape))
    await app.controller.settled()
    #expect(app.screen.heldTo == [.allButUpsideDown, .landscape])
    app.controller.dismiss()
    await app.controller.settled()
    #expect(app.screen.heldTo == [.allButUpsideDown])
    #expect(app.screen.holdsTaken == 2)
  }

  @Test("and many more in front of one another keep few holds, and each comes back as it was")
  func manyViews() async throws {
    let masks: [InterfaceOrientationMask] = [.portrait, .landscapeLeft, .portraitUpsideDown, .landscapeRight]
    let app = await TestApp(TestView(.allButUpsideDown))
    for index in 0..<12 {
      app.controller.present(TestView(masks[index % 4]))
      await app.controller.settled()
      #expect(app.screen.holds.count <= 4)
    }
    for index in (0..<11).reversed() {
      app.controller.dismiss()
      await app.controller.settled()
      #expect(masks[index % 4].contains(app.controller.interfaceOrientation))
    }
    app.controller.dismiss()
    await app.controller.settled()
    #expect(app.controller.interfaceOrientation == .portrait)
    #expect(app.screen.heldTo == [.allButUpsideDown])
  }

  @Test("comes back as the device was turned meanwhile, also if a view without rules was in front")
  func turnedMeanwhile() async throws {
    let tabs = TabContainer([TestView(.allButUpsideDown), TestView(.portrait), TestView()])
    let app = await TestApp(tabs)
    try await app.turn(to: .landscapeRight)
    tabs.selectedIndex = 1
    await app.controller.settled()
    try await app.turn(to: .portrait)
    tabs.selectedIndex = 2
    await app.controller.settled()
    app.screen.setLock(.locked)
    for index in [1, 0] {
      tabs.selectedIndex = index
      await app.controller.settled()
    }
    #expect(app.controller.interfaceOrientation == .portrait)
  }

  @Test("comes back as it was, if the interface has to move and the device's orientation is not for it")
  func comesBackFromUpsideDown() async throws {
    let app = await TestApp(TestView(.allButUpsideDown))
    app.controller.present(TestView())
    app.controller.present(TestView(.portraitUpsideDown))
    await app.controller.settled()
    for device in [DeviceOrientation.landscapeRight, .portraitUpsideDown] {
      app.screen.turn(to: device)
      // The app reads the state, and the interface stays.
      for _ in 0..<200 { await Task.yield() }
    }
    app.controller.dismiss()
    app.controller.dismiss()
    await app.controller.settled()
    #expect(app.controller.interfaceOrientation == .landscapeLeft)
  }

  @Test("is presented where the person has rotated the interface, and that is nowhere else on the way")
  func personRotatedBefore() async throws {
    let app = await TestApp()
    app.controller.present(TestView(.allButUpsideDown, prefers: .landscapeLeft))
    await app.controller.settled()
    try await app.turn(to: .landscapeLeft)
    try await app.screen.rotate(to: .portrait)
    try await app.catchUp()
    let count = app.screen.history.count
    app.controller.present(TestView([.portrait, .landscapeRight]))
    await app.controller.settled()
    #expect(app.screen.history.count == count)
  }

  @Test("that is presented already is not presented again")
  func twice() async throws {
    let app = await TestApp()
    let view = TestView(.landscape)
    app.controller.present(view)
    app.controller.present(view)
    #expect(app.controller.presentedViews.count == 1)
    app.controller.dismiss()
    await app.controller.settled()
    #expect(app.screen.holds.isEmpty)
  }

  @Test("is dismissed with all that are in front of it")
  func dismissal() async throws {
    let app = await TestApp()
    let (first, second) = (TestView(.landscape), TestView(.portrait))
    app.controller.present(first)
    app.controller.present(second)
    await app.controller.settled()
    #expect(app.screen.heldTo == [.portrait])
    app.controller.dismiss(TestView())
    #expect(app.controller.presentedViews.count == 2)
    app.controller.dismiss(first)
    #expect(app.controller.presentedViews.isEmpty)
    app.controller.dismiss()
    await app.controller.settled()
    #expect(app.screen.holds.isEmpty)
  }

  @Test("with a video fills the screen in landscape, in an app that is portrait but for that")
  func videoPlayer() async throws {
    let app = await TestApp(TestView(.portrait))
    try await app.turn(to: .landscapeRight)
    #expect(app.controller.interfaceOrientation == .portrait)
    let player = TestView(.landscape, prefers: .landscapeRight)
    app.controller.present(player)
    await app.controller.settled()
    #expect(app.controller.interfaceOrientation == .landscapeRight)
    try await app.turn(to: .portrait)
    #expect(app.controller.interfaceOrientation == .landscapeRight)
    try await app.turn(to: .landscapeRight)
    #expect(app.controller.interfaceOrientation == .landscapeLeft)
    app.controller.dismiss(player)
    await app.controller.settled()
    #expect(app.controller.interfaceOrientation == .portrait)
    #expect(app.screen.heldTo == [.portrait])
    #expect(app.screen.history == [.portrait, .landscapeRight, .landscapeLeft, .portrait])
  }
}
