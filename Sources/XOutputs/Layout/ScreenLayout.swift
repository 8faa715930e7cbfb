// SPDX-License-Identifier: Apache-2.0

// This folder: what is on the screen of an X server, and what must change there. No X server is needed for that.

import CX11
import Following
import Orientation

/// A part of the screen, in pixels.
struct ScreenArea: Equatable, Sendable {
  var x: Int32
  var y: Int32
  var width: Int32
  var height: Int32

  /// Whether a screen of a size has all of it.
  func fits(in size: PixelSize) -> Bool {
    Int(x) + Int(width) <= Int(size.width) && Int(y) + Int(height) <= Int(size.height)
  }
}

/// What shows a part of the screen on one output, or the same part on several: a "CRTC".
struct Controller: Equatable, Sendable {
  /// Its number at the server.
  let id: UInt
  /// The mode's number at the server.
  let mode: UInt
  /// The numbers of its outputs.
  let outputs: [UInt]
  /// Which rotations it can do, as RandR's set of bits.
  let rotations: UInt16
  var area: ScreenArea
  var rotation: XRotation

  /// Turns it; its upper left corner stays.
  mutating func turn(to transform: OutputTransform) {
    let rotation = XRotation(transform)
    if rotation.isSideways != self.rotation.isSideways { swap(&area.width, &area.height) }
    self.rotation = rotation
  }

  /// Whether its driver can turn the picture at all.
  var canTurn: Bool { rotations & UInt16(RR_Rotate_90 | RR_Rotate_180 | RR_Rotate_270) != 0 }

  /// Whether it can do what is set.
  var isPossible: Bool { rotations & rotation.bits == rotation.bits }
}

/// A connector, with what is plugged in there.
struct Connector: Equatable, Sendable {
  /// Its number at the server.
  let id: UInt
  /// Its name, such as "eDP-1".
  let name: String
}

/// The screen of an X server, and which outputs show what of it.
struct ScreenLayout: Equatable, Sendable {
  var size: PixelSize
  /// Those that show something.
  var controllers: [Controller]
  /// Those where something is plugged in, or that show something.
  let connectors: [Connector]

  /// What is known of each output.
  ///
  /// X servers have no points: an output shows as many pixels of the screen as its controller's area has, whatever its mode is.
  var outputs: [Output] {
    connectors.map { connector in
      var output = Output(name: connector.name)
      guard let controller = controller(of: connector) else {
        output.isEnabled = false
        return output
      }
      let area = controller.area
      let isSideways = controller.rotation.isSideways
      output.mode = PixelSize(
        width: isSideways ? area.height : area.width, height: isSideways ? area.width : area.height)
      output.position = DesktopPosition(x: area.x, y: area.y)
      output.transform = controller.rotation.transform
      output.isMirrored = controller.rotation.isMirrored
      return output
    }
  }

  /// What the output with a name shows; nil if it is off, or not there.
  func controller(named name: String) -> Controller? {
    connectors.first { $0.name == name }.flatMap(controller(of:))
  }

  /// The layout after a change; the screen is then as large as its outputs need it.
  func changed(by arrangement: Arrangement) -> ScreenLayout {
    var changed = self
    for change in arrangement.changes where change.isEnabled {
      guard let connector = connectors.first(where: { $0.name == change.name }),
        let index = controllers.firstIndex(where: { $0.outputs.contains(connector.id) })
      else { continue }
      if let transform = change.transform { changed.controllers[index].turn(to: transform) }
      if let position = change.position {
        (changed.controllers[index].area.x, changed.controllers[index].area.y) = (position.x, position.y)
      }
    }
    let areas = changed.controllers.map { $0.area }
    changed.size = PixelSize(
      width: areas.map { $0.x &+ $0.width }.max() ?? size.width,
      height: areas.map { $0.y &+ $0.height }.max() ?? size.height)
    return changed
  }

  /// Whether these are copies of a Wayland compositor's outputs, as older versions of Xwayland name them.
  var isOfXwayland: Bool { connectors.contains { $0.name.hasPrefix("XWAYLAND") } }

  /// Whether an output that was on is off.
  func hasLost(since before: ScreenLayout) -> Bool {
    before.connectors.contains { connector in
      connectors.contains(connector) && before.controller(of: connector) != nil
        && controller(of: connector) == nil
    }
  }

  private func controller(of connector: Connector) -> Controller? {
    controllers.first { $0.outputs.contains(connector.id) }
  }
}

/// How a controller turns and mirrors its picture: RandR's set of bits.
///
/// RandR counts counter-clockwise, as the transforms of Wayland's outputs do.
struct XRotation: Equatable, Sendable {
  let bits: UInt16

  init(bits: UInt16) { self.bits = bits }

  /// Not mirrored.
  init(_ transform: OutputTransform) { bits = 1 << UInt16(transform.quarters) }

  /// The turn; a picture that is mirrored along both axes is one that is turned by half.
  var transform: OutputTransform {
    let quarters = bits.trailingZeroBitCount
    let isUpsideDown = bits & Self.mirrors == Self.mirrors
    return OutputTransform(quarters: isUpsideDown ? quarters + 2 : quarters)
  }

  /// Whether the picture is mirrored along one axis.
  var isMirrored: Bool { bits & Self.mirrors != 0 && bits & Self.mirrors != Self.mirrors }

  /// Whether the height of the picture is the width of the mode.
  var isSideways: Bool { bits & UInt16(RR_Rotate_90 | RR_Rotate_270) != 0 }

  private static let mirrors = UInt16(RR_Reflect_X | RR_Reflect_Y)
}
