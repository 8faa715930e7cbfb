// SPDX-License-Identifier: Apache-2.0

import CX11
import Following
import Orientation
import Testing

@testable import XOutputs

@Suite("What is on the screen of an X server")
struct ScreenLayoutTests {
  @Test("a panel that turns takes its neighbour with it, and the screen has the size of both")
  func turnsThePanel() throws {
    let layout = Sample.layout(panel: .normal, monitor: (800, 0))
    let changed = try layout.changed(by: Self.arrangement(.quarter, of: layout))
    #expect(changed.controller(named: "eDP-1")?.area == ScreenArea(x: 0, y: 0, width: 1280, height: 800))
    #expect(changed.controller(named: "eDP-1")?.rotation.bits == UInt16(RR_Rotate_90))
    #expect(changed.controller(named: "HDMI-1")?.area == ScreenArea(x: 1280, y: 0, width: 1920, height: 1080))
    #expect(changed.size == PixelSize(width: 3200, height: 1080))
  }

  @Test("all transforms lead back to the first layout")
  func turnsBack() throws {
    let layout = Sample.layout(panel: .normal, monitor: (800, 0))
    for transform in OutputTransform.allCases where transform != .normal {
      let turned = try layout.changed(by: Self.arrangement(transform, of: layout))
      #expect(turned.outputs.first?.transform == transform)
      #expect(try turned.changed(by: Self.arrangement(.normal, of: turned)) == layout, "\(transform)")
    }
  }

  @Test("an output that is off stays off, and is not part of the screen")
  func leavesOff() throws {
    var layout = Sample.layout(panel: .normal, monitor: (800, 0))
    layout.controllers.removeLast()
    let changed = try layout.changed(by: Self.arrangement(.quarter, of: layout))
    #expect(changed.outputs.map(\.isEnabled) == [true, false])
    #expect(changed.controllers.count == 1)
    #expect(changed.size == PixelSize(width: 1280, height: 800))
  }

  @Test("an output is as large as what it shows of the screen, also if its mode is another")
  func scaled() {
    var layout = Sample.layout(panel: .quarter)
    (layout.controllers[0].area.width, layout.controllers[0].area.height) = (1920, 1200)
    #expect(layout.outputs[0].mode == PixelSize(width: 1200, height: 1920))
    #expect(layout.outputs[0].scale == 1)
  }

  @Test("an output is lost if it is off, but not if it was unplugged or was off before")
  func lost() {
    let both = Sample.layout(panel: .normal, monitor: (800, 0))
    var one = both
    one.controllers.removeLast()
    #expect(one.hasLost(since: both))
    #expect(!both.hasLost(since: one))
    #expect(!one.hasLost(since: one))
    let unplugged = ScreenLayout(
      size: one.size, controllers: one.controllers, connectors: [both.connectors[0]])
    #expect(!unplugged.hasLost(since: both))
  }

  @Test("a rotation that the server does not have is not possible")
  func possible() {
    var layout = Sample.layout(panel: .normal)
    layout.controllers[0] = Controller(
      id: 1, mode: 1, outputs: [11], rotations: UInt16(RR_Rotate_0 | RR_Reflect_X),
      area: layout.controllers[0].area,
      rotation: XRotation(.normal))
    #expect(layout.controllers[0].isPossible)
    layout.controllers[0].turn(to: .half)
    #expect(!layout.controllers[0].isPossible)
  }

  /// What the program would ask for.
  private static func arrangement(_ transform: OutputTransform, of layout: ScreenLayout) throws -> Arrangement
  {
    var turner = PanelTurner(output: "eDP-1")
    _ = turner.report(layout.outputs, at: 0)
    guard case .apply(let arrangement) = turner.want(transform, at: 0) else { throw NothingToDo() }
    return arrangement
  }

  private struct NothingToDo: Error {}
}

@Suite("RandR's rotations")
struct XRotationTests {
  @Test("are counter-clockwise, like transforms")
  func bits() {
    let bits = [OutputTransform.normal, .quarter, .half, .threeQuarters].map { XRotation($0).bits }
    #expect(bits.map(Int32.init) == [RR_Rotate_0, RR_Rotate_90, RR_Rotate_180, RR_Rotate_270])
    for transform in OutputTransform.allCases {
      #expect(XRotation(transform).transform == transform)
      #expect(!XRotation(transform).isMirrored)
    }
  }

  @Test("a picture that is mirrored along both axes is turned by half")
  func mirrored() {
    let both = UInt16(RR_Reflect_X | RR_Reflect_Y)
    #expect(XRotation(bits: UInt16(RR_Rotate_90) | both).transform == .threeQuarters)
    #expect(!XRotation(bits: UInt16(RR_Rotate_90) | both).isMirrored)
    #expect(XRotation(bits: UInt16(RR_Rotate_90 | RR_Reflect_X)).isMirrored)
    #expect(XRotation(bits: UInt16(RR_Rotate_90 | RR_Reflect_X)).transform == .quarter)
  }
}
