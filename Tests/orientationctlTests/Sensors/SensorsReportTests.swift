// SPDX-License-Identifier: Apache-2.0

import DaemonClient
import IIO
import SensorSetup
import Testing

@testable import OrientationctlKit

@Suite("The report on sensors")
struct SensorsReportTests {
  private func sensor(_ number: Int) -> SensorDescription {
    var sensor = SensorDescription(id: "iio:device\(number)", name: "accel_3d", isAccelerometer: true)
    sensor.sysfsPath = "/sys/devices/hub.\(number + 9).auto/iio:device\(number)"
    return sensor
  }

  private func warnings(_ catalog: SensorCatalog, _ daemon: DeviceSnapshot?) -> [Substring] {
    SensorsReport(catalog: catalog, configuration: Configuration(), daemon: daemon).text.split(
      separator: "\n"
    )
    .filter { $0.hasPrefix("  Warning") }
  }

  @Test("says that a choice is a guess, with the daemon's warnings of that sensor, each once")
  func daemonsWarnings() {
    let catalog = SensorCatalog(choosingAmong: [sensor(0), sensor(1)])
    #expect(warnings(catalog, nil).count == 1)
    #expect(
      warnings(catalog, nil).first?.hasSuffix(
        "Sensor=accel_3d#2 selects accel_3d (iio:device1)") == true)
    var daemon = DeviceSnapshot()
    daemon.sensorName = "accel_3d (iio:device0)"
    daemon.sensorWarnings = catalog.warnings + ["at rest it reads 0.1 g"]
    #expect(warnings(catalog, daemon).count == 2)
    #expect(warnings(catalog, daemon).last?.hasSuffix("  at rest it reads 0.1 g") == true)
    daemon.sensorName = "another"
    #expect(warnings(catalog, daemon).count == 1)
  }
}
