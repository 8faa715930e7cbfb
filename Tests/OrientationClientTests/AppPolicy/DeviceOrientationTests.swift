// SPDX-License-Identifier: Apache-2.0

import Orientation
import OrientationClient
import OrientationClientTesting
import Testing

@Suite("The device's orientation, as an app's interface follows it")
@MainActor
struct DeviceOrientationTests {
  @Test("is known only with a subscription; the controller has its own, beside those of others")
  func subscriptionsNest() async throws {
    let screen = SimulatedScreen()
    screen.beginGeneratingDeviceOrientationNotifications()
    let app = await TestApp(on: screen)
    #expect(screen.subscriptions == 2)
    app.controller.isInForeground = false
    await app.controller.settled()
    #expect(screen.subscriptions == 1)
    #expect(screen.screenState.device == .portrait)
    app.controller.isInForeground = true
    screen.endGeneratingDeviceOrientationNotifications()
    #expect(screen.subscriptions == 1)
    try await app.turn(to: .landscapeLeft)
    #expect(app.controller.interfaceOrientation == .landscapeRight)
  }

  @Test("is what the lock holds also for who subscribes later: as it was, or as it is known first")
  func lockHolds() {
    let screen = SimulatedScreen()
    screen.setLock(.locked)
    screen.turn(to: .landscapeLeft)
    screen.beginGeneratingDeviceOrientationNotifications()
    #expect(screen.screenState.device == .landscapeLeft)
    screen.turn(to: .portraitUpsideDown)
    #expect(screen.screenState.device == .landscapeLeft)
    screen.endGeneratingDeviceOrientationNotifications()
    #expect(screen.screenState.device == .unknown)
    screen.beginGeneratingDeviceOrientationNotifications()
    #expect(screen.screenState.device == .landscapeLeft)
    #expect(screen.interface == .portrait)
    screen.setLock(.unlocked)
    #expect(screen.screenState.device == .portraitUpsideDown)
    #expect(screen.interface == .portraitUpsideDown)
  }

  @Test("of a tablet that lies flat leaves an interface that was rotated by hand as it is, unlocked")
  func unlockedFlat() async throws {
    let screen = SimulatedScreen()
    screen.beginGeneratingDeviceOrientationNotifications()
    screen.setLock(.locked)
    try await screen.rotate(to: .landscapeLeft)
    screen.turn(to: .faceUp)
    screen.setLock(.unlocked)
    #expect(screen.interface == .landscapeLeft)
    #expect(screen.screenState.device == .faceUp)
  }

  @Test("is unknown at first: that rotates no interface, and the first known one does")
  func unknownFirst() async throws {
    let screen = SimulatedScreen()
    screen.turn(to: .unknown)
    let app = await TestApp(on: screen)
    #expect(screen.screenState.device == .unknown)
    #expect(app.controller.interfaceOrientation == .portrait)
    try await app.turn(to: .landscapeLeft)
    #expect(app.controller.interfaceOrientation == .landscapeRight)
    try await app.turn(to: .unknown)
    #expect(app.controller.interfaceOrientation == .landscapeRight)
  }

  @Test(
    "is no interface orientation while the device lies flat: the interface stays", arguments: [true, false])
  func flat(isUp: Bool) async throws {
    let app = await TestApp()
    try await app.turn(to: .landscapeRight)
    try await app.turn(to: isUp ? .faceUp : .faceDown)
    #expect(app.screen.screenState.device == (isUp ? .faceUp : .faceDown))
    #expect(app.controller.interfaceOrientation == .landscapeLeft)
    #expect(app.screen.history == [.portrait, .landscapeLeft])
  }

  @Test("has left and right exchanged in the interface, which turns against the device")
  func leftAndRight() async throws {
    let app = await TestApp()
    let pairs: KeyValuePairs<DeviceOrientation, InterfaceOrientation> = [
      .landscapeLeft: .landscapeRight, .landscapeRight: .landscapeLeft,
      .portraitUpsideDown: .portraitUpsideDown,
      .portrait: .portrait,
    ]
    for (device, interface) in pairs {
      try await app.turn(to: device)
      #expect(app.controller.interfaceOrientation == interface)
    }
  }

  @Test("does not move the interface while rotation is locked; and does when it is unlocked")
  func rotationLock() async throws {
    let app = await TestApp()
    app.screen.setLock(.locked)
    try await app.turn(to: .landscapeLeft)
    #expect(app.controller.interfaceOrientation == .portrait)
    app.screen.setLock(.unlocked)
    try await app.catchUp()
    #expect(app.controller.interfaceOrientation == .landscapeRight)
  }

  @Test("locked, does not keep a landscape-only view from being shown, nor the one below from coming back")
  func rotationLockAndLandscapeOnlyView() async throws {
    let app = await TestApp()
    app.screen.setLock(.locked)
    app.controller.present(TestView(.landscape))
    await app.controller.settled()
    #expect(app.controller.interfaceOrientation.isLandscape)
    app.controller.dismiss()
    await app.controller.settled()
    #expect(app.controller.interfaceOrientation == .portrait)
    #expect(app.screen.screenState.lock == .locked)
  }
}
