// SPDX-License-Identifier: Apache-2.0

import IIO

/// The only device there is, as discovery describes it.
func onlySensor() throws(SourceError) -> SensorDescription? {
  try allSensors().first
}

/// Every device there is, as discovery describes it on a machine whose udev knows nothing.
func allSensors() throws(SourceError) -> [SensorDescription] {
  try SensorSelection.localSensors { _ in UdevProperties() }
}

/// What a request finds on a machine whose udev knows nothing.
func selection(_ request: SensorRequest) throws(SourceError) -> SensorSelection {
  try SensorSelection(request) { _ in UdevProperties() }
}
