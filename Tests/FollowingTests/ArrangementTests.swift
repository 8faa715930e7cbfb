// SPDX-License-Identifier: Apache-2.0

import Orientation
import TestSupport
import Testing

@testable import Following

/// An output of a desktop.
func output(
  _ name: String, _ width: Int32 = 800, _ height: Int32 = 1280, at x: Int32 = 0, _ y: Int32 = 0,
  scale: Double = 1, transform: OutputTransform = .normal, isEnabled: Bool = true
) -> Output {
  var output = Output(name: name)
  output.mode = PixelSize(width: width, height: height)
  output.position = DesktopPosition(x: x, y: y)
  output.scale = scale
  output.transform = transform
  output.isEnabled = isEnabled
  return output
}

extension Arrangement {
  /// The outputs as they are after the change.
  func applied(to outputs: [Output]) -> [Output] {
    zip(outputs, changes).map { output, change in
      var output = output
      output.position = change.position ?? output.position
      output.transform = change.transform ?? output.transform
      return output
    }
  }

  func position(of name: String) -> DesktopPosition? { changes.first { $0.name == name }?.position }
}

@Suite("The arrangement of outputs that turns the panel")
struct ArrangementTests {
  private func positions(
    turning panel: Output, to transform: OutputTransform = .quarter, beside others: Output...
  ) -> [DesktopPosition?] {
    let arrangement = Arrangement(turning: [panel.name], to: transform, among: [panel] + others)
    #expect(arrangement.position(of: panel.name) == nil)
    return others.map { arrangement.position(of: $0.name) }
  }

  @Test(
    "has all outputs: those that are on stay on, those that are off stay off, and only the panel is turned")
  func allOutputs() {
    let outputs = [output("DSI-1"), output("DP-1", at: 800), output("DP-2", isEnabled: false)]
    let changes = Arrangement(turning: ["DSI-1"], to: .half, among: outputs).changes
    #expect(changes.map(\.name) == ["DSI-1", "DP-1", "DP-2"])
    #expect(changes.map(\.isEnabled) == [true, true, false])
    #expect(changes.map(\.transform) == [.half, nil, nil])
    #expect(changes.map(\.position) == [nil, nil, nil])
  }

