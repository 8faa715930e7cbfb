// SPDX-License-Identifier: Apache-2.0

import IIO
import Testing

/// The only device there is, as discovery describes it.
func onlySensor(
  from source: DescriptionSource = .kernelAndSensors
) throws(SourceError) -> SensorDescription? {
  try allSensors(from: source).first
}

/// Every device there is, as discovery describes it; by default on a machine whose udev knows nothing.
func allSensors(
  from source: DescriptionSource = .kernelAndSensors, udev: UdevLookup = { _ in UdevProperties() }
) throws(SourceError) -> [SensorDescription] {
  try IIOMachine.local().sensors(from: source, udev: udev)
}

/// The sensor that is chosen on a machine whose udev knows nothing.
func chosenSensor(wanted: String? = nil) throws(SourceError) -> SensorDescription? {
  SensorCatalog(choosingAmong: try allSensors(), wanted: wanted).used?.sensor
}

/// The only gyroscope there is, as discovery describes it.
func onlyGyroscope() throws(SourceError) -> SensorDescription? {
  let gyroscopes = try allSensors().compactMap { $0.gyroscope }
  return gyroscopes.count == 1 ? gyroscopes.first : nil
}

/// The first sensor that iiod serves on a host.
func networkSensor(_ host: String) throws -> SensorDescription {
  let context = try RemoteContext.open(
    IIOAddress(host: host), timeoutMilliseconds: RemoteContext.timeoutMilliseconds)
  return try #require(context.machine(from: .kernel).sensors { _ in UdevProperties() }.first)
}
