// SPDX-License-Identifier: Apache-2.0

import Systemd

/// The values of the properties of `net.hadess.SensorProxy` and its Compass; ``ProxySensorKind`` has their table.
struct SensorProxyProperties: Equatable {
  var hasAccelerometer: Bool
  var accelerometer: AccelerometerReading
  var hasAmbientLight: Bool
  var light: LightReading
  var hasProximity: Bool
  var isNear: Bool
  var hasCompass: Bool
  var heading: Double

  /// The present values.
  init(of sensors: ProxySensors) {
    hasAccelerometer = sensors.accelerometer.state.isPresent
    accelerometer = sensors.accelerometer.reading
    hasAmbientLight = sensors.light.state.isPresent
    light = sensors.light.reading
    hasProximity = sensors.proximity.state.isPresent
    isNear = sensors.proximity.reading
    hasCompass = sensors.compass.state.isPresent
    heading = sensors.compass.reading
  }

  /// The properties of a kind that claimants are sent after a change from `earlier`: all if a sensor has come or gone, and
  /// a light level always with its unit.
  func changes(of kind: ProxySensorKind, since earlier: Self) -> [Property<Self>] {
    if kind.presence.differs(self, earlier) { return [kind.presence] + kind.values }
    let changes = kind.values.changed(from: earlier, to: self)
    return kind == .light && !changes.isEmpty ? kind.values : changes
  }
}
