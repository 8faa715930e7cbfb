// SPDX-License-Identifier: Apache-2.0

import Orientation
import OrientationClient
import OrientationClientTesting
import Testing

@Suite("Two windows of an app on a screen")
@MainActor
struct WindowTests {
  /// A window that plays a film beside the list of films, which is for portrait; the tablet is held in portrait.
  private func apps(on screen: SimulatedScreen) async -> (list: TestApp, film: TestApp) {
    let list = await TestApp(TestView(.portrait), on: screen)
    let film = await TestApp(TestView(.landscapeLeft), on: screen)
    film.controller.isInForeground = false
    await film.controller.settled()
    return (list, film)
  }

  @Test(
    "change places, in whichever order they are told, and the interface is nowhere else in between",
    arguments: [true, false])
  func changePlaces(isLeavingFirst: Bool) async throws {
    let screen = SimulatedScreen()
    let (list, film) = await apps(on: screen)
    // Without a hold, the interface would go there.
    screen.turn(to: .portraitUpsideDown)
    let before = screen.history.count
    for _ in 1...2 {
      if isLeavingFirst { list.controller.isInForeground = false }
      film.controller.isInForeground = true
      if !isLeavingFirst { list.controller.isInForeground = false }
      await list.controller.settled()
      await film.controller.settled()
      #expect(screen.heldTo == [.landscapeLeft])
      if isLeavingFirst { film.controller.isInForeground = false }
      list.controller.isInForeground = true
      if !isLeavingFirst { film.controller.isInForeground = false }
      await film.controller.settled()
      await list.controller.settled()
      #expect(screen.heldTo == [.portrait])
    }
    #expect(Array(screen.history[before...]) == [.landscapeLeft, .portrait, .landscapeLeft, .portrait])
  }

  @Test("change places at once if the first is gone: its hold ends when the second has its own")
  func replaced() async throws {
    let screen = SimulatedScreen()
    var list: InterfaceOrientationController? = InterfaceOrientationController(
      screen: screen, application: "org.example.Test", root: TestView(.portrait))
    await list?.settled()
    screen.turn(to: .portraitUpsideDown)
    let film = InterfaceOrientationController(
      screen: screen, application: "org.example.Test", root: TestView(.landscapeLeft))
    list = nil
    await film.settled()
    #expect(screen.heldTo == [.landscapeLeft])
    #expect(screen.history == [.portrait, .landscapeLeft])
  }

  @Test("change places if the first is gone before the second is told")
  func gone() async throws {
    let screen = SimulatedScreen()
    let (list, film) = await apps(on: screen)
    list.controller.isInForeground = false
    film.controller.isInForeground = true
    await film.controller.settled()
    var other: InterfaceOrientationController? = InterfaceOrientationController(
      screen: screen, application: "org.example.Test", root: TestView(.landscapeRight))
    await other?.settled()
    film.controller.isInForeground = false
    await film.controller.settled()
    screen.turn(to: .portraitUpsideDown)
    let before = screen.history.count
    other = nil
    list.controller.isInForeground = true
    await list.controller.settled()
    #expect(Array(screen.history[before...]) == [.portrait])
    #expect(screen.heldTo == [.portrait])
  }

  @Test("do not wait for each other if one is refused: the other releases what it held")
  func refused() async throws {
    let screen = SimulatedScreen()
    let (list, film) = await apps(on: screen)
    screen.refuse(with: .limitsExceeded)
    list.controller.isInForeground = false
    film.controller.isInForeground = true
    await list.controller.settled()
    await film.controller.settled()
    try await eventually("nothing is held") { screen.holds.isEmpty }
  }

  @Test(
    "together have no more holds than the daemon grants an app, and the front-most view of each has its own")
  func limit() async throws {
    let screen = SimulatedScreen()
    let windows = [
      await TestApp(TestView(.portrait), on: screen), await TestApp(TestView(.landscape), on: screen),
    ]
    for mask in [
      InterfaceOrientationMask.landscape, .portrait, .landscapeLeft, .landscapeRight, .portraitUpsideDown,
    ] {
      for window in windows {
        window.controller.present(TestView(mask))
        await window.controller.settled()
        #expect(screen.heldTo.contains(mask))
        #expect(window.controller.lastProblem == nil)
      }
    }
    for window in windows { await window.controller.settled() }
    #expect(screen.holds.count <= 4)
  }

  @Test("to the background together hold nothing, though both were about to take other holds")
  func bothLeave() async throws {
    let screen = SimulatedScreen()
    let (list, film) = await apps(on: screen)
    film.controller.isInForeground = true
    list.controller.present(TestView(.landscapeRight))
    screen.pause()
    try await eventually("they ask for holds") { screen.pausedCalls == 2 }
    list.controller.isInForeground = false
    film.controller.isInForeground = false
    screen.resume()
    await list.controller.settled()
    await film.controller.settled()
    try await eventually("nothing is held") { screen.holds.isEmpty }
  }
}
