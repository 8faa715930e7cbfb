// SPDX-License-Identifier: Apache-2.0

import Foundation
import MockDevices
import Orientation
import Systemd
import TestSupport
import Testing

/// A convertible: a chip in the display and one in the base, or a sensor of the hinge.
private final class Convertible {
  static let basePath = "/sys/devices/platform/base/iio:device1"

  let rig: Rig
  var client: Client { rig.client }

  init(configuration: String = "", devices: (borrowing MockKernel) -> Void) throws {
    rig = try Rig(configuration: "AxisConvention=kernel\n\(configuration)\n") {
      $0.addDevice("iio:device0", attributes: chipAttributes())
      devices($0)
    }
  }

  /// With a second chip in the base, which lies on a desk; the screen stands upright.
  static func withBase(configuration: String = "") throws -> Convertible {
    try Convertible(configuration: configuration) { $0.addBase() }
  }

  /// With the sensor of a Chromebook's lid, open by 100 degrees.
  static func withHinge(configuration: String = "") throws -> Convertible {
    try Convertible(configuration: configuration) { $0.addHinge(angle: "100") }
  }

  func mode() throws -> [Value?] {
    [try client.property("TabletMode"), try client.property("TabletModeSource")]
  }

  func wait(for mode: TabletMode) throws { try client.wait(for: "TabletMode", toBe: .text(mode.rawValue)) }

  /// Whether the daemon has an attribute open.
  func isOpen(_ file: String) throws -> Bool {
    let folder = "/proc/\(rig.daemon.id)/fd"
    return try FileManager.default.contentsOfDirectory(atPath: folder).contains {
      (try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/\($0)"))?.hasSuffix(file)
        ?? false
    }
  }

  /// Holds the display or the base so; what it reads is in counts of a 1024th of g.
  func hold(_ path: String, _ x: Int, _ y: Int, _ z: Int) {
    for (axis, value) in [("x", x), ("y", y), ("z", z)] {
      rig.kernel.set("in_accel_\(axis)_raw", of: path, to: "\(value)")
    }
  }
}

extension MockKernel {
  fileprivate func addBase() {
    addDevice(
      "iio:device1", under: "platform/base", attributes: chipAttributes(y: "0", z: "1024"),
      udev: ["ACCEL_LOCATION": "base"])
  }

  /// Where ``addHinge(angle:)`` adds it.
  static var hingePath: String { "/sys/devices/platform/hinge/iio:device2" }

  /// Adds the sensor of a Chromebook's lid, open by this angle in degrees.
  func addHinge(angle: String) {
    addDevice(
      "iio:device2", under: "platform/hinge",
      attributes: ["name": "cros-ec-lid-angle", "in_angl_raw": angle])
  }
}

@Suite("The tablet mode without a switch")
struct TabletModeTests {
  @Test("by two accelerometers: laptop, tablet, unknown while the hinge stands upright, and back")
  func accelerometers() throws {
    let machine = try Convertible.withBase()
    try machine.client.begin()
    try machine.wait(for: .laptop)
    #expect(try machine.mode() == ["laptop", "accelerometers"])
    // Folded back, the screen faces up, and the base down.
    machine.hold(chipPath, 0, 0, 1024)
    machine.hold(Convertible.basePath, 0, 0, -1024)
    try machine.wait(for: .tablet)
    // Held like a book.
    machine.hold(chipPath, 1024, 0, 0)
    machine.hold(Convertible.basePath, 1024, 0, 0)
    try machine.wait(for: .unknown)
    #expect(try machine.mode() == ["unknown", "accelerometers"])
    // Open by 180 degrees, where the mode is the last one known.
    machine.hold(chipPath, 0, 0, 1024)
    machine.hold(Convertible.basePath, 0, 0, 1024)
    try machine.wait(for: .tablet)
    machine.hold(chipPath, 0, 1024, 0)
    try machine.wait(for: .laptop)
  }

  @Test("by two accelerometers whose driver has a wrong scale", arguments: [100, 10_000])
  func wrongScale(gravity: Int) throws {
    let machine = try Convertible.withBase()
    machine.hold(chipPath, 0, gravity, 0)
    machine.hold(Convertible.basePath, 0, 0, gravity)
    try machine.client.begin()
    try machine.wait(for: .laptop)
    machine.hold(chipPath, 0, 0, gravity)
    machine.hold(Convertible.basePath, 0, 0, -gravity)
    try machine.wait(for: .tablet)
  }

