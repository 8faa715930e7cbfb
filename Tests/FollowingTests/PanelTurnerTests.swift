// SPDX-License-Identifier: Apache-2.0

import Orientation
import Testing

@testable import Following

@Suite("What turns the panel")
struct PanelTurnerTests {
  private var turner = PanelTurner(output: nil)
  private var time = 100.0

  /// The panel with a transform, beside a monitor.
  private func desktop(_ transform: OutputTransform, x: Int32? = nil) -> [Output] {
    let isSideways = transform == .quarter || transform == .threeQuarters
    return [output("DSI-1", transform: transform), output("DP-1", at: x ?? (isSideways ? 1280 : 800))]
  }

  private mutating func report(_ outputs: [Output]) -> PanelTurner.Step { turner.report(outputs, at: time) }
  private mutating func want(_ transform: OutputTransform) -> PanelTurner.Step {
    turner.want(transform, at: time)
  }
  private mutating func take(_ answer: PanelTurner.Answer) -> PanelTurner.Step {
    turner.take(answer, at: time)
  }

  /// Turns the panel, as a desktop does that has nothing against it.
  private mutating func settle(_ transform: OutputTransform) {
    if case .apply = want(transform) { #expect(take(.succeeded) == .wait) }
    #expect(report(desktop(transform)) == .wait)
  }

  /// What something else has done is undone only after the daemon had time to want it, too.
  private mutating func undo(_ outputs: [Output]) -> PanelTurner.Step {
    let step = report(outputs)
    guard case .resume(let seconds, _) = step else { return step }
    #expect(abs(seconds - PanelTurner.patience) < 1e-6)
    time += PanelTurner.patience / 2
    guard case .resume = report(outputs) else {
      Issue.record("it does not wait")
      return .wait
    }
    time += PanelTurner.patience / 2 + 1e-6
    return turner.resume(at: time)
  }

  private func applied(_ step: PanelTurner.Step) -> OutputTransform? {
    guard case .apply(let arrangement) = step else { return nil }
    return arrangement.changes.first { $0.name == "DSI-1" }?.transform
  }

  @Test("asks when it knows both the outputs and the transform, whichever comes first")
  mutating func start() {
    #expect(report(desktop(.normal)) == .wait)
    #expect(applied(want(.quarter)) == .quarter)
    var other = PanelTurner(output: nil)
    #expect(other.want(.quarter, at: time) == .wait)
    #expect(applied(other.report(desktop(.normal), at: time)) == .quarter)
  }

  @Test("knows what the panel shows when the desktop has reported it, and not before")
  mutating func shown() {
    #expect(report(desktop(.normal)) == .wait)
    #expect(turner.shown == nil)
    _ = want(.quarter)
    _ = take(.succeeded)
    #expect(turner.shown == nil)
    _ = report(desktop(.quarter))
    #expect(turner.shown == .quarter)
    _ = want(.half)
    _ = take(.failed)
    #expect(turner.shown == .quarter)
    _ = want(.quarter)
    #expect(turner.shown == .quarter)
  }

  @Test("asks nothing of a panel that has the transform already, and nothing twice")
  mutating func noNeed() {
    _ = report(desktop(.half))
    #expect(want(.half) == .wait)
    #expect(applied(want(.normal)) == .normal)
    #expect(want(.normal) == .wait)
    #expect(report(desktop(.half)) == .wait)
    #expect(take(.succeeded) == .wait)
    #expect(report(desktop(.normal)) == .wait)
  }

  @Test("turns a panel whose picture is mirrored")
  mutating func mirrored() {
    var outputs = desktop(.normal)
    outputs[0].isMirrored = true
    _ = report(outputs)
    #expect(applied(want(.normal)) == .normal)
  }

  @Test("waits with the next turn for the answer to the one before")
  mutating func oneAtATime() {
    _ = report(desktop(.normal))
    _ = want(.quarter)
    #expect(want(.half) == .wait)
    #expect(want(.threeQuarters) == .wait)
    #expect(applied(take(.succeeded)) == .threeQuarters)
  }

  @Test("asks again after a report if its request was out of date")
  mutating func outdated() {
    _ = report(desktop(.normal))
    _ = want(.quarter)
    #expect(take(.outdated) == .wait)
    #expect(applied(report(desktop(.normal))) == .quarter)
    // The report can also come first.
    #expect(report(desktop(.normal)) == .wait)
    #expect(applied(take(.outdated)) == .quarter)
  }

  @Test(
    "says that the compositor refuses a transform, and asks again only for another one, or of other outputs")
  mutating func refused() {
    _ = report(desktop(.normal))
    _ = want(.quarter)
    guard case .note(let text) = take(.failed) else {
      Issue.record("it says nothing")
      return
    }
    #expect(text.hasPrefix("turning DSI-1 to 90 was refused; trying again when"))
    #expect(report(desktop(.normal)) == .wait)
    #expect(applied(want(.half)) == .half)
    _ = take(.failed)
    #expect(applied(report(desktop(.normal, x: 900))) == .half)
  }

  @Test("asks again for what was refused when the daemon tells anything: the session is on the screen again")
  mutating func refusedMeanwhile() {
    _ = report(desktop(.normal))
    _ = want(.quarter)
    _ = take(.failed)
    #expect(applied(want(.quarter)) == .quarter)
    _ = take(.failed)
    #expect(report(desktop(.normal)) == .wait)
  }

  @Test("asks for a transform again that was refused, after the device was turned to and fro")
  mutating func refusedBefore() {
    _ = report(desktop(.normal))
    _ = want(.quarter)
    _ = take(.failed)
    #expect(want(.normal) == .wait)
    #expect(applied(want(.quarter)) == .quarter)
  }

  @Test("applies again what something else has reset, without moving the neighbours twice")
  mutating func reset() {
    _ = report(desktop(.normal))
    settle(.quarter)
    let step = undo(desktop(.normal, x: 1280))
    guard case .apply(let arrangement) = step else {
      Issue.record("\(step)")
      return
    }
    #expect(arrangement.changes.map(\.transform) == [.quarter, nil])
    #expect(arrangement.changes.map(\.position) == [nil, nil])
  }

  @Test("gives up when this has happened three times in five seconds, also before the transform was reported")
  mutating func rival() {
    _ = report(desktop(.normal))
    settle(.quarter)
    #expect(applied(undo(desktop(.half))) == .quarter)
    #expect(take(.succeeded) == .wait)
    time += 2
    #expect(applied(undo(desktop(.half))) == .quarter)
    #expect(take(.succeeded) == .wait)
    time += 2.5
    guard case .stop(let failure) = undo(desktop(.half)) else {
      Issue.record("it goes on")
      return
    }
    #expect(failure.exitStatus == 69)
    #expect(failure.description.hasPrefix("something else turns DSI-1, too"))
  }

  @Test("lets another program be faster that follows the same daemon")
  mutating func faster() {
    _ = report(desktop(.normal))
    settle(.quarter)
    for transform in [OutputTransform.half, .normal, .quarter, .half, .normal, .quarter] {
      guard case .resume = report(desktop(transform)) else {
        Issue.record("it does not wait")
        return
      }
      time += 0.1
      #expect(want(transform) == .wait)
      #expect(turner.resume(at: time + 0.1) == .wait)
    }
  }

  @Test("does not give up if it happens seldom")
  mutating func seldom() {
    _ = report(desktop(.normal))
    settle(.quarter)
    for _ in 0..<20 {
      time += 2.6
      #expect(applied(undo(desktop(.normal))) == .quarter)
      _ = take(.succeeded)
      _ = report(desktop(.quarter))
    }
  }

  @Test("does not count turns that the daemon wants, however many")
  mutating func ownTurns() {
    _ = report(desktop(.normal))
    for _ in 0..<20 {
      for transform in [OutputTransform.quarter, .half, .normal] { settle(transform) }
    }
  }

  @Test("waits for a panel that is off or unplugged, says so once, and that it is turned when it is back")
  mutating func gone() {
    _ = report(desktop(.normal))
    settle(.quarter)
    var off = desktop(.quarter)
    off[0].isEnabled = false
    #expect(report(off) == .note("DSI-1 is off; waiting for it"))
    #expect(report(off) == .wait)
    #expect(applied(report(desktop(.normal))) == .quarter)
    _ = take(.succeeded)
    #expect(report(desktop(.quarter)) == .note("DSI-1 is turned to 90 now"))
    #expect(report(desktop(.quarter)) == .wait)
    #expect(
      report([output("DP-1")]) == .note("there is no output DSI-1; waiting for it (outputs: DP-1)"))
    #expect(applied(report(desktop(.normal))) == .quarter)
  }

