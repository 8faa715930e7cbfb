// SPDX-License-Identifier: Apache-2.0

import IIO
import Orientation
import Testing

@testable import SensorSetup

/// An accelerometer or a gyroscope in a folder below /sys/devices.
private func sensor(
  _ id: Int, _ name: String, measuring quantity: AxisQuantity = .angularVelocity, in folder: String = "chip"
) -> SensorDescription {
  var sensor = SensorDescription(
    id: "iio:device\(id)", name: name, isAccelerometer: quantity == .acceleration)
  sensor.quantity = quantity
  sensor.sysfsPath = "/sys/devices/\(folder)/iio:device\(id)"
  return sensor
}

private let accelerometer = sensor(0, "chip", measuring: .acceleration)

/// What is found on a machine with these sensors, whose matrices have the kernel's axes.
private func finding(
  _ gyroscopes: [SensorDescription], beside accelerometer: SensorDescription?,
  change: (inout Configuration) -> Void = { _ in }
) -> GyroscopeFinding {
  var configuration = Configuration()
  configuration.axisConvention = .kernel
  change(&configuration)
  let catalog = SensorCatalog(choosingAmong: [accelerometer].compactMap { $0 }, gyroscopes: gyroscopes)
  let mounting = catalog.used.map {
    Mounting(of: $0.sensor, configuration: configuration, natural: .portrait)
  }
  return GyroscopeFinding(
    in: catalog, beside: mounting, configuration: configuration, natural: .portrait)
}

extension GyroscopeFinding {
  /// What becomes of a turn around the chip's three axes by 1, 2 and 3 rad/s.
  fileprivate var rates: [Double]? {
    gyroscope.map { $0.transform(AngularVelocity(x: 1, y: 2, z: 3)) }.map { [$0.x, $0.y, $0.z] }
  }
}

@Suite("A gyroscope and its mounting")
struct MountedGyroscopeTests {
  @Test("is none on a machine without gyroscopes, and with a sensor that is none of this machine")
  func none() {
    #expect(finding([], beside: accelerometer).gyroscope == nil)
    let gyroscopes = [sensor(1, "gyro")]
    #expect(finding(gyroscopes, beside: accelerometer) { $0.sensor = .simulated }.gyroscope == nil)
    #expect(
      finding(gyroscopes, beside: accelerometer) { $0.sensor = .remote(IIOAddress(host: "a")) }.gyroscope
        == nil)
    #expect(finding(gyroscopes, beside: nil).gyroscope != nil)
  }

  @Test("is preferably that of the accelerometer's chip or hub")
  func choice() {
    let other = sensor(1, "other", in: "another")
    #expect(finding([other, sensor(2, "own")], beside: accelerometer).gyroscope?.name == "own (iio:device2)")
    #expect(finding([other], beside: accelerometer).gyroscope?.name == "other (iio:device1)")
    let hub = sensor(0, "accel_3d", measuring: .acceleration, in: "hub/HID-SENSOR-200073.1.auto")
    let gyroscopes = [
      sensor(1, "gyro_3d", in: "a-hub/HID-SENSOR-200076.1.auto"),
      sensor(2, "gyro_3d", in: "hub/HID-SENSOR-200076.2.auto"),
    ]
    #expect(finding(gyroscopes, beside: hub).gyroscope?.name == "gyro_3d (iio:device2)")
  }

  @Test("in the base of a convertible is not used")
  func base() {
    var gyroscope = sensor(1, "cros-ec-gyro", in: "another")
    gyroscope.location = "base"
    #expect(finding([gyroscope], beside: accelerometer).gyroscope == nil)
  }

  @Test("is read with the accelerometer if both are one device")
  func sameDevice() {
    #expect(finding([sensor(0, "chip")], beside: accelerometer).gyroscope?.isOfAccelerometer == true)
    #expect(finding([sensor(1, "gyro")], beside: accelerometer).gyroscope?.isOfAccelerometer == false)
  }

  @Test("is mounted by its own matrix")
  func ownMatrix() {
    var gyroscope = sensor(1, "gyro")
    gyroscope.driverMountMatrix = "0, 1, 0; -1, 0, 0; 0, 0, 1"
    #expect(finding([gyroscope], beside: accelerometer).rates == [2, -1, 3])
    // FaceAxis= is about the accelerometer.
    #expect(finding([gyroscope], beside: accelerometer) { $0.faceAxis = .inverted }.rates == [2, -1, 3])
  }

  @Test("without a matrix is mounted like the accelerometer of its chip, and by the conventions elsewhere")
  func likeTheAccelerometer() {
    var accelerometer = accelerometer
    accelerometer.udev.mountMatrix = "0, 1, 0; -1, 0, 0; 0, 0, 1"
    #expect(finding([sensor(1, "gyro")], beside: accelerometer).rates == [2, -1, 3])
    #expect(finding([sensor(1, "gyro", in: "another")], beside: accelerometer).rates == [1, 2, 3])
    let turned = finding([sensor(1, "gyro", in: "another")], beside: accelerometer) {
      $0.axisConvention = .proxy
    }
    #expect(turned.rates == [-1, -2, 3])
  }

  @Test("is mounted by the matrix of the configuration if it is of the accelerometer's chip")
  func configuredMatrix() throws {
    let matrix = try MountMatrix(parsing: "0, 1, 0; -1, 0, 0; 0, 0, 1")
    var gyroscope = sensor(1, "gyro")
    gyroscope.driverMountMatrix = "-1, 0, 0; 0, -1, 0; 0, 0, 1"
    #expect(finding([gyroscope], beside: accelerometer) { $0.mountMatrix = matrix }.rates == [2, -1, 3])
    gyroscope.sysfsPath = "/sys/devices/another/iio:device1"
    #expect(finding([gyroscope], beside: accelerometer) { $0.mountMatrix = matrix }.rates == [-1, -2, 3])
  }

  @Test("whose matrix is malformed is reported")
  func malformed() {
    var gyroscope = sensor(1, "gyro", in: "another")
    gyroscope.driverMountMatrix = "1, 2"
    let finding = finding([gyroscope], beside: accelerometer)
    #expect(finding.warnings.count == 1)
    #expect(finding.rates == [1, 2, 3])
  }
}
