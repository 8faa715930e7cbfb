// SPDX-License-Identifier: Apache-2.0

import Glibc
import IIO
import MockDevices
import Orientation
import Testing

@Suite("Discovery")
struct SensorDiscoveryTests {
  init() { useMockKernel() }

  @Test("finds nothing, and no error, where the kernel has no IIO")
  func noIIO() async {
    await #expect(processExitsWith: .success) {
      let kernel = MockKernel()
      try expectEqual(allSensors(), [])
      try expectEqual(chosenSensor(), nil)
      _ = consume kernel
    }
  }

  @Test("chooses none where no device is an accelerometer")
  func noAccelerometer() async {
    await #expect(processExitsWith: .success) {
      let kernel = MockKernel()
      kernel.addDevice("iio:device0", attributes: ["name": "als", "in_illuminance_raw": "12"])
      kernel.addDevice(
        "iio:device1", under: "platform/two",
        attributes: ["name": "half", "in_accel_x_raw": "1", "in_accel_z_raw": "1"])
      try expectEqual(allSensors().map(\.displayName), ["als (iio:device0)", "half (iio:device1)"])
      try expectEqual(allSensors().map(\.isAccelerometer), [false, false])
      try expectEqual(chosenSensor(), nil)
    }
  }

  @Test("finds a sensor all the same while another device is going")
  func departure() async {
    await #expect(processExitsWith: .success) {
      let kernel = MockKernel()
      kernel.addDevice("iio:device0", attributes: chipAttributes())
      kernel.addDevice("iio:device1", under: "platform/two", attributes: ["name": "als"])
      // For a while a file of it is listed and not there.
      let other = "/sys/devices/platform/two/iio:device1"
      kernel.link("going", of: other, to: "nowhere")
      let file = kernel.file(of: "going", of: other)
      let departure = Task.detached {
        usleep(50_000)
        unlink(file)
      }
      try expectEqual(allSensors().map(\.id), ["iio:device0", "iio:device1"])
      await departure.value
    }
  }

  @Test("takes an attribute whole that does not end with a line feed")
  func attributeWithoutLineFeed() async {
    await #expect(processExitsWith: .success) {
      let kernel = MockKernel()
      var attributes = chipAttributes()
      attributes["in_accel_mount_matrix"] = "1, 0, 0; 0, 1, 0; 0, 0, 1"
      kernel.addDevice("iio:device0", attributes: attributes)
      let file = open(kernel.file(of: "in_accel_mount_matrix", of: chipPath), O_WRONLY | O_TRUNC)
      let text = "0, 1, 0; 1, 0, 0; 0, 0, -1"
      expectEqual(write(file, text, text.utf8.count), text.utf8.count)
      close(file)
      try expectEqual(allSensors().first?.driverMountMatrix, text)
    }
  }

  @Test("describes a chip on I2C")
  func chip() async {
    await #expect(processExitsWith: .success) {
      let kernel = MockKernel()
      var attributes = chipAttributes()
      attributes["in_accel_mount_matrix"] = "0, 1, 0; 1, 0, 0; 0, 0, -1"
      attributes["label"] = "accel-display"
      attributes["location"] = "lid"
      kernel.addDevice("iio:device0", attributes: attributes)
      let sensor = try #require(try onlySensor())
      expectEqual(sensor.id, "iio:device0")
      expectEqual(sensor.name, "kxcjk1013")
      expectEqual(sensor.label, "accel-display")
      expectEqual(sensor.location, "lid")
      expectEqual(sensor.sysfsPath, chipPath)
      expectEqual(sensor.mountMatrix, "0, 1, 0; 1, 0, 0; 0, 0, -1")
      #expect(sensor.isAccelerometer)
      expectEqual(sensor.availableFrequencies, .list([0.781, 1.563, 12.5, 25, 50, 100]))
      expectEqual(sensor.frequency, 12.5)
      expectEqual(sensor.buffering, .none)
      expectEqual(sensor.sign, .specificForce)
      expectEqual(sensor.scanFormats, [])
    }
  }

  @Test("describes a HID sensor hub")
  func hub() async {
    await #expect(processExitsWith: .success) {
      let kernel = MockKernel()
      kernel.addDevice("iio:device0", attributes: hubAttributes())
      kernel.addDevice("trigger0", attributes: hubTrigger)
      let sensors = try allSensors()
      expectEqual(sensors.map(\.id), ["iio:device0"])
      let sensor = try #require(sensors.first)
      expectEqual(sensor.sign, .gravity)
      expectEqual(sensor.buffering, .scanElements(trigger: "accel_3d-dev0"))
      expectEqual(sensor.scanFormats, ["le:s16/32>>0", "le:s16/32>>0", "le:s16/32>>0"])
      expectEqual(sensor.availableFrequencies, .unknown)
      expectEqual(sensor.frequency, 10)
      expectEqual(sensor.mountMatrix, nil)
    }
  }

  @Test("finds the matrix that all channels share, and prefers udev's to it")
  func matrix() async {
    await #expect(processExitsWith: .success) {
      let kernel = MockKernel()
      var attributes = chipAttributes()
      attributes["in_mount_matrix"] = "1, 0, 0; 0, 1, 0; 0, 0, 1"
      kernel.addDevice("iio:device0", attributes: attributes)
      try expectEqual(onlySensor()?.mountMatrix, "1, 0, 0; 0, 1, 0; 0, 0, 1")
      let known = try allSensors(from: .kernel) { path in
        path == chipPath
          ? UdevProperties(mountMatrix: "0,1,0;1,0,0;0,0,1", location: "display") : UdevProperties()
      }
      expectEqual(known.first?.mountMatrix, "0,1,0;1,0,0;0,0,1")
      #expect(
        SensorCatalog(choosingAmong: known).entries.first?.verdict
          == .used(.inDisplay("ACCEL_LOCATION=display")))
    }
  }

  @Test("chooses among several accelerometers, and finds the one asked for")
  func several() async {
    await #expect(processExitsWith: .success) {
      let kernel = MockKernel()
      var base = chipAttributes(x: "1")
      base["label"] = "accel-base"
      kernel.addDevice("iio:device0", under: "platform/one", attributes: base)
      kernel.addDevice("iio:device1", under: "platform/two", attributes: chipAttributes(x: "2"))
      try expectEqual(chosenSensor()?.displayName, "kxcjk1013 (iio:device1)")
      let path = "/sys/devices/platform/one/iio:device0"
      try expectEqual(chosenSensor(wanted: path)?.displayName, "kxcjk1013 (iio:device0)")
      try expectEqual(chosenSensor(wanted: "bma250"), nil)
    }
  }

  @Test("does not ask the hardware, which may take seconds to answer, unless told to")
  func hardware() async {
    await #expect(processExitsWith: .success) {
      let kernel = MockKernel()
      kernel.addDevice("iio:device0", attributes: hubAttributes())
      try expectEqual(onlySensor(from: .kernel)?.frequency, nil)
      try expectEqual(onlySensor(from: .kernelAndSensors)?.frequency, 10)
    }
  }

  @Test("is not stopped by attributes that hold nonsense")
  func nonsense() async {
    await #expect(processExitsWith: .success) {
      let kernel = MockKernel()
      var attributes = hubAttributes()
      attributes["in_accel_sampling_frequency"] = "often"
      attributes["in_accel_sampling_frequency_available"] = "[fast]"
      attributes["location"] = ""
      attributes["scan_elements/in_accel_x_type"] = "garbage"
      kernel.addDevice("iio:device0", attributes: attributes)
      let sensor = try #require(try onlySensor())
      #expect(sensor.isAccelerometer)
      expectEqual(sensor.frequency, nil)
      expectEqual(sensor.availableFrequencies, .unknown)
    }
  }
}
