// SPDX-License-Identifier: Apache-2.0

// This folder: which devices the kernel has (SensorDiscovery), what is known about each before it is used
// (SensorDescription, SensorLocation), and which one is the tablet's accelerometer (SensorCatalog).

/// Every IIO device, and every accelerometer that is an input device, each with a verdict, and the one that is used, with the reason.
///
/// The daemon uses this choice, and `orientationctl sensors` shows it.
package struct SensorCatalog: Equatable, Sendable {
  /// What was decided about a device.
  package enum Verdict: Equatable, Sendable {
    /// The device is used.
    case used(Reason)
    /// It has no axes that tell which way up it is.
    case notAnAccelerometer
    /// It is in a part that does not turn with the screen, by this evidence.
    case elsewhere(SensorLocation, String)
    /// It could be used, but another sensor is preferred.
    case anotherPreferred
    /// It could be used, but another sensor was requested.
    case notAskedFor
    /// It matches the request, but another sensor does too.
    case ambiguous
  }

  /// Why a device is used.
  package enum Reason: Equatable, Sendable {
    /// It was requested by its id, name, label or sysfs path.
    case askedFor
    /// It is known to be in the display, by this evidence.
    case inDisplay(String)
    /// Its location is unknown, and no other sensor can be used.
    case only
    /// Its location is unknown, and it is the first of several such sensors.
    case first
  }

  /// A device and what was decided about it.
  package struct Entry: Equatable, Sendable {
    /// The device.
    package var sensor: SensorDescription
    /// What was decided.
    package var verdict: Verdict
  }

  /// All devices, in the given order.
  package let entries: [Entry]
  /// The gyroscopes, in the given order.
  let gyroscopes: [SensorDescription]
  /// Why libiio refuses the machine of the devices; nil if it does not.
  package let refusal: LibiioFailure?
  private let wanted: String?

  /// The sensor that shows whether the machine is folded to a tablet: that of its hinge, or else the accelerometer in its base.
  ///
  /// Nil if there is neither. The base's needs another one in the display to be compared with.
  package var hinge: SensorDescription? {
    func first(_ isWanted: (Entry) -> Bool) -> SensorDescription? {
      entries.filter(isWanted).min { $0.sensor.precedes($1.sensor) }?.sensor
    }
    if let hinge = first({ $0.sensor.hingeChannel != nil }) { return hinge }
    guard used != nil else { return nil }
    return first {
      // The angle needs all three axes.
      if case .elsewhere(.base, _) = $0.verdict {
        $0.sensor.interface == .iio && !$0.sensor.isSubstitute
      } else {
        false
      }
    }
  }

  /// The gyroscope that turns with the screen; nil if there is none.
  ///
  /// One of the chip or hub of the accelerometer that is used is preferred; then the rules for accelerometers decide.
  package var gyroscope: SensorDescription? {
    let sameChip = used.map { used in gyroscopes.filter { $0.isMountedLike(used.sensor) } } ?? []
    let candidates = sameChip.isEmpty ? gyroscopes.filter { $0.preference != .never } : sameChip
    return candidates.min { $0.isPreferred(to: $1) }
  }

  /// The device that is used; nil if none can be.
  package var used: Entry? {
    entries.first {
      if case .used = $0.verdict { true } else { false }
    }
  }

  /// Chooses one of `sensors`.
  ///
  /// - Parameters:
  ///   - sensors: all devices, in any order.
  ///   - wanted: an id, name, label or sysfs path, or `NAME#2` for the second of a label or name; with nil, the rules
  ///     decide. They prefer an accelerometer that is known to be in the display to one whose location is unknown, that to one
  ///     that can be unplugged or protects a disk, and that to an input device and to one without a third axis. Those in the
  ///     base, in cameras and in peripherals are never used. Among equals, the first path in /sys is used, with the numbers in
  ///     it as numbers: the number of the device depends on which driver was ready first, which differs from start to start. A
  ///     requested sensor is used wherever it is. If several match, the rules decide, and if these cannot, none is used.
  ///   - gyroscopes: all gyroscopes, in any order.
  ///   - refusal: why libiio refuses their machine; nil if it does not.
  package init(
    choosingAmong sensors: [SensorDescription], wanted: String? = nil, gyroscopes: [SensorDescription] = [],
    refusal: LibiioFailure? = nil
  ) {
    let sensors = Self.numbered(sensors)
    let candidates = sensors.indices.filter { sensors[$0].isCandidate(for: wanted) }
    let best = candidates.min { sensors[$0].isPreferred(to: sensors[$1]) }
    let isBest = { (index: Int) in best.map { sensors[index].preference == sensors[$0].preference } ?? false }
    let isAmbiguous = wanted != nil && candidates.filter(isBest).count > 1
    self.wanted = wanted
    self.gyroscopes = gyroscopes
    self.refusal = refusal
    entries = sensors.indices.map { index in
      let sensor = sensors[index]
      let verdict: Verdict
      if !sensor.isAccelerometer {
        verdict = .notAnAccelerometer
      } else if isAmbiguous, isBest(index), candidates.contains(index) {
        verdict = .ambiguous
      } else if index == best, !isAmbiguous {
        verdict = .used(wanted == nil ? Self.reason(sensor, isOnly: candidates.count == 1) : .askedFor)
      } else {
        verdict = Self.passedOver(sensor, wanted: wanted)
      }
      return Entry(sensor: sensor, verdict: verdict)
    }
  }

  private static func numbered(_ sensors: [SensorDescription]) -> [SensorDescription] {
    sensors.map { sensor in
      var sensor = sensor
      sensor.number =
        1
        + sensors.count {
          $0.isAccelerometer && $0.labelOrName == sensor.labelOrName && $0.isBuiltIn == sensor.isBuiltIn
            && $0.precedes(sensor)
        }
      return sensor
    }
  }

  private static func reason(_ sensor: SensorDescription, isOnly: Bool) -> Reason {
    if let evidence = sensor.place?.evidence { return .inDisplay(evidence) }
    return isOnly ? .only : .first
  }

  private static func passedOver(_ sensor: SensorDescription, wanted: String?) -> Verdict {
    if let (place, evidence) = sensor.place, place != .display { return .elsewhere(place, evidence) }
    return wanted == nil ? .anotherPreferred : .notAskedFor
  }

  /// Why no device is used; nil if one is.
  package var absence: SourceError? {
    guard used == nil else { return nil }
    guard let wanted else { return .noAccelerometer(devices: names { $0.nameAndFault }) }
    let ambiguous = names { $0.verdict == .ambiguous ? $0.sensor.nameAndPath : nil }
    guard ambiguous.isEmpty else { return .ambiguousSensor(wanted: wanted, matching: ambiguous) }
    let available = names { $0.sensor.isAccelerometer ? $0.sensor.nameAndLabel : nil }
    guard let other = entries.first(where: { $0.sensor.answers(to: wanted) }) else {
      return .noSuchSensor(wanted: wanted, available: available)
    }
    return .notAnAccelerometer(device: other.sensor.displayName, available: available)
  }

  /// What is doubtful about the used device, in sentences.
  package var warnings: [String] {
    guard let used else { return [] }
    let name = used.sensor.displayName
    let lacksZ =
      used.sensor.lacksZ
      ? [
        "\(name) has no axis z: it does not see whether the face is up or down, and a device that lies flat keeps its orientation"
      ]
      : []
    return lacksZ + guess
  }

  /// If the used device is a guess, a sentence that says so, and how the next one is chosen.
  private var guess: [String] {
    // Sensor= cannot name a device of another machine.
    guard let used, used.verdict == .used(.first), used.sensor.sysfsPath != nil else { return [] }
    let equals = entries.filter {
      $0.verdict == .anotherPreferred && $0.sensor.preference == used.sensor.preference
    }
    guard let next = equals.min(by: { $0.sensor.precedes($1.sensor) })?.sensor else { return [] }
    return [
      "\(used.sensor.displayName) is a guess, because nothing shows which of \(equals.count + 1) accelerometers is in the display; "
        + "if the screen turns wrongly, Sensor=\(next.lastingName) selects \(next.displayName)"
    ]
  }

  @inline(never)  // three times its size in the daemon
  private func names(_ name: (Entry) -> String?) -> [String] {
    var names: [String] = []
    for entry in entries {
      if let name = name(entry) { names.append(name) }
    }
    return names
  }
}

