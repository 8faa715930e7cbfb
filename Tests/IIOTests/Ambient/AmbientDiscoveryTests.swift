// SPDX-License-Identifier: Apache-2.0

import Glibc
import MockDevices
import Testing

@testable import IIO

/// What a driver shows, and what is made of it.
private struct DriverShape {
  var driver: String
  var attributes: [String: String]
  /// Channel and attribute of the light level, and its unit.
  var light: String?
  var proximity: String?
  var compass: String?
  /// udev's near level.
  var udev: String?

  /// With the driver's name, if it is no attribute here; a comment beside it is none of the device's.
  var namedAttributes: [String: String] {
    let name = String(driver.prefix { $0 != " " && $0 != "," })
    return attributes.merging(["name": name]) { own, _ in own }
  }
}

/// After the drivers in drivers/iio of Linux 6.x; only what bears on the choice.
private let driverShapes = [
  DriverShape(
    driver: "tsl2563",
    attributes: ["in_illuminance0_input": "1", "in_intensity0_both_raw": "1", "in_intensity0_ir_raw": "1"],
    light: "illuminance0 input illuminance"),
  DriverShape(
    driver: "acpi-als", attributes: ["in_illuminance_input": "1", "in_illuminance_raw": "1"],
    light: "illuminance input illuminance"),
  DriverShape(
    driver: "isl29018",
    attributes: [
      "in_illuminance0_input": "1", "in_illuminance0_raw": "1", "in_illuminance0_scale": "1",
      "in_intensity_ir_raw": "1", "in_proximity_raw": "1",
    ], light: "illuminance0 input illuminance"),
  DriverShape(
    driver: "cros-ec-light", attributes: ["in_illuminance_input": "1", "in_illuminance_calibscale": "1"],
    light: "illuminance input illuminance"),
  DriverShape(
    driver: "vcnl4000", attributes: lightAndProximityAttributes(), light: "illuminance raw illuminance",
    proximity: "proximity raw 500.0"),
  DriverShape(
    driver: "tmd2772", attributes: ["in_illuminance0_input": "1", "in_proximity0_raw": "1"],
    light: "illuminance0 input illuminance", proximity: "proximity0 raw 120.0", udev: "120"),
  DriverShape(
    driver: "stk3310, of whose near levels udev's counts",
    attributes: ["in_proximity_raw": "1", "in_proximity_nearlevel": "25"], proximity: "proximity raw 30.0",
    udev: "30"),
  DriverShape(
    driver: "cm3323, which knows the clear light only",
    attributes: ["in_intensity_clear_raw": "1", "in_intensity_red_raw": "1"],
    light: "intensity_clear raw intensity"),
  DriverShape(
    driver: "one that knows infrared only",
    attributes: ["in_intensity_ir_raw": "1", "in_intensity_uv_raw": "1"]),
  DriverShape(
    driver: "one of all light", attributes: ["in_intensity_both_raw": "1", "in_intensity_ir_raw": "1"],
    light: "intensity_both raw intensity"),
  DriverShape(
    driver: "adjd_s311 with a clear illuminance", attributes: ["in_illuminance_clear_raw": "1"],
    light: "illuminance_clear raw illuminance"),
  DriverShape(driver: "als", attributes: lightHubAttributes(), light: "illuminance raw illuminance"),
  DriverShape(
    driver: "als of a kernel before 4.0", attributes: ["in_intensity_both_raw": "1"],
    light: "intensity_both raw illuminance"),
  DriverShape(
    driver: "prox, a person in front of a laptop", attributes: ["name": "prox", "in_proximity_raw": "1"]),
  DriverShape(
    driver: "prox with a near level", attributes: ["name": "prox", "in_proximity_raw": "1"],
    proximity: "proximity raw 1.0", udev: "1"),
  DriverShape(
    driver: "sx9310 for an antenna",
    attributes: ["label": "proximity-wifi", "in_proximity0_raw": "1", "in_proximity0_nearlevel": "10"]),
  DriverShape(
    driver: "one whose channel is for an antenna",
    attributes: [
      "in_proximity_label": "proximity-lte", "in_proximity_raw": "1", "in_proximity_nearlevel": "10",
    ]),
  DriverShape(
    driver: "a near level of zero", attributes: ["in_proximity_raw": "1", "in_proximity_nearlevel": "0"]),
  DriverShape(
    driver: "a near level that is no number",
    attributes: ["in_proximity_raw": "1", "in_proximity_nearlevel": "close"],
    udev: "very"),
  DriverShape(
    driver: "magn_3d", attributes: compassHubAttributes(),
    compass: "rot_from_north_magnetic_tilt_comp raw"),
  DriverShape(
    driver: "a magnetometer without a heading", attributes: ["in_magn_x_raw": "1", "in_magn_scale": "1"]),
  DriverShape(
    driver: "one with all headings and no buffer",
    attributes: [
      "in_rot_from_north_magnetic_raw": "1", "in_rot_from_north_true_raw": "1",
      "in_rot_from_north_magnetic_tilt_comp_raw": "1", "in_rot_from_north_true_tilt_comp_raw": "1",
    ], compass: "rot_from_north_magnetic_tilt_comp raw"),
  DriverShape(
    driver: "one that knows true north better",
    attributes: ["in_rot_from_north_magnetic_raw": "1", "in_rot_from_north_true_tilt_comp_raw": "1"],
    compass: "rot_from_north_true_tilt_comp raw"),
  DriverShape(
    driver: "one without regard to tilt", attributes: ["in_rot_from_north_magnetic_raw": "1"],
    compass: "rot_from_north_magnetic raw"),
  DriverShape(driver: "kxcjk1013", attributes: chipAttributes()),
]

