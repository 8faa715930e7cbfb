// SPDX-License-Identifier: Apache-2.0

// The catalog's decisions in words: for the journal, and for `orientationctl sensors`.

extension SensorCatalog.Verdict: CustomStringConvertible {
  /// The verdict in words, for a table.
  public var description: String {
    switch self {
    case .used(let reason): "used: \(reason)"
    case .notAnAccelerometer: fault
    case .baseSensor, .cameraSensor, .peripheralSensor, .anotherPreferred, .notAskedFor, .ambiguous:
      "not used: \(fault)"
    }
  }

  /// What keeps the device from being used; empty where nothing does.
  var fault: String {
    switch self {
    case .used: ""
    case .notAnAccelerometer: "not an accelerometer"
    case .baseSensor(let evidence): "in the base (\(evidence))"
    case .cameraSensor(let evidence): "in a camera (\(evidence))"
    case .peripheralSensor(let evidence): "in a device of its own (\(evidence))"
    case .anotherPreferred: "another one is preferred"
    case .notAskedFor: "another one was asked for"
    case .ambiguous: "it was asked for, and so was another one"
    }
  }
}

extension SensorCatalog.Reason: CustomStringConvertible {
  /// The reason in words.
  public var description: String {
    switch self {
    case .askedFor: "asked for"
    case .inDisplay(let evidence): "in the display (\(evidence))"
    case .only: "the only one that may be in the display"
    case .first: "the first of several that may be in the display"
    }
  }
}