  @Test("by the hinge's own sensor, which is preferred to an accelerometer in the base")
  func hinge() throws {
    let machine = try Convertible {
      $0.addBase()
      $0.addHinge(angle: "300")
    }
    #expect(try machine.mode() == ["unknown", "hinge"])
    try machine.client.begin()
    try machine.wait(for: .tablet)
    for (angle, mode) in [("190", .tablet), ("150", .laptop), ("500", .unknown), ("210", .tablet)]
      as [(String, TabletMode)]
    {
      machine.rig.kernel.set("in_angl_raw", of: MockKernel.hingePath, to: angle)
      if mode == .tablet { try machine.client.spend(seconds: 0.7) }
      try machine.wait(for: mode)
    }
  }

  @Test("of Intel's hub is the first of its three angles, in radians")
  func hub() throws {
    let machine = try Convertible {
      $0.addDevice(
        "iio:device2", under: "platform/hinge",
        attributes: [
          "name": "hinge", "in_angl0_raw": "250", "in_angl1_raw": "90", "in_angl2_raw": "0",
          "in_angl_scale": "0.017453293", "in_angl_offset": "0", "in_angl0_label": "hinge",
        ])
    }
    try machine.client.begin()
    try machine.wait(for: .tablet)
    #expect(try machine.mode() == ["tablet", "hinge"])
  }

  @Test(
    "is unknown until the first subscriber; after the last one, it is the last one known, and nothing is sampled"
  )
  func idle() throws {
    let machine = try Convertible.withHinge()
    #expect(try machine.mode() == ["unknown", "hinge"])
    try machine.client.begin()
    try machine.wait(for: .laptop)
    try machine.client.end()
    try machine.client.forget()
    try machine.client.spend(seconds: 0.5)
    let file = MockKernel.hingePath + "/in_angl_raw"
    #expect(try !machine.isOpen(file))
    #expect(try machine.mode() == ["laptop", "hinge"])
    machine.rig.kernel.set("in_angl_raw", of: MockKernel.hingePath, to: "180")
    for _ in 0..<10 {
      try machine.client.begin()
      try machine.client.end()
    }
    try machine.client.begin()
    try machine.client.spend(seconds: 1)
    #expect(try machine.isOpen(file))
    #expect(try machine.mode() == ["laptop", "hinge"])
    let announced = machine.client.heard.contains { if case .screenChanged = $0 { true } else { false } }
    #expect(!announced, "\(machine.client.heard)")
  }

  @Test("is unknown while the accelerometer in the display cannot be read, and known again afterwards")
  func displayFails() throws {
    let machine = try Convertible.withBase()
    try machine.client.begin()
    try machine.wait(for: .laptop)
    machine.rig.kernel.set("in_accel_x_raw", of: chipPath, to: "what")
    try machine.client.wait(for: "SensorStatus", toBe: "failed")
    try machine.wait(for: .unknown)
    machine.rig.kernel.set("in_accel_x_raw", of: chipPath, to: "0")
    try machine.wait(for: .laptop)
  }

  @Test("is unknown 5 s after the accelerometer in the base has stopped to show gravity")
  func baseIsDead() throws {
    let machine = try Convertible.withBase()
    try machine.client.begin()
    try machine.wait(for: .laptop)
    machine.hold(Convertible.basePath, 0, 0, 0)
    try machine.client.spend(seconds: 2)
    #expect(try machine.mode() == ["laptop", "accelerometers"])
    try machine.wait(for: .unknown)
    machine.hold(Convertible.basePath, 0, 0, 1024)
    try machine.wait(for: .laptop)
  }

  @Test("after the folded tablet was held like a book is tablet again, whichever way it is held")
  func book() throws {
    let machine = try Convertible.withBase()
    machine.hold(Convertible.basePath, 0, 0, -1024)
    machine.hold(chipPath, 0, 0, 1024)
    try machine.client.begin()
    try machine.wait(for: .tablet)
    for (_, y, z) in [(0, 1024, 0), (0, 0, -1024), (0, -1024, 0)] {
      machine.hold(chipPath, 1024, 0, 0)
      machine.hold(Convertible.basePath, 1024, 0, 0)
      try machine.wait(for: .unknown)
      machine.hold(chipPath, 0, y, z)
      machine.hold(Convertible.basePath, 0, -y, -z)
      try machine.wait(for: .tablet)
    }
  }

