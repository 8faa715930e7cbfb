// SPDX-License-Identifier: Apache-2.0

import Orientation
import OrientationClient
import OrientationClientTesting
import Testing

@Suite("A container of views")
@MainActor
struct ContainerTests {
  @Test("for navigation asks its top view, for the orientations and for autorotation")
  func navigation() async throws {
    let navigation = NavigationContainer(root: TestView())
    let app = await TestApp(navigation)
    navigation.push(TestView(.allButUpsideDown))
    await app.controller.settled()
    #expect(app.screen.heldTo == [.allButUpsideDown])
    try await app.turn(to: .landscapeLeft)
    navigation.push(TestView(autorotates: false))
    await app.controller.settled()
    #expect(app.screen.heldTo == [.allButUpsideDown, .landscapeRight])
    try await app.turn(to: .portrait)
    #expect(app.controller.interfaceOrientation == .landscapeRight)
    navigation.pop()
    await app.controller.settled()
    #expect(app.screen.heldTo == [.allButUpsideDown])
    #expect(app.controller.interfaceOrientation == .portrait)
    navigation.pop()
    #expect(navigation.pop() == nil)
    await app.controller.settled()
    #expect(app.screen.holds.isEmpty)
    #expect(navigation.views.count == 1)
  }

  @Test("with tabs asks the selected view, for the orientations and for autorotation")
  func tabs() async throws {
    let tabs = TabContainer([TestView(), TestView(.landscape), TestView(autorotates: false)])
    let app = await TestApp(tabs)
    #expect(app.screen.holds.isEmpty)
    tabs.selectedIndex = 1
    await app.controller.settled()
    #expect(app.screen.heldTo == [.landscape])
    tabs.selectedIndex = 0
    await app.controller.settled()
    #expect(app.controller.interfaceOrientation == .portrait)
    tabs.selectedIndex = 2
    await app.controller.settled()
    #expect(app.screen.heldTo == [.portrait])
    tabs.selectedIndex = 1
    await app.controller.settled()
    #expect(app.controller.interfaceOrientation.isLandscape)
    tabs.selectedIndex = 2
    await app.controller.settled()
    #expect(app.controller.interfaceOrientation == .portrait)
    tabs.selectedIndex = 7
    await app.controller.settled()
    #expect(app.screen.holds.isEmpty)
  }

  @Test("in a container asks in turn; a view that is not visible is not asked")
  func nested() async throws {
    let hidden = NavigationContainer(root: TestView())
    let shown = NavigationContainer(root: TestView())
    let tabs = TabContainer([hidden, shown], selectedIndex: 1)
    let app = await TestApp(NavigationContainer(root: tabs))
    shown.push(TestView(.portrait))
    hidden.push(TestView(.landscape))
    await app.controller.settled()
    #expect(app.screen.heldTo == [.portrait])
    tabs.selectedIndex = 0
    await app.controller.settled()
    #expect(app.screen.heldTo == [.portrait, .landscape])
    #expect(app.controller.interfaceOrientation.isLandscape)
    shown.pop()
    await app.controller.settled()
    #expect(app.screen.holdsTaken == 2)
    hidden.pop()
    await app.controller.settled()
    #expect(app.screen.holds.isEmpty)
    #expect(app.controller.interfaceOrientation == .portrait)
  }

  @Test("shows another tab upright, though the tab before was for landscape only")
  func uprightTab() async throws {
    let tabs = TabContainer([TestView(.landscape), TestView(.allButUpsideDown)])
    let app = await TestApp(tabs)
    #expect(app.controller.interfaceOrientation.isLandscape)
    tabs.selectedIndex = 1
    await app.controller.settled()
    #expect(app.controller.interfaceOrientation == .portrait)
  }

  @Test("with views of the same rules takes one hold for all of them")
  func sameRules() async throws {
    let navigation = NavigationContainer(root: TestView(.portrait))
    let app = await TestApp(navigation)
    for _ in 0..<10 { navigation.push(TestView(.portrait)) }
    await app.controller.settled()
    while navigation.pop() != nil {}
    await app.controller.settled()
    #expect(app.screen.holdsTaken == 1)
    #expect(app.screen.heldTo == [.portrait])
  }

  @Test("of the app's own names the child that decides; one that names itself decides itself")
  func ownContainer() async throws {
    let container = TestView(.portrait, child: TestView(.landscape))
    let app = await TestApp(container)
    #expect(app.screen.heldTo == [.landscape])
    let inner = TestView(.portraitUpsideDown, child: container)
    container.childForInterfaceOrientation = inner
    app.controller.setNeedsUpdateOfSupportedInterfaceOrientations()
    await app.controller.settled()
    #expect(app.screen.heldTo == [.portraitUpsideDown])
    inner.childForInterfaceOrientation = nil
  }
}