extension SensorCatalog.Entry {
  /// The device, and the reason if it is an accelerometer: "kxcjk1013 (iio:device0), which is in the base (label
  /// accel-base)".
  fileprivate var nameAndFault: String {
    sensor.isAccelerometer ? "\(sensor.displayName), which is \(verdict.fault)" : sensor.displayName
  }
}

extension SensorDescription {
  /// How much a sensor is preferred; the lowest comes first.
  ///
  /// That of an accelerometer is never `base`, which is for the light around the device and the like.
  enum Preference: Int {
    case display, unknown, base, doubtful, input, substitute, never
  }

  /// Whether it only serves where there is no accelerometer with three axes: two do not show a face.
  fileprivate var isSubstitute: Bool { lacksZ || quantity == .gravity }

  /// Whether it can be used.
  fileprivate func isCandidate(for wanted: String?) -> Bool {
    guard isAccelerometer else { return false }
    return wanted.map { answers(to: $0) } ?? (preference != .never)
  }

  /// Whether it is in the machine.
  fileprivate var isBuiltIn: Bool { !isRemovable && place?.place != .peripheral }

  /// How much it is preferred by its location.
  var preference: Preference {
    switch place?.place {
    case .display: isSubstitute ? .substitute : .display
    case nil where isSubstitute: .substitute
    // Mostly that of a laptop's disk.
    case nil where interface != .iio: .input
    case nil: isDoubtful ? .doubtful : .unknown
    case .base, .camera, .peripheral: .never
    }
  }

