// SPDX-License-Identifier: Apache-2.0

import SensorSetup

/// A key that has another value than before.
struct ConfigurationChange: Equatable, CustomStringConvertible {
  /// What has to take the new value into use.
  enum Subject {
    /// The sampler thread.
    case sampling
    /// What the main thread serves clients by.
    case service
    /// The next start: what is set up once.
    case nextStart
  }

  let key: ConfigurationKey
  let old: String
  let new: String

  /// "SampleRate=50 (was 25)".
  var description: String { "\(key.rawValue)=\(new) (was \(old.isEmpty ? "empty" : old))" }
}

extension Configuration {
  /// The keys whose values differ from those of another one.
  func changes(since other: Configuration) -> [ConfigurationChange] {
    var changes: [ConfigurationChange] = []
    for key in ConfigurationKey.allCases {
      let change = ConfigurationChange(key: key, old: key.text(in: other), new: key.text(in: self))
      if change.old != change.new { changes.append(change) }
    }
    return changes
  }
}

extension ConfigurationKey {
  /// What has to take a new value into use.
  var subject: ConfigurationChange.Subject {
    switch self {
    case .sensor, .sampleRate, .adaptSampleRate, .mountMatrix, .mountMatrixSource, .scaleFactor,
      .axisConvention, .faceAxis, .naturalOrientation, .laptopOrientation, .responsiveness, .hysteresis,
      .filterTimeConstant, .handlingMemory:
      .sampling
    case .alwaysOn, .hardwareLock, .tabletModeSwitch, .followIn, .maxClients, .maxClientsPerUser,
      .maxBeginsPerClient:
      .service
    case .initialInterfaceOrientation, .sensorProxy: .nextStart
    }
  }
}
