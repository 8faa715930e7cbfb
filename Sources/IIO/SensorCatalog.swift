// SPDX-License-Identifier: Apache-2.0

/// Every IIO device that was seen, each with a verdict, and the one that is used with the reason.
///
/// The same choice serves the daemon and `orientationctl sensors`, which shows it.
public struct SensorCatalog: Equatable, Sendable {
  /// What was decided about a device.
  public enum Verdict: Equatable, Sendable {
    /// The device is used.
    case used(Reason)
    /// It lacks one of the channels accel_x, accel_y and accel_z.
    case notAnAccelerometer
    /// It sits in the base, which does not turn with the screen.
    case baseSensor(PlaceEvidence)
    /// It belongs to a camera.
    case cameraSensor(PlaceEvidence)
    /// It would do, but another one is preferred.
    case anotherPreferred
    /// It would do, but another one was asked for.
    case notAskedFor
  }

  /// Why a device is used.
  public enum Reason: Equatable, Sendable {
    /// It was asked for by its id, name, label or sysfs path.
    case askedFor
    /// It is known to sit in the display.
    case inDisplay(PlaceEvidence)
    /// Nothing says where it sits, and no accelerometer is known to sit in the display.
    case first
  }

  /// What says where a sensor sits: the first of them that says anything counts.
  public enum PlaceEvidence: Equatable, Sendable {
    /// udev's property ACCEL_LOCATION.
    case udevLocation(String)
    /// The firmware's label.
    case label(String)
    /// The driver's `location` attribute.
    case locationAttribute(String)
  }

  /// A device and what was decided about it.
  public struct Entry: Equatable, Sendable {
    /// The device.
    public var sensor: SensorDescription
    /// What was decided.
    public var verdict: Verdict
  }

  /// Every device, in the kernel's order.
  public let entries: [Entry]

  /// The device that is used; nil where none can be.
  public var used: Entry? {
    entries.first {
      if case .used = $0.verdict { true } else { false }
    }
  }

  /// Chooses among `sensors`.
  ///
  /// - Parameters:
  ///   - sensors: every device there is.
  ///   - wanted: an id, name, label or sysfs path; nil leaves the choice to the rules: an accelerometer known to sit
  ///     in the display goes before one of unknown place, base and camera sensors are never used, and among equals
  ///     the first wins. A sensor that is asked for is used wherever it sits.
  public init(choosingAmong sensors: [SensorDescription], wanted: String? = nil) {
    let candidates = sensors.indices.filter { index in
      guard let wanted else { return Self.isUsable(sensors[index]) }
      return sensors[index].isAccelerometer && sensors[index].answers(to: wanted)
    }
    let best = candidates.min { (Self.rank(sensors[$0]), $0) < (Self.rank(sensors[$1]), $1) }
    entries = sensors.indices.map { index in
      let sensor = sensors[index]
      guard sensor.isAccelerometer else { return Entry(sensor: sensor, verdict: .notAnAccelerometer) }
      if index == best {
        return Entry(sensor: sensor, verdict: .used(wanted == nil ? Self.reason(sensor) : .askedFor))
      }
      return Entry(sensor: sensor, verdict: Self.passedOver(sensor, wanted: wanted))
    }
  }

  private static func isUsable(_ sensor: SensorDescription) -> Bool {
    sensor.isAccelerometer && rank(sensor) < 2
  }

  /// Display, unknown, elsewhere: lower goes first.
  private static func rank(_ sensor: SensorDescription) -> Int {
    switch sensor.place?.place {
    case .display: 0
    case nil: 1
    case .base, .camera: 2
    }
  }

  private static func reason(_ sensor: SensorDescription) -> Reason {
    sensor.place.map { .inDisplay($0.evidence) } ?? .first
  }

  private static func passedOver(_ sensor: SensorDescription, wanted: String?) -> Verdict {
    switch sensor.place {
    case (.base, let evidence)?: .baseSensor(evidence)
    case (.camera, let evidence)?: .cameraSensor(evidence)
    case (.display, _)?, nil: wanted == nil ? .anotherPreferred : .notAskedFor
    }
  }
}

/// Where in the machine an accelerometer sits.
enum SensorPlace: Equatable {
  case display, base, camera

  /// What a property, label or attribute says; nil for a word that says nothing about the place.
  init?(_ word: String) {
    switch word {
    case "display", "lid", "accel-display": self = .display
    case "base", "accel-base": self = .base
    case "camera", "accel-camera": self = .camera
    default: return nil
    }
  }
}

extension SensorDescription {
  /// Where the sensor sits and what says so; nil where nothing does.
  var place: (place: SensorPlace, evidence: SensorCatalog.PlaceEvidence)? {
    if let word = udev.location, let place = SensorPlace(word) { return (place, .udevLocation(word)) }
    if let word = label, let place = SensorPlace(word) { return (place, .label(word)) }
    if let word = location, let place = SensorPlace(word) { return (place, .locationAttribute(word)) }
    return nil
  }

  /// Whether this is what somebody means who writes `wanted` into the configuration.
  func answers(to wanted: String) -> Bool {
    let isPath = wanted.hasPrefix("/")
    if isPath { return sysfsPath == wanted || "\(IIOContext.devicesDirectory)/\(id)" == wanted }
    return id == wanted || name == wanted || label == wanted
  }
}

extension SensorCatalog.PlaceEvidence: CustomStringConvertible {
  /// The evidence as it stands in udev's database or in sysfs.
  public var description: String {
    switch self {
    case .udevLocation(let word): "ACCEL_LOCATION=\(word)"
    case .label(let word): "label \(word)"
    case .locationAttribute(let word): "location \(word)"
    }
  }
}

extension SensorCatalog.Verdict: CustomStringConvertible {
  /// The verdict in words, for a table.
  public var description: String {
    switch self {
    case .used(.askedFor): "used: asked for"
    case .used(.inDisplay(let evidence)): "used: in the display (\(evidence))"
    case .used(.first): "used: the first accelerometer"
    case .notAnAccelerometer: "not an accelerometer"
    case .baseSensor(let evidence): "not used: in the base (\(evidence))"
    case .cameraSensor(let evidence): "not used: in a camera (\(evidence))"
    case .anotherPreferred: "not used: another one is preferred"
    case .notAskedFor: "not used: another one was asked for"
    }
  }
}
