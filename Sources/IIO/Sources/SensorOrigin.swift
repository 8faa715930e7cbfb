// SPDX-License-Identifier: Apache-2.0

/// The origin of a sensor's samples.
///
/// A description is stored on the heap: it is large, and threads that sample have the origin on their stacks all the time.
package enum SensorOrigin: Sendable {
  /// A device of this machine.
  indirect case device(SensorDescription)
  /// A device of another context of libiio.
  indirect case remote(SensorDescription, IIOAddress)
  /// A recording.
  case recording(path: String)
  /// The simulated tablet.
  case simulation
}

extension SensorOrigin {
  /// The description of a real sensor; nil if there is none.
  private var sensor: SensorDescription? {
    switch self {
    case .device(let sensor), .remote(let sensor, _): sensor
    case .recording, .simulation: nil
    }
  }

  /// Whether the samples come from a real sensor, which may be broken.
  package var isReal: Bool { sensor != nil }

  /// Whether the sensor has no axis z.
  package var lacksZ: Bool { sensor?.lacksZ ?? false }
}

/// Two origins are equal if opening them gives the same sensor.
extension SensorOrigin: Equatable {
  package static func == (left: Self, right: Self) -> Bool {
    switch (left, right) {
    case (.device(let left), .device(let right)): left.isOpened(as: right)
    case (.remote(let left, let address), .remote(let right, let otherAddress)):
      left.isOpened(as: right) && address == otherAddress
    case (.recording(let left), .recording(let right)): left == right
    case (.simulation, .simulation): true
    case (.device, _), (.remote, _), (.recording, _), (.simulation, _): false
    }
  }
}

extension SensorDescription {
  /// Whether opening this sensor gives the same as opening another one.
  fileprivate func isOpened(as other: SensorDescription) -> Bool {
    id == other.id && name == other.name && sysfsPath == other.sysfsPath && instance == other.instance
      && (buffering == .none) == (other.buffering == .none)
      && availableFrequencies == other.availableFrequencies
  }
}