  @Test("by an accelerometer whose buffer another program has is read, and nothing of the device is set")
  func takenBase() throws {
    let machine = try Convertible {
      var attributes = chipAttributes(y: "0", z: "1024")
      attributes["in_accel_sampling_frequency"] = "0.781000"
      attributes.merge(["buffer/enable": "1", "buffer/length": "2"]) { $1 }
      for (index, axis) in ["x", "y", "z"].enumerated() {
        attributes["scan_elements/in_accel_\(axis)_en"] = "1"
        attributes["scan_elements/in_accel_\(axis)_index"] = "\(index)"
        attributes["scan_elements/in_accel_\(axis)_type"] = "le:s16/16>>0"
      }
      $0.addDevice(
        "iio:device1", under: "platform/base", attributes: attributes, udev: ["ACCEL_LOCATION": "base"])
    }
    // It is left alone as long as the program that may have set it up is on the bus.
    let neighbour = try Client(on: machine.rig.bus)
    try neighbour.bus.requestName("net.hadess.SensorProxy")
    try machine.client.begin()
    try machine.wait(for: .laptop)
    #expect(
      machine.rig.kernel.attribute("in_accel_sampling_frequency", of: Convertible.basePath) == "0.781000")
  }

  @Test("with FollowIn=tablet, the interface follows as a tablet, and is natural as a laptop")
  func following() throws {
    let machine = try Convertible.withHinge(configuration: "FollowIn=tablet\nSensorProxy=yes")
    let desktop = try ProxyClient(on: machine.rig.bus)
    try desktop.call("ClaimAccelerometer")
    try machine.client.begin()
    try machine.wait(for: .laptop)
    machine.hold(chipPath, 1024, 0, 0)
    try machine.client.wait(for: "OrientationName", toBe: "landscapeLeft")
    #expect(try machine.client.property("InterfaceOrientationName") == "portrait")
    #expect(try desktop.property("AccelerometerOrientation") == "normal")
    try machine.client.forget()
    machine.rig.kernel.set("in_angl_raw", of: MockKernel.hingePath, to: "350")
    try machine.client.wait(for: "InterfaceOrientationName", toBe: "landscapeRight")
    try desktop.wait(for: "AccelerometerOrientation", toBe: "right-up")
    try machine.client.catchUp()
    let changes = machine.client.heard.reduce(into: [String: Value]()) {
      if case .changed(let values) = $1 { $0.merge(values) { $1 } }
      if case .screenChanged(let values) = $1 { $0.merge(values) { $1 } }
    }
    #expect(
      changes["TabletMode"] == "tablet" && changes["InterfaceOrientation"] == 3, "\(machine.client.heard)")
  }

  @Test("that is unknown for a while ends no rotation by hand, as a fold does")
  func unknownForAWhile() throws {
    let machine = try Convertible.withHinge(configuration: "FollowIn=tablet")
    try machine.client.begin()
    try machine.wait(for: .laptop)
    try machine.client.rotate(to: 2)
    for (angle, mode) in [("what", TabletMode.unknown), ("100", .laptop)] {
      machine.rig.kernel.set("in_angl_raw", of: MockKernel.hingePath, to: angle)
      try machine.wait(for: mode)
      #expect(try machine.client.property("InterfaceOrientationName") == "portraitUpsideDown")
    }
    machine.rig.kernel.set("in_angl_raw", of: MockKernel.hingePath, to: "300")
    try machine.wait(for: .tablet)
    try machine.client.wait(for: "InterfaceOrientationName", toBe: "portrait")
    // As a tablet that lies flat now.
    machine.hold(chipPath, 1024, 0, 0)
    try machine.client.wait(for: "InterfaceOrientationName", toBe: "landscapeRight")
    machine.hold(chipPath, 0, 0, 1024)
    try machine.client.wait(for: "OrientationName", toBe: "faceUp")
    for (angle, mode) in [("what", TabletMode.unknown), ("300", .tablet)] {
      machine.rig.kernel.set("in_angl_raw", of: MockKernel.hingePath, to: angle)
      try machine.wait(for: mode)
      #expect(try machine.client.property("InterfaceOrientationName") == "landscapeRight")
    }
  }

  @Test("of a sensor that cannot be read is unknown, and the journal says why, once")
  func broken() throws {
    let machine = try Convertible.withHinge()
    try machine.client.begin()
    try machine.wait(for: .laptop)
    machine.rig.kernel.set("in_angl_raw", of: MockKernel.hingePath, to: "what")
    try machine.wait(for: .unknown)
    try machine.rig.waitForLog("the tablet mode sensor does not work")
    try machine.client.spend(seconds: 3)
    #expect(machine.rig.log.count { $0.contains("the tablet mode sensor does not work") } == 1)
    machine.rig.kernel.set("in_angl_raw", of: MockKernel.hingePath, to: "10")
    try machine.wait(for: .laptop)
    try machine.rig.waitForLog("the tablet mode sensor works again")
  }

  @Test(
    "as a laptop has the orientation in which its panel is mounted, keeps it through folds, and starts with it",
    arguments: [
      ("normal", 1, "normal"), ("right_side_up", 3, "270"), ("upside_down", 2, "180"),
      ("left_side_up", 4, "90"),
    ])
  func mounted(panel: String, interface: UInt32, transform: String) throws {
    let machine = try Convertible(configuration: "FollowIn=tablet") {
      $0.addHinge(angle: "100")
      $0.addCard("card0", panels: "DSI-1=\(panel) eDP-1=normal")
      $0.addConnector("card0-DSI-1", modes: ["1600x2560"])
    }
    // At first it lies flat, so only the panel says how it stands.
    machine.hold(chipPath, 0, 0, 1024)
    try machine.client.begin()
    try machine.wait(for: .laptop)
    #expect(try machine.client.property("InterfaceOrientation") == .number(interface))
    #expect(try machine.client.property("Transform") == .text(transform))
    machine.rig.kernel.set("in_angl_raw", of: MockKernel.hingePath, to: "350")
    for (x, y, other) in [(0, 1024, 1), (1024, 0, 3), (0, -1024, 2), (-1024, 0, 4)] as [(Int, Int, UInt32)] {
      machine.hold(chipPath, x, y, 0)
      try machine.client.wait(for: "InterfaceOrientation", toBe: .number(other))
    }
    machine.rig.kernel.set("in_angl_raw", of: MockKernel.hingePath, to: "100")
    try machine.client.wait(for: "InterfaceOrientation", toBe: .number(interface))
    #expect(try machine.client.property("Transform") == .text(transform))
  }

  @Test("by two accelerometers, where the panel is a tablet's and its orientation is known")
  func portraitPanelKnown() throws {
    let machine = try Convertible(configuration: "LaptopOrientation=landscapeLeft\nFollowIn=tablet") {
      $0.addBase()
      $0.addConnector("card0-DSI-1", modes: ["1200x1920"])
    }
    machine.hold(chipPath, 1024, 0, 0)
    try machine.client.begin()
    try machine.wait(for: .laptop)
    #expect(try machine.mode() == ["laptop", "accelerometers"])
    #expect(try machine.client.property("InterfaceOrientationName") == "landscapeRight")
    // Lying flat, folded back; then held as a book.
    machine.hold(chipPath, 0, 0, 1024)
    machine.hold(Convertible.basePath, 0, 0, -1024)
    try machine.wait(for: .tablet)
    machine.hold(chipPath, 0, 1024, 0)
    machine.hold(Convertible.basePath, 0, 1024, 0)
    try machine.wait(for: .unknown)
  }

  @Test("is not known of a panel that is higher than wide and may be mounted in any way")
  func portraitPanel() throws {
    let machine = try Convertible {
      $0.addBase()
      $0.addConnector("card0-eDP-1", modes: ["1200x1920"])
    }
    #expect(try machine.mode() == ["unknown", "none"])
    try machine.rig.waitForLog("its orientation in the laptop is unknown: set LaptopOrientation=")
  }

  @Test("by the hinge's sensor of such a panel is known, and clients learn that the screen may be sideways")
  func portraitPanelWithHinge() throws {
    let machine = try Convertible {
      $0.addHinge(angle: "100")
      $0.addConnector("card0-eDP-1", modes: ["1200x1920"])
    }
    try machine.rig.waitForLog("the screen may be sideways at the start")
    #expect(try machine.mode() == ["unknown", "hinge"])
    #expect(
      String(describing: try machine.client.property("SensorWarnings")).contains("set LaptopOrientation="))
  }

  @Test("does not come from an accelerometer in the base alone, nor from an encoder's angle")
  func others() throws {
    let rig = try Rig {
      $0.addBase()
      $0.addDevice(
        "iio:device2", under: "platform/hinge", attributes: ["name": "as5600", "in_angl_raw": "300"])
    }
    try rig.client.begin()
    try rig.client.spend(seconds: 0.7)
    #expect(try rig.client.property("TabletModeSource") == "none")
  }
}
