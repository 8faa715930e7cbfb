// SPDX-License-Identifier: Apache-2.0

import Orientation
import TestSupport
import Testing

@testable import SensorSetup

/// A sysfs with graphics cards.
private struct Sysfs {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Adds a connector; nil leaves an attribute out.
  func add(_ name: String, modes: String?, status: String? = "connected") throws {
    if let modes { try folder.write(modes, to: "class/drm/\(name)/modes") }
    if let status { try folder.write("\(status)\n", to: "class/drm/\(name)/status") }
    try folder.write("dpms\n", to: "class/drm/\(name)/dpms")
  }

  var found: DetectedNaturalOrientation { DetectedNaturalOrientation(by: nil, sysfs: folder.path) }
}

private let noPanel = "portrait (no internal panel: portrait)"

@Suite("The natural orientation of a panel")
struct InternalPanelTests {
  private let sysfs: Sysfs

  init() throws {
    sysfs = try Sysfs()
    // As every machine has them.
    try sysfs.add("card0", modes: nil, status: nil)
    try sysfs.add("renderD128", modes: nil, status: nil)
  }

  @Test(
    "that is higher than wide is portrait", arguments: ["eDP", "DSI", "LVDS", "DPI", "SPI", "Unknown"])
  func portrait(kind: String) throws {
    try sysfs.add("card0-\(kind)-1", modes: "1200x1920\n1920x1080\n")
    #expect(sysfs.found.orientation == .portrait)
    #expect(sysfs.found.reason == "panel \(kind)-1 is 1200x1920: portrait")
  }

  @Test("that is wider than high is landscapeLeft, also interlaced", arguments: ["1920x1080", "1920x1080i"])
  func landscape(mode: String) throws {
    try sysfs.add("card0-eDP-1", modes: "\(mode)\n1200x1920\n")
    #expect(sysfs.found.orientation == .landscapeLeft)
    #expect(sysfs.found.reason == "panel eDP-1 is 1920x1080: landscape")
  }

  @Test("that is square is portrait")
  func square() throws {
    try sysfs.add("card0-DSI-1", modes: "720x720\n")
    #expect("\(sysfs.found)" == "portrait (panel DSI-1 is 720x720: portrait)")
  }

  @Test("is not that of a screen on a cable")
  func external() throws {
    for name in ["HDMI-A-1", "DP-1", "VGA-1", "DVI-D-1", "Virtual-1", "Writeback-1", "DP-eDP-1"] {
      try sysfs.add("card0-\(name)", modes: "1920x1080\n")
    }
    #expect("\(sysfs.found)" == noPanel)
    try sysfs.add("card0-DSI-1", modes: "800x1280\n")
    #expect(sysfs.found.reason == "panel DSI-1 is 800x1280: portrait")
  }

  @Test("of two cards is that of the one where the panel is connected")
  func twoCards() throws {
    try sysfs.add("card0-eDP-1", modes: "1080x1920\n", status: "disconnected")
    try sysfs.add("card1-eDP-2", modes: "2560x1600\n")
    #expect(sysfs.found.reason == "panel eDP-2 is 2560x1600: landscape")
  }

  @Test("of several is the first one's, by card and connector, whatever order sysfs lists them in")
  func several() throws {
    for (name, modes) in [
      ("card1-LVDS-1", "1024x768\n"), ("card1-DSI-1", "1280x800\n"), ("card0-eDP-1", "1200x1920\n"),
      ("card0-eDP-2", "1920x1200\n"),
    ] { try sysfs.add(name, modes: modes) }
    #expect(sysfs.found.reason == "panel eDP-1 is 1200x1920: portrait")
  }

  @Test("is that of the connector that is the most certainly connected and built in")
  func certainty() throws {
    try sysfs.add("card0-Unknown-1", modes: "640x480\n")
    #expect(sysfs.found.reason == "panel Unknown-1 is 640x480: landscape")
    try sysfs.add("card1-eDP-2", modes: "1200x1920\n", status: "unknown")
    #expect(sysfs.found.reason == "panel Unknown-1 is 640x480: landscape")
    try sysfs.add("card1-DPI-1", modes: "480x800\n")
    #expect(sysfs.found.reason == "panel DPI-1 is 480x800: portrait")
    try sysfs.add("card2-eDP-1", modes: nil)
    #expect(sysfs.found.reason == "panel DPI-1 is 480x800: portrait")
    try sysfs.add("card2-eDP-1", modes: "1920x1080\n")
    #expect(sysfs.found.reason == "panel eDP-1 is 1920x1080: landscape")
  }

  @Test("is that of one whose driver cannot tell whether it is connected, where there is no other")
  func unknownStatus() throws {
    try sysfs.add("card0-DSI-1", modes: "1920x1080\n", status: "unknown")
    try sysfs.add("card0-HDMI-A-1", modes: "1080x1920\n", status: "unknown")
    #expect(sysfs.found.reason == "panel DSI-1 is 1920x1080: landscape")
  }

  @Test("is not that of a connector of no kind beside a screen on a cable")
  func unknownKind() throws {
    try sysfs.add("card0-Unknown-1", modes: "1920x1080\n")
    try sysfs.add("card1-HDMI-A-1", modes: "1920x1080\n", status: "disconnected")
    #expect(sysfs.found.orientation == .landscapeLeft)
    try sysfs.add("card1-HDMI-A-1", modes: "1920x1080\n")
    #expect("\(sysfs.found)" == noPanel)
  }

  @Test("is portrait where no panel is connected", arguments: ["disconnected", "", "connected?", nil])
  func disconnected(status: String?) throws {
    try sysfs.add("card0-eDP-1", modes: "1920x1080\n", status: status)
    #expect("\(sysfs.found)" == noPanel)
  }

  @Test("is portrait where there are no graphics at all")
  func nothing() throws {
    let empty = try TemporaryFolder()
    #expect("\(DetectedNaturalOrientation(by: nil, sysfs: empty.path))" == noPanel)
    #expect("\(DetectedNaturalOrientation(by: nil, sysfs: "/nonexistent"))" == noPanel)
  }

  @Test(
    "is portrait where its preferred mode says nothing",
    arguments: [
      nil, "", "\n", "garbage\n", "x\n", "1920x\n", "x1080\n", "0x0\n", "1920x0\n", "-1920x-1080\n",
      "+1920x1080\n",
      "1920 x 1080\n", "1920x1080x2\n", "1920x1080ii\n", "1920X1080\n", "99999999999999999999x1080\n",
      "65536x1\n",
      "\n1920x1080\n", String(repeating: "9", count: 5000),
    ])
  func garbage(modes: String?) throws {
    try sysfs.add("card0-eDP-1", modes: modes)
    #expect("\(sysfs.found)" == "portrait (panel eDP-1 has no mode: portrait)")
    // One that does say something goes before it.
    try sysfs.add("card1-eDP-1", modes: "1920x1200\n")
    #expect(sysfs.found.orientation == .landscapeLeft)
  }

  @Test("is what the configuration says, whatever the panel")
  func configured() throws {
    let folder = try TemporaryFolder()
    try folder.write("connected\n", to: "class/drm/card0-eDP-1/status")
    try folder.write("1920x1080\n", to: "class/drm/card0-eDP-1/modes")
    for choice in NaturalOrientation.allCases {
      let finding = DetectedNaturalOrientation(by: choice, sysfs: folder.path)
      #expect(finding.orientation == choice)
      #expect(finding.reason == "configured")
    }
  }
}
