// SPDX-License-Identifier: Apache-2.0

import CX11
import Following
import Orientation

@testable import XOutputs

/// A tablet with a portrait panel of 800x1280, and perhaps a monitor of 1920x1080.
enum Sample {
  static func layout(
    panel transform: OutputTransform, at position: (Int32, Int32) = (0, 0), monitor: (Int32, Int32)? = nil
  ) -> ScreenLayout {
    var panel = controller(1, ScreenArea(x: position.0, y: position.1, width: 800, height: 1280))
    panel.turn(to: transform)
    let other = monitor.map {
      controller(2, ScreenArea(x: $0.0, y: $0.1, width: 1920, height: 1080))
    }
    return layout(of: [panel] + (other.map { [$0] } ?? []), connectors: ["eDP-1", "HDMI-1"])
  }

  /// The same tablet while its panel is off, and one or two monitors show these areas.
  static func withoutPanel(_ areas: ScreenArea...) -> ScreenLayout {
    let monitors = areas.enumerated().map { number, area in controller(UInt(number) + 2, area) }
    return layout(of: monitors, connectors: ["eDP-1", "HDMI-1", "HDMI-2"])
  }

  private static func layout(of controllers: [Controller], connectors names: [String]) -> ScreenLayout {
    ScreenLayout(
      size: PixelSize(
        width: controllers.map { $0.area.x + $0.area.width }.max() ?? 0,
        height: controllers.map { $0.area.y + $0.area.height }.max() ?? 0),
      controllers: controllers,
      connectors: names.enumerated().map { number, name in Connector(id: UInt(number) + 11, name: name) })
  }

  /// The pixel of the picture, from its own corner, that a point of the panel's glass shows: the picture is turned counter-clockwise.
  static func pixel(of glass: (Float, Float), _ transform: OutputTransform) -> (Float, Float) {
    switch transform {
    case .normal: glass
    case .quarter: (1280 - glass.1, glass.0)
    case .half: (800 - glass.0, 1280 - glass.1)
    case .threeQuarters: (glass.1, 800 - glass.0)
    }
  }

  private static func controller(_ number: UInt, _ area: ScreenArea) -> Controller {
    Controller(
      id: number, mode: 100 + number, outputs: [10 + number], rotations: 15, area: area,
      rotation: XRotation(.normal))
  }
}