  @Test("moves an output at the right by what the panel becomes wider, and back when it becomes narrower")
  func right() {
    #expect(positions(turning: output("DSI-1"), beside: output("DP-1", at: 800)) == [.init(x: 1280, y: 0)])
    let turned = output("DSI-1", transform: .quarter)
    #expect(
      positions(turning: turned, to: .normal, beside: output("DP-1", at: 1280)) == [.init(x: 800, y: 0)])
    #expect(positions(turning: turned, to: .threeQuarters, beside: output("DP-1", at: 1280)) == [nil])
  }

  @Test("moves an output below, and those at the right of one at the right")
  func others() {
    let (below, first, second) = (
      output("DP-1", at: 0, 1280), output("DP-2", 1920, 1080, at: 800), output("DP-3", at: 2720)
    )
    #expect(
      positions(turning: output("DSI-1"), beside: below, first, second)
        == [.init(x: 0, y: 800), .init(x: 1280, y: 0), .init(x: 3200, y: 0)])
  }

  @Test("leaves outputs at the left and above, and those that are off")
  func unmoved() {
    let others = [
      output("DP-1", at: -800), output("DP-2", at: 0, -1280), output("DP-3", at: 800, isEnabled: false),
    ]
    let arrangement = Arrangement(turning: ["DSI-1"], to: .quarter, among: others + [output("DSI-1")])
    #expect(arrangement.changes.allSatisfy { $0.position == nil })
  }

  @Test(
    "moves by whole points: a fraction is dropped",
    arguments: [
      (1.5, 533, 853), (1.25, 640, 1024), (1.75, 457, 731), (2, 400, 640), (1.3333, 600, 960),
      // 1.2 and 1.4, as Wayland's protocol has them.
      (1.19921875, 666, 1066), (1.3984375, 571, 914),
    ])
  func scales(scale: Double, before: Int32, after: Int32) {
    var outputs = [output("DSI-1", scale: scale), output("DP-1", at: before)]
    for (transform, x) in [(OutputTransform.quarter, after), (.half, before), (.threeQuarters, after)] {
      outputs = Arrangement(turning: ["DSI-1"], to: transform, among: outputs).applied(to: outputs)
      #expect(outputs[1].position == DesktopPosition(x: x, y: 0))
    }
  }

  @Test("leaves a gap if an output that comes closer would cover another one")
  func gap() {
    // Below the panel, and below the taller one beside it.
    let (tall, wide) = (output("DP-1", 1000, 1600, at: 800), output("DP-2", 1800, 1000, at: 0, 1600))
    #expect(positions(turning: output("DSI-1"), beside: tall, wide) == [.init(x: 1280, y: 0), nil])
  }

  @Test("moves nothing while the mode of the panel is not known, or a report is absurd")
  func absurd() {
    var unknown = output("DSI-1")
    unknown.mode = nil
    #expect(positions(turning: unknown, beside: output("DP-1", at: 800)) == [nil])
    for scale in [0, -1, .nan, .infinity, 1e-30] {
      #expect(positions(turning: output("DSI-1", scale: scale), beside: output("DP-1", at: 800)) == [nil])
    }
    let far = output("DP-1", .max, .max, at: .max, .max)
    _ = positions(turning: output("DSI-1", .max, 1, at: .min, .min), beside: far)
    _ = positions(turning: output("DSI-1", -2_000_000_000, 2_000_000_000), beside: output("DP-1", at: 800))
  }

  @Test("leaves outputs that are where they have to be, after something else has turned only the panel")
  func turnedBack() {
    let before = [output("DSI-1", transform: .quarter), output("DP-1", at: 1280)]
    let reset = [output("DSI-1"), output("DP-1", at: 1280)]
    #expect(
      Arrangement(turning: ["DSI-1"], to: .quarter, among: reset, before: before).position(of: "DP-1") == nil)
    let both = [output("DSI-1"), output("DP-1", at: 800)]
    #expect(
      Arrangement(turning: ["DSI-1"], to: .quarter, among: both, before: before).position(of: "DP-1")
        == DesktopPosition(x: 1280, y: 0))
  }

  @Test("never makes outputs overlap that did not")
  func overlaps() {
    var random = SeededGenerator(seed: 19)
    var turns = 0
    for _ in 0..<500 {
      var outputs = randomDesktop(&random)
      for transform in [OutputTransform.quarter, .normal, .threeQuarters, .half] {
        let after = Arrangement(turning: ["DSI-1"], to: transform, among: outputs).applied(to: outputs)
        #expect(overlapping(after) == 0, "\(outputs) \(transform)")
        outputs = after
        turns += 1
      }
    }
    #expect(turns == 2000)
  }

  /// Outputs that do not overlap, on a grid, so that many touch.
  private func randomDesktop(_ random: inout SeededGenerator) -> [Output] {
    var outputs = [output("DSI-1")]
    for number in 1...4 {
      let candidate = output(
        "DP-\(number)", 400 * .random(in: 1...4, using: &random), 400 * .random(in: 1...4, using: &random),
        at: 400 * .random(in: -4...6, using: &random), 400 * .random(in: -4...6, using: &random))
      if overlapping(outputs + [candidate]) == 0 { outputs.append(candidate) }
    }
    return outputs
  }

  /// How many pairs overlap, counted in another way than by the code.
  private func overlapping(_ outputs: [Output]) -> Int {
    outputs.indices.reduce(0) { count, index in
      count
        + outputs[..<index].count {
          share($0, outputs[index], \.x, \.width) && share($0, outputs[index], \.y, \.height)
        }
    }
  }

  private func share(
    _ first: Output, _ second: Output, _ start: KeyPath<DesktopPosition, Int32>,
    _ length: KeyPath<DesktopSize, Int32>
  ) -> Bool {
    let ranges = [first, second].map { output in
      let from = output.position[keyPath: start]
      return from..<(from + (output.size(turned: output.transform)?[keyPath: length] ?? 0))
    }
    return ranges[0].overlaps(ranges[1])
  }

  /// The areas of two panels after a turn, and where a monitor is then.
  private func laptop(
    _ transform: OutputTransform, from outputs: [Output]
  ) -> [DesktopPosition] {
    Arrangement(turning: ["eDP-1", "eDP-2"], to: transform, among: outputs).applied(to: outputs).map(
      \.position)
  }

  // The laptop's base is below its display; turned clockwise, it is at the left.
  @Test("turns two panels, and places them as they are in the laptop, wherever they were")
  func twoPanels() {
    for second in [DesktopPosition(x: 0, y: 1800), .init(x: 2880, y: 0)] {
      let outputs = [output("eDP-2", 2880, 1800, at: second.x, second.y), output("eDP-1", 2880, 1800)]
      #expect(laptop(.normal, from: outputs) == [.init(x: 0, y: 1800), .init(x: 0, y: 0)])
      #expect(laptop(.quarter, from: outputs) == [.init(x: 0, y: 0), .init(x: 1800, y: 0)])
      #expect(laptop(.half, from: outputs) == [.init(x: 0, y: 0), .init(x: 0, y: 1800)])
      #expect(laptop(.threeQuarters, from: outputs) == [.init(x: 1800, y: 0), .init(x: 0, y: 0)])
      let changes = Arrangement(turning: ["eDP-1", "eDP-2"], to: .half, among: outputs).changes
      #expect(changes.map(\.transform) == [.half, .half])
    }
  }

  @Test("moves a monitor beside two panels by what both together become wider")
  func besideTwoPanels() {
    let outputs = [
      output("eDP-1", 2880, 1800), output("eDP-2", 2880, 1800, at: 0, 1800),
      output("DP-1", 1920, 1080, at: 2880),
    ]
    #expect(laptop(.quarter, from: outputs).last == .init(x: 3600, y: 0))
    #expect(laptop(.half, from: outputs).last == .init(x: 2880, y: 0))
  }

  @Test("leaves two panels where they are if the mode of one is not known")
  func twoPanelsWithoutMode() {
    var outputs = [output("eDP-1", 2880, 1800), output("eDP-2", 2880, 1800, at: 0, 1800)]
    outputs[1].mode = nil
    let changes = Arrangement(turning: ["eDP-1", "eDP-2"], to: .quarter, among: outputs).changes
    #expect(changes.map(\.transform) == [.quarter, .quarter])
    #expect(changes.map(\.position) == [nil, nil])
  }
}