@Suite("Sensors beside the accelerometer")
struct AmbientDiscoveryTests {
  init() { useMockKernel() }

  @Test("are found as the drivers show them")
  func shapes() async {
    await #expect(processExitsWith: .success) {
      for shape in driverShapes {
        let kernel = MockKernel()
        kernel.addDevice("iio:device0", attributes: shape.namedAttributes)
        let catalog = try AmbientCatalog(near: shape.udev)
        expectEqual(catalog.light.map(describe), shape.light, shape.driver)
        expectEqual(catalog.proximity.map(describe), shape.proximity, shape.driver)
        expectEqual(catalog.compass.map(describe), shape.compass, shape.driver)
      }
    }
  }

  @Test("are found the same on a machine that libiio refuses")
  func refusedShapes() async {
    await #expect(processExitsWith: .success) {
      for shape in driverShapes {
        let kernel = MockKernel()
        kernel.addDevice("iio:device0", attributes: shape.namedAttributes)
        kernel.addDevice("iio:device1", under: "platform/odd", attributes: oddChipAttributes())
        #expect(try IIOMachine.local().refusal != nil, "\(shape.driver)")
        let catalog = try AmbientCatalog(near: shape.udev)
        expectEqual(catalog.light.map(describe), shape.light, shape.driver)
        expectEqual(catalog.proximity.map(describe), shape.proximity, shape.driver)
        expectEqual(catalog.compass.map(describe), shape.compass, shape.driver)
      }
    }
  }

  @Test("of a device that gives light in lux and one that gives it in other units, the former is used")
  func units() async {
    await #expect(processExitsWith: .success) {
      let kernel = MockKernel()
      kernel.addDevice(
        "iio:device0", under: "platform/a",
        attributes: ["name": "first", "in_intensity_clear_raw": "1", "location": "lid"])
      kernel.addDevice(
        "iio:device1", under: "platform/b",
        attributes: ["name": "second", "in_illuminance_input": "1", "location": "base"])
      expectEqual(try AmbientCatalog(near: nil).light?.device.name, "second")
    }
  }

  @Test(
    "in the display go before those of unknown place, these before those in the base and those that can be unplugged"
  )
  func places() async {
    await #expect(processExitsWith: .success) {
      let kernel = MockKernel()
      kernel.addUSBDevice("usb1/1-1", removable: "removable")
      let light = ["in_illuminance_input": "1"]
      func add(_ number: Int, _ name: String, _ more: [String: String] = [:], under parent: String? = nil)
        throws
      {
        kernel.addDevice(
          "iio:device\(number)", under: parent ?? "platform/\(name)",
          attributes: light.merging(["name": name]) { $1 }.merging(more) { $1 })
        expectEqual(try AmbientCatalog(near: nil).light?.device.name, name)
      }
      try add(0, "plug", under: "usb1/1-1")
      try add(1, "base", ["location": "base"])
      try add(2, "unknown")
      try add(3, "also-unknown")  // its path is the first
      try add(4, "lid", ["location": "lid"])
    }
  }

  @Test("of cameras and of Bluetooth devices are never used")
  func never() async {
    await #expect(processExitsWith: .success) {
      let kernel = MockKernel()
      let light = ["name": "x", "in_illuminance_input": "1"]
      kernel.addDevice(
        "iio:device0", under: "platform/a", attributes: light.merging(["location": "camera"]) { $1 })
      kernel.addDevice("iio:device1", under: "platform/0005:054C:09CC.0001", attributes: light)
      expectEqual(try AmbientCatalog(near: nil), AmbientCatalog())
    }
  }

  @Test("are sampled through a buffer where a hub has it, and polled elsewhere")
  func buffered() async {
    await #expect(processExitsWith: .success) {
      let kernel = MockKernel()
      kernel.addDevice("iio:device0", under: "platform/a", attributes: lightHubAttributes())
      kernel.addDevice("iio:device1", under: "platform/b", attributes: compassHubAttributes())
      var chip = lightHubAttributes()
      chip["name"] = "ltr501"
      kernel.addDevice("iio:device2", under: "platform/c", attributes: chip)
      let sensors = try ambientSensors().sorted { $0.device.id < $1.device.id }
      expectEqual(sensors.map(\.isBuffered), [true, true, false])
    }
  }
}

/// A sensor in words: channel, attribute, and unit or near level.
private func describe(_ sensor: AmbientSensor) -> String {
  let measure =
    switch sensor.measure {
    case .illuminance: " illuminance"
    case .intensity: " intensity"
    case .proximity(let nearLevel): " \(nearLevel.counts)"
    case .heading, .hingeAngle: ""
    }
  return "\(sensor.channel.id) \(sensor.channel.attribute.rawValue)\(measure)"
}
