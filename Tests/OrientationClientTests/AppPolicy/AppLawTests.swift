// SPDX-License-Identifier: Apache-2.0

import Orientation
import OrientationClient
import OrientationClientTesting
import TestSupport
import Testing

private let masks: [InterfaceOrientationMask] = [
  .all, .landscape, .portrait, .landscapeLeft, .allButUpsideDown, .portraitUpsideDown,
]
private let orientations = InterfaceOrientation.allCases.filter { $0 != .unknown }
private let devices: [DeviceOrientation] = [
  .portrait, .portraitUpsideDown, .landscapeLeft, .landscapeRight, .faceUp,
]

/// An app to which anything happens, beside a tablet without an app to which the same happens.
@MainActor
private struct RandomApp {
  let app: TestApp
  let navigation: NavigationContainer
  let tabs: TabContainer
  let bare = SimulatedScreen()
  var random: SeededGenerator
  var log: [String] = []

  init(seed: UInt64) async {
    random = SeededGenerator(seed: seed)
    navigation = NavigationContainer(root: TestView())
    tabs = TabContainer([navigation, TestView(.portrait), TestView(.landscape, autorotates: false)])
    app = await TestApp(tabs)
    bare.beginGeneratingDeviceOrientationNotifications()
  }

  private mutating func any<Value>(_ values: [Value]) -> Value {
    values[Int(random.next() % UInt64(values.count))]
  }

  private mutating func view() -> TestView {
    let mask = any(masks)
    let preferred = any(orientations)
    let isPreferred = any([true, false, false]) && mask.contains(preferred)
    return TestView(
      mask, autorotates: any([true, true, true, false]), prefers: isPreferred ? preferred : nil)
  }

  /// - Parameter rotates: whether it may be a rotation by hand, which the root keeps until the next turn.
  mutating func happen(rotates: Bool) {
    let controller = app.controller
    let kind = Int(random.next() % 12)
    switch kind {
    case 0, 1: controller.present(view())
    case 2: navigation.push(view())
    case 3: navigation.pop()
    case 4, 5: controller.dismiss()
    case 6: tabs.selectedIndex = any([0, 1, 2])
    case 7, 8:
      let device = any(devices)
      for screen in [app.screen, bare] { screen.turn(to: device) }
    case 9:
      let lock = any([RotationLock.locked, .unlocked])
      for screen in [app.screen, bare] { screen.setLock(lock) }
    case 10: if rotates { try? controller.rotate(to: InterfaceOrientationMask(any(orientations))) }
    default: setActive(any([true, false]))
    }
    log.append("\(kind)")
  }

  func setActive(_ isActive: Bool) {
    guard app.controller.isInForeground != isActive else { return }
    app.controller.isInForeground = isActive
    if isActive {
      bare.beginGeneratingDeviceOrientationNotifications()
    } else {
      bare.endGeneratingDeviceOrientationNotifications()
    }
  }

  var front: any InterfaceOrientationView {
    var view = app.controller.presentedViews.last ?? tabs
    while let child = view.childForInterfaceOrientation { view = child }
    return view
  }
}

@Suite("Whatever happens to an app")
@MainActor
struct AppLawTests {
  @Test(
    "its interface is one that its view supports, it has few holds, and none in the background",
    arguments: 1...60)
  func laws(seed: UInt64) async throws {
    var random = await RandomApp(seed: seed)
    let (app, screen) = (random.app, random.app.screen)
    for _ in 0..<25 {
      random.happen(rotates: true)
      await app.controller.settled()
      guard app.controller.isInForeground else {
        #expect(screen.holds.isEmpty && screen.subscriptions == 0, "\(random.log)")
        continue
      }
      try await app.catchUp()
      #expect(random.front.supportedInterfaceOrientations.contains(screen.interface), "\(random.log)")
      #expect(screen.holds.count <= 4, "\(random.log)")
    }
    if case .holdRefused? = app.controller.lastProblem { Issue.record("\(random.log)") }
  }

  @Test(
    "its root is, after all that was in front, where the interface would be without the app",
    arguments: 1...60)
  func comesBack(seed: UInt64) async throws {
    var random = await RandomApp(seed: seed)
    let (app, screen) = (random.app, random.app.screen)
    for _ in 0..<25 {
      random.happen(rotates: false)
      await app.controller.settled()
      if app.controller.isInForeground { try await app.catchUp() }
    }
    random.setActive(true)
    while !app.controller.presentedViews.isEmpty { app.controller.dismiss() }
    random.tabs.selectedIndex = 0
    while random.navigation.pop() != nil {}
    await app.controller.settled()
    try await app.catchUp()
    #expect(screen.holds.isEmpty, "\(random.log)")
    #expect(screen.interface == random.bare.interface, "\(random.log)")
  }
}