  /// Whether this sensor is preferred to another one.
  func isPreferred(to other: SensorDescription) -> Bool {
    guard preference == other.preference else { return preference.rawValue < other.preference.rawValue }
    return precedes(other)
  }

  /// Whether it comes before another one of the same preference: by the path of the chip, and then by the device's number.
  func precedes(_ other: SensorDescription) -> Bool {
    (sysfsPath ?? id).naturallyPrecedes(other.sysfsPath ?? other.id)
  }

  /// What names it in the configuration, at the next start, too.
  ///
  /// For a chip this is its directory, above that of the device, whose name has a number that may differ from start to start. In a
  /// hub's paths, other numbers do, too.
  fileprivate var lastingName: String {
    isOfHub ? numberedName : sysfsPath.map { String(parentDirectory(of: $0)) } ?? id
  }

  private var numberedName: String { "\(labelOrName)#\(number)" }

  /// What it is called by the firmware, or else by its driver.
  fileprivate var labelOrName: String { label ?? name ?? id }

  /// Whether `wanted` in the configuration means this sensor.
  fileprivate func answers(to wanted: String) -> Bool {
    let slash = UInt8(ascii: "/")
    guard wanted.utf8.first == slash else { return [id, name, label, numberedName].contains(wanted) }
    var path = wanted.utf8[...]
    while path.last == slash { path.removeLast() }
    let names = ["\(IIOMachine.devicesDirectory)/\(id)", node, sysfsPath ?? ""]
    if names.contains(where: { $0.utf8.elementsEqual(path) }) { return true }
    // The chip's own directory matches too: it keeps its name when the device's number changes.
    guard let own = sysfsPath?.utf8, own.starts(with: path) else { return false }
    return own.dropFirst(path.count).first == slash
  }

  @inline(never)
  fileprivate var nameAndLabel: String {
    label.map { "\(displayName) with the label \($0)" } ?? displayName
  }

  fileprivate var nameAndPath: String {
    sysfsPath.map { "\(nameAndLabel) at \($0)" } ?? nameAndLabel
  }
}

// The catalog's decisions in words, for the journal and for `orientationctl sensors`.

extension SensorCatalog.Verdict: CustomStringConvertible {
  /// The verdict in words, for a table.
  package var description: String {
    switch self {
    case .used(let reason): "used: \(reason)"
    case .notAnAccelerometer: fault
    case .elsewhere, .anotherPreferred, .notAskedFor, .ambiguous: "not used: \(fault)"
    }
  }

  /// Why the device is not used; empty if it is.
  var fault: String {
    switch self {
    case .used: ""
    case .notAnAccelerometer: "not an accelerometer"
    case .elsewhere(let place, let evidence): "in \(place.rawValue) (\(evidence))"
    case .anotherPreferred: "another sensor is preferred"
    case .notAskedFor: "another sensor was requested"
    case .ambiguous: "several sensors match the request"
    }
  }
}

extension SensorCatalog.Reason: CustomStringConvertible {
  /// The reason in words.
  package var description: String {
    switch self {
    case .askedFor: "requested"
    case .inDisplay(let evidence): "in the display (\(evidence))"
    case .only: "the only one that may be in the display"
    case .first: "the first of several that may be in the display"
    }
  }
}
