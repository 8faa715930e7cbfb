// SPDX-License-Identifier: Apache-2.0

import MockDevices
import Orientation
import Testing

/// What the chip reads, in counts, with the panel turned by a quarter against the clock each time, and then flat.
private let panelPoses: [(x: Int, y: Int, z: Int)] = [
  (0, -1024, 0), (-1024, 0, 0), (0, 1024, 0), (1024, 0, 0), (0, 0, 1024),
]

/// Turns the tablet once round and lays it down; returns what the daemon said it was each time.
private func turn(_ rig: Rig, expecting orientations: [DeviceOrientation]) throws {
  try rig.client.begin()
  for (pose, orientation) in zip(panelPoses, orientations) {
    rig.kernel.set("in_accel_x_raw", of: chipPath, to: "\(pose.x)")
    rig.kernel.set("in_accel_y_raw", of: chipPath, to: "\(pose.y)")
    rig.kernel.set("in_accel_z_raw", of: chipPath, to: "\(pose.z)")
    try rig.client.wait(for: "OrientationName", toBe: .text(orientation.name))
  }
}

@Suite("A panel's natural orientation")
struct NaturalOrientationTests {
  private let fromLandscapeLeft: [DeviceOrientation] = [
    .landscapeLeft, .portraitUpsideDown, .landscapeRight, .portrait, .faceUp,
  ]

  @Test(
    "on a 2-in-1 with a landscape panel and a screen on a cable is landscapeLeft, and its sensor is turned")
  func landscapePanel() throws {
    let rig = try Rig(options: ["--verbose"]) {
      $0.addDevice("iio:device0", attributes: chipAttributes(y: "-1024"))
      $0.addConnector("card0-HDMI-A-1", modes: ["1080x1920"])
      $0.addConnector("card0-eDP-1", modes: ["1920x1200", "1200x1920"])
    }
    try turn(rig, expecting: fromLandscapeLeft)
    try rig.waitForLog("natural orientation landscapeLeft (panel eDP-1 is 1920x1200: landscape)")
  }

  @Test("on a tablet with a portrait panel is portrait, and its sensor is not turned")
  func portraitPanel() throws {
    let rig = try Rig {
      $0.addDevice("iio:device0", attributes: chipAttributes(y: "-1024"))
      $0.addConnector("card1-DSI-1", modes: ["800x1280"])
    }
    try turn(rig, expecting: [.portrait, .landscapeLeft, .portraitUpsideDown, .landscapeRight, .faceUp])
  }

  @Test("is found out when somebody asks, where the graphics driver comes after the daemon, and then stays")
  func latePanel() throws {
    let rig = try Rig { $0.addDevice("iio:device0", attributes: chipAttributes(y: "-1024")) }
    #expect(try rig.client.getOrientation() == .portrait)
    rig.kernel.addConnector("card0-eDP-1", modes: ["1920x1200"])
    #expect(try rig.client.getOrientation() == .landscapeLeft)
    // As some drivers say with the lid closed.
    rig.kernel.set("status", of: "/sys/devices/platform/gpu/drm/card0-eDP-1", to: "disconnected")
    #expect(try rig.client.getOrientation() == .landscapeLeft)
  }

  @Test("that is found out late is that of a locked interface, too, if nothing else had decided on it")
  func latePanelOfLocked() throws {
    let rig = try Rig { $0.addDevice("iio:device0", attributes: chipAttributes(y: "-1024")) }
    try rig.client.lock()
    rig.kernel.addConnector("card0-eDP-1", modes: ["1920x1200"])
    try rig.client.begin()
    try rig.client.wait(for: "InterfaceOrientationName", toBe: "landscapeRight")
    #expect(try rig.client.property("Transform") == "normal")
  }

  @Test("is the configured one, whatever the panel")
  func configured() throws {
    let rig = try Rig(configuration: "NaturalOrientation=landscapeLeft\n") {
      $0.addDevice("iio:device0", attributes: chipAttributes(y: "-1024"))
      $0.addConnector("card1-DSI-1", modes: ["800x1280"])
    }
    try turn(rig, expecting: fromLandscapeLeft)
  }

  @Test("does not turn a recording, which speaks of the device in portrait already")
  func recordings() throws {
    let rig = try Rig(
      replaying: recording(of: [.portraitUpsideDown]), configuration: "NaturalOrientation=landscapeRight\n")
    #expect(try rig.client.getOrientation() == .portraitUpsideDown)
  }
}
