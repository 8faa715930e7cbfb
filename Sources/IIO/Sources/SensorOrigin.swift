// SPDX-License-Identifier: Apache-2.0

/// Where the samples of a sensor come from.
package enum SensorOrigin: Sendable {
  /// A device of this machine.
  case device(SensorDescription)
  /// A device of the machine `host`, where iiod serves it.
  case network(SensorDescription, host: String)
  /// A recording.
  case recording(path: String)
  /// The simulated tablet.
  case simulation
}

extension SensorOrigin {
  /// Whether a sensor makes the samples now, which may be broken.
  package var isReal: Bool {
    switch self {
    case .device, .network: true
    case .recording, .simulation: false
    }
  }
}

/// Two are equal if opening them comes to the same.
extension SensorOrigin: Equatable {
  package static func == (left: Self, right: Self) -> Bool {
    switch (left, right) {
    case (.device(let left), .device(let right)): left.isOpened(as: right)
    case (.network(let left, let host), .network(let right, let otherHost)):
      left.isOpened(as: right) && host == otherHost
    case (.recording(let left), .recording(let right)): left == right
    case (.simulation, .simulation): true
    case (.device, _), (.network, _), (.recording, _), (.simulation, _): false
    }
  }
}

extension SensorDescription {
  /// Whether opening the sensor comes to the same as opening another one.
  fileprivate func isOpened(as other: SensorDescription) -> Bool {
    id == other.id && name == other.name && sysfsPath == other.sysfsPath && instance == other.instance
      && (buffering == .none) == (other.buffering == .none)
      && availableFrequencies == other.availableFrequencies
  }
}