  @Test("says which output it waits for, and which there are")
  mutating func named() {
    turner = PanelTurner(output: "DSI-2")
    // Also before a daemon runs.
    #expect(
      report(desktop(.normal)) == .note("there is no output DSI-2; waiting for it (outputs: DSI-1, DP-1)"))
    #expect(report(desktop(.normal)) == .wait)
    #expect(want(.quarter) == .wait)
  }

  @Test("ends with the list of the outputs if it is not clear which is the panel, also before a daemon runs")
  mutating func ambiguous() {
    guard case .stop(let failure) = report([output("DP-1"), output("DP-2")]) else {
      Issue.record("it goes on")
      return
    }
    #expect(failure.description.hasSuffix("outputs: DP-1, DP-2"))
    #expect(failure.exitStatus == 69)
  }

  @Test("does not touch a desktop with an output that may be on although it is reported as off")
  mutating func hidden() {
    var outputs = desktop(.normal)
    outputs[1].isEnabled = false
    outputs[1].hasModeWithoutSize = true
    _ = report(outputs)
    guard case .note(let text) = want(.quarter) else {
      Issue.record("it goes on")
      return
    }
    #expect(text.contains("reports DP-1 as off and without a size"))
    outputs[1].hasModeWithoutSize = false
    #expect(applied(report(outputs)) == .quarter)
  }

  @Test("says so of the panel, too")
  mutating func doubtfulPanel() {
    var outputs = desktop(.normal)
    outputs[0].isEnabled = false
    outputs[0].hasModeWithoutSize = true
    _ = want(.quarter)
    guard case .note(let text) = report(outputs) else {
      Issue.record("it goes on")
      return
    }
    #expect(text.contains("reports DSI-1 as off and without a size"))
  }

  @Test(
    "spaces out requests that are out of date or change nothing, says so, and is prompt again for another wish"
  )
  mutating func repetition() {
    _ = report(desktop(.normal))
    var requests = applied(want(.quarter)) == nil ? 0 : 1
    var notes: [String] = []
    for _ in 0..<10_000 {
      _ = take(.outdated)
      switch report(desktop(.normal)) {
      case .apply: requests += 1
      case .resume(let seconds, let note):
        #expect(seconds < 10.001)
        if let note { notes.append(note) }
      default: break
      }
      time += 0.01
      if applied(turner.resume(at: time)) != nil { requests += 1 }
    }
    #expect((5...20).contains(requests), "\(requests) requests in 100 s")
    #expect(notes == ["DSI-1 cannot be turned now; trying again"])
    #expect(applied(want(.half)) == .half)
  }

  @Test("does not take a compositor for another program that reports a turn only later")
  mutating func late() {
    _ = report(desktop(.normal))
    for transform in [OutputTransform.quarter, .half, .threeQuarters, .normal, .half] {
      #expect(applied(want(transform)) == transform)
      #expect(take(.succeeded) == .wait)
      // Before it has carried out the change.
      if case .stop(let failure) = report(desktop(turner.shown ?? .normal)) { Issue.record(failure) }
      time += 0.15
      #expect(report(desktop(transform)) == .wait)
      time += 0.2
    }
  }

  @Test(
    "does not take its own turn for another program's if the panel is to go back before it is reported",
    arguments: [false, true])
  mutating func toAndFro(isAnswered: Bool) {
    #expect(report(desktop(.normal)) == .wait)
    #expect(want(.normal) == .wait)
    for _ in 0...Rivalry.limit {
      #expect(applied(want(.quarter)) == .quarter)
      if isAnswered { #expect(take(.succeeded) == .wait) }
      #expect(want(.normal) == .wait)
      if !isAnswered { #expect(take(.succeeded) == .wait) }
      #expect(!turner.isAtRest)
      #expect(applied(report(desktop(.quarter))) == .normal)
      #expect(take(.succeeded) == .wait)
      #expect(report(desktop(.normal)) == .wait)
      #expect(turner.isAtRest)
    }
  }

  @Test("is at rest some seconds after that if the desktop reports nothing")
  mutating func toAndFroUnreported() {
    _ = report(desktop(.normal))
    _ = want(.quarter)
    _ = want(.normal)
    _ = take(.succeeded)
    time += PanelTurner.patienceWithDesktop
    #expect(turner.resume(at: time) == .wait)
    #expect(turner.isAtRest)
  }

  @Test("says that a desktop has not said anything yet, and turns its panel when it does")
  mutating func silentAtFirst() {
    #expect(want(.quarter) == .wait)
    time += PanelTurner.patienceWithDesktop
    #expect(turner.resume(at: time) == .note("the desktop does not answer; waiting for it"))
    #expect(turner.resume(at: time) == .wait)
    #expect(applied(report(desktop(.normal))) == .quarter)
  }

  @Test("asks a desktop again that has answered and reports nothing, and says that one does not answer")
  mutating func silent() {
    _ = report(desktop(.normal))
    _ = want(.quarter)
    #expect(turner.resume(at: time) == .note("the desktop does not answer; waiting for it"))
    #expect(turner.resume(at: time) == .wait)
    _ = take(.outdated)
    time += PanelTurner.patienceWithDesktop
    #expect(applied(turner.resume(at: time)) == .quarter)
  }

  @Test("touches nothing while two outputs have the same name")
  mutating func equalNames() {
    let outputs = [output("DSI-1"), output("DP-1"), output("DP-1")]
    _ = want(.quarter)
    #expect(report(outputs) == .note("the desktop gives two outputs the same name: nothing is turned"))
    #expect(applied(report(desktop(.normal))) == .quarter)
  }

  @Test("turns both panels of a laptop with two, and one that is switched on later, too")
  mutating func twoPanels() {
    let both = [output("eDP-1", 2880, 1800), output("eDP-2", 2880, 1800, at: 0, 1800, isEnabled: false)]
    _ = report(both)
    guard case .apply(let first) = want(.half) else {
      Issue.record("it does not ask")
      return
    }
    #expect(first.changes.map(\.transform) == [.half, nil])
    #expect(first.changes.map(\.isEnabled) == [true, false])
    var turned = first.applied(to: both)
    _ = take(.succeeded)
    #expect(report(turned) == .wait)
    #expect(turner.shown == .half)
    turned[1].isEnabled = true
    guard case .apply(let second) = undo(turned) else {
      Issue.record("it does not ask")
      return
    }
    #expect(second.changes.map(\.transform) == [.half, .half])
    #expect(second.changes.map(\.position) == [.init(x: 0, y: 1800), .init(x: 0, y: 0)])
  }
}
