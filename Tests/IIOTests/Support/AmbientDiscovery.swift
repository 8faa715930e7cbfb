// SPDX-License-Identifier: Apache-2.0

import IIO

/// The sensors beside accelerometers on a machine whose udev knows nothing but a near level.
func ambientSensors(near nearLevel: String? = nil) throws(SourceError) -> [AmbientSensor] {
  try IIOMachine.local().ambientSensors { _ in UdevProperties(proximityNearLevel: nearLevel) }
}

extension AmbientCatalog {
  /// Those of them that are used.
  init(near nearLevel: String?) throws(SourceError) {
    self.init(choosingAmong: try ambientSensors(near: nearLevel))
  }

  var light: AmbientSensor? { self[.light] }
  var proximity: AmbientSensor? { self[.proximity] }
  var compass: AmbientSensor? { self[.compass] }
}
