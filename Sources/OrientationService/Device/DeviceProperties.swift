// SPDX-License-Identifier: Apache-2.0

import Orientation

/// The values of the `org.orientationd1.Device` properties that announce their changes.
struct DeviceProperties: Equatable {
  var orientation = DeviceOrientation.unknown
  var isGenerating = false
  var sensorName: String?
  var sensorStatus = SensorStatus.absent
  /// The rate at which the sensor is sampled now, in hertz; 0 while it is not.
  var sampleRate = 0.0

  var hasAccelerometer: Bool { sensorName != nil }

  /// The D-Bus names of the properties whose values differ from those of `earlier`.
  func changedNames(since earlier: DeviceProperties) -> [String] {
    var names: [String] = []
    if orientation != earlier.orientation { names += ["Orientation", "OrientationName"] }
    if isGenerating != earlier.isGenerating { names.append("GeneratesDeviceOrientationNotifications") }
    if hasAccelerometer != earlier.hasAccelerometer { names.append("HasAccelerometer") }
    if sensorName != earlier.sensorName { names.append("SensorName") }
    if sensorStatus != earlier.sensorStatus { names.append("SensorStatus") }
    if sampleRate != earlier.sampleRate { names.append("SampleRate") }
    return names
  }

  /// Whether `OrientationDidChange` is due after a change from `earlier`.
  ///
  /// A lost sensor is a change to unknown and told. The end of the last client's generation is not: nobody asks.
  func isOrientationSignalDue(since earlier: DeviceProperties) -> Bool {
    isGenerating && orientation != earlier.orientation
  }
}
