// SPDX-License-Identifier: Apache-2.0

import Orientation
import TestSupport
import Testing

@testable import SensorSetup

@Suite("The orientation of a laptop")
struct LaptopOrientationTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Finds it with a panel and a text console.
  private func found(
    mode: String?, console: String?, by choice: NaturalOrientation? = nil
  ) throws -> DetectedNaturalOrientation {
    if let mode {
      try folder.write("connected\n", to: "class/drm/card0-eDP-1/status")
      try folder.write("\(mode)\n", to: "class/drm/card0-eDP-1/modes")
    }
    if let console { try folder.write(console, to: "class/graphics/fbcon/rotate") }
    return DetectedNaturalOrientation(by: nil, laptop: choice, sysfs: folder.path)
  }

  // "Right side up": the right side of the panel is up, which is what landscapeLeft means.
  @Test(
    "with a portrait panel is that of the side that is up",
    arguments: zip(
      ["1\n", "2\n", "3\n"], [NaturalOrientation.landscapeLeft, .portraitUpsideDown, .landscapeRight]))
  func portraitPanel(console: String, orientation: NaturalOrientation) throws {
    let found = try found(mode: "1600x2560", console: console)
    #expect(found.orientation == .portrait)
    #expect(found.laptop?.orientation == orientation)
    #expect(found.home == orientation)
  }

  @Test(
    "with a landscape panel, too, which has its own upright in landscapeLeft",
    arguments: zip(
      ["0\n", "1\n", "2\n", "3\n"],
      [NaturalOrientation.landscapeLeft, .portraitUpsideDown, .landscapeRight, .portrait]))
  func landscapePanel(console: String, orientation: NaturalOrientation) throws {
    let found = try found(mode: "1920x1200", console: console)
    #expect(found.orientation == .landscapeLeft)
    #expect(found.laptop?.orientation == orientation)
  }

  @Test(
    "is not known of a portrait panel that nothing is said of, which is a tablet's",
    arguments: [
      nil, "0\n", "", "\n", "4\n", "-1\n", "1 \n", "01\n", "right_side_up\n",
      String(repeating: "1", count: 5000),
    ])
  func unknown(console: String?) throws {
    let found = try found(mode: "1600x2560", console: console)
    #expect(found.laptop == nil)
    #expect(found.home == .portrait)
  }

  @Test("is not known without a panel, whatever the console does")
  func noPanel() throws {
    #expect(try found(mode: nil, console: "1\n").laptop == nil)
  }

  @Test("is what the configuration says, whatever the panel and the console")
  func configured() throws {
    for choice in NaturalOrientation.allCases {
      let found = try found(mode: "1600x2560", console: "1\n", by: choice)
      #expect(found.laptop?.orientation == choice)
      #expect(found.laptop?.reason == "configured")
      #expect(found.orientation == .portrait)
    }
  }

  @Test("in udev's words is that of the panel's own connector")
  func words() {
    let text = "eDP-1=right_side_up eDP-10=normal DSI-1=left_side_up"
    #expect(PanelMounting(of: "eDP-1", in: text) == .rightSideUp)
    #expect(PanelMounting(of: "eDP-10", in: text) == .upright)
    #expect(PanelMounting(of: "DSI-1", in: text) == .leftSideUp)
    #expect(PanelMounting(of: "DSI-2", in: text) == nil)
    for text in [
      "", " ", "=", "eDP-1", "eDP-1=", "eDP-1 = normal", "eDP-1=up", "eDP-1=normal=normal", "normal",
    ] {
      #expect(PanelMounting(of: "eDP-1", in: text) == nil)
    }
  }

  @Test("has a reason")
  func reason() throws {
    #expect(
      try found(mode: "1600x2560", console: "3\n").laptop.map { "\($0)" }
        == "landscapeRight (panel eDP-1 is mounted left_side_up)")
    #expect(
      try found(mode: "1920x1200", console: "0\n").laptop.map { "\($0)" } == "landscapeLeft (as the panel)")
  }
}
