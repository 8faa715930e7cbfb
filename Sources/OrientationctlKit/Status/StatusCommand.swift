// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import DaemonClient
import Following
import Monitoring
import Orientation
import OrientationClient
import SensorSetup
import Systemd

/// `orientationctl status`: the present state of the daemon.
struct StatusCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "status",
    abstract:
      "Show whether the daemon runs, its sensor, which way up the tablet is held, and how its screen is rotated.",
    discussion: """
      If the daemon does not run and the bus can start it, this command starts it. While there are no subscribers, \
      the sensor is off; the daemon then runs it for a moment to find the orientation, unless the rotation lock holds one.

      With --json, the command prints one object. If the daemon cannot be asked, the object has "running": false, \
      and the exit status is 1.
      """)

  @OptionGroup var bus: BusOptions
  @OptionGroup var output: OutputOptions

  func run() throws {
    let status: DaemonStatus
    do throws(CommandError) {
      status = try DaemonStatus(on: try bus.connect(), options: bus)
    } catch {
      if output.isJSON { try StandardOutput.write(notRunning(error).text + "\n") }
      throw error
    }
    if output.isJSON {
      try StandardOutput.write(status.json.text + "\n")
    } else {
      try StandardOutput.write(status.table)
    }
  }

  private func notRunning(_ error: CommandError) -> JSON {
    .object([
      ("running", .bool(false)), ("bus", .string(bus.bus.name)),
      ("reason", .string(error.description)),
    ])
  }
}

/// The present state of the daemon, as text or as JSON.
struct DaemonStatus {
  /// Where an orientation comes from.
  enum Finding {
    /// There are subscribers, so the daemon knows it.
    case generated(DeviceOrientation)
    /// The daemon ran the sensor for this answer.
    case measured(DeviceOrientation)
    /// The rotation lock holds it, however the device is held now.
    case held(DeviceOrientation)
    /// The daemon does not know it, for this reason.
    case unavailable(String)
  }

  /// How long to wait for an orientation, in seconds.
  ///
  /// The daemon answers with an error after 3 s.
  private static let timeoutSeconds = 5.0

  private let bus: String
  private let wasStarted: Bool
  private let device: DeviceSnapshot
  private let screen: ScreenSnapshot
  private let screenText: String
  private let orientation: Finding
  /// Filtered, in m/s^2; nil while the sensor does not run, and for users without permission.
  private let gravity: Acceleration<ScreenFrame>?

  /// Reads the state of the daemon.
  ///
  /// The bus starts the daemon if it does not run.
  ///
  /// - Throws: ``CommandError`` if the daemon does not answer.
  init(on bus: Bus, options: BusOptions) throws(CommandError) {
    self.bus = options.bus.name
    do throws(BusError) {
      wasStarted = try bus.owner(of: DBusNames.service) == nil
      var device = try DeviceSnapshot(from: try bus.call(.allProperties(of: DBusNames.deviceInterface)))
      // Another version may have no such interface.
      try? device.update(from: try bus.call(.allProperties(of: DBusNames.sensorInterface)))
      var screen = try ScreenSnapshot(from: try bus.call(.allProperties(of: DBusNames.screenInterface)))
      screen.update(from: device)
      (self.device, self.screen) = (device, screen)
    } catch {
      throw CommandError(error, options: options)
    }
    screenText = screen.followerText(on: bus)
    orientation = Self.findOrientation(bus, of: device, lock: screen.lock)
    // It may be refused: the rest of the status is useful without it.
    gravity =
      device.isGenerating
      ? try? bus.call(.sensor("MeasureGravity"), forSeconds: Self.timeoutSeconds).readGravity() : nil
  }

  private static func findOrientation(
    _ bus: Bus, of device: DeviceSnapshot, lock: RotationLock
  ) -> Finding {
    if device.isGenerating {
      // Under a lock that holds none yet, the first one that is decided is held.
      let isHeld = lock == .locked && device.orientation != .unknown
      return isHeld ? .held(device.orientation) : .generated(device.orientation)
    }
    do throws(BusError) {
      let raw = try bus.call(.device("MeasureOrientation"), forSeconds: timeoutSeconds).readUInt32()
      let orientation = DeviceOrientation(rawValue: raw) ?? .unknown
      return lock == .locked ? .held(orientation) : .measured(orientation)
    } catch {
      return .unavailable(error.message)
    }
  }

  private var knownOrientation: DeviceOrientation {
    switch orientation {
    case .generated(let orientation), .measured(let orientation), .held(let orientation): orientation
    case .unavailable: .unknown
    }
  }
}

extension DaemonStatus {
  /// The status as a table, for people.
  ///
  /// A lock, or a sensor that is off, is not wrong: somebody wants it so.
  var table: FieldTable {
    var table = FieldTable()
    table.add("Daemon", daemonText, isWrong: isOtherVersion)
    table.add("Orientation", orientationText, isWrong: isUnavailable)
    let decision = screen.isDecided ? "" : " (not decided yet: a desktop leaves its screen as it is)"
    table.add(
      "Interface",
      "\(screen.orientation.nameWithMeaning(on: natural)), transform \(screen.transform)\(decision)")
    table.add("Screen", screenText, isWrong: screen.followers.isEmpty && !screen.otherSensorProxy.isEmpty)
    table.add("Rotation lock", screen.lock == .locked ? "on" : "off")
    if let responsiveness = screen.responsiveness {
      table.add("Turns", responsiveness.rawValue)
    }
    if !screen.isStateKept {
      table.add("State", "not saved: it is lost when the service restarts (see its journal)", isWrong: true)
    }
    table.add("Suggested", suggestionText)
    table.add(
      "Supported",
      screen.supported == .all
        ? "all" : screen.supported.namesWithMeaning(on: natural).joined(separator: ", "))
    for hold in screen.holds {
      table.add("Held by", screen.text(of: hold, naming: hold.orientations.namesWithMeaning(on: natural)))
    }
    table.add("Tablet mode", tabletModeText)
    table.add("Notifications", device.isGenerating ? "on" : "off: no subscribers")
    table.add(
      "Sensor", device.hasAccelerometer ? device.sensorName : "none", isWrong: !device.hasAccelerometer)
    table.add(
      "Sensor status", statusText, isWrong: SensorStatus(rawValue: device.sensorStatus)?.isWrong == true)
    for warning in device.sensorWarnings { table.add("Warning", warning, isWrong: true) }
    table.add("Sample rate", device.sampleRate > 0 ? "\(shortDecimal(device.sampleRate)) Hz" : nil)
    table.add("Gravity", gravity.map(Self.text(of:)))
    return table
  }

  private var natural: NaturalOrientation? { screen.naturalOrientation }

  private var daemonText: String {
    let start = wasStarted ? ", started for this request" : ""
    return "running on the \(bus) bus\(start)\(versionText)"
  }

  private var isOtherVersion: Bool { !device.version.isEmpty && device.version != orientationdVersion }

  private var isUnavailable: Bool { if case .unavailable = orientation { true } else { false } }

  /// Empty if the daemon has the version of this program.
  private var versionText: String {
    guard isOtherVersion else { return "" }
    return ", version \(device.version) (this orientationctl has \(orientationdVersion))"
  }

  private var orientationText: String {
    switch orientation {
    case .generated(.unknown): "unknown so far"
    case .generated(let orientation): orientation.nameWithMeaning(on: natural)
    case .measured(let orientation): "\(orientation.nameWithMeaning(on: natural)) (measured just now)"
    case .held(let orientation): "\(orientation.nameWithMeaning(on: natural)) (held by the rotation lock)"
    case .unavailable(let reason): "unknown: \(reason)"
    }
  }

  /// Nil if there is nothing that a person could want to do.
  private var suggestionText: String? {
    guard screen.lock == .locked, screen.suggested != screen.orientation, screen.suggested != .unknown
    else { return nil }
    return
      "\(screen.suggested.nameWithMeaning(on: natural)), which the interface would take if rotation were unlocked"
  }

  private var statusText: String {
    guard let status = SensorStatus(rawValue: device.sensorStatus) else { return device.sensorStatus }
    return "\(status.rawValue): \(status.meaning)"
  }

  private var tabletModeText: String {
    let isUnknown = screen.tabletMode == TabletMode.unknown.rawValue
    let means: String
    switch TabletModeSource(rawValue: screen.tabletModeSource) {
    case .some(.none) where isUnknown:
      return "unknown: \(TabletModeOrigin.problem ?? "no switch or sensor for it")"
    case .some(.none), .switch, nil: return screen.tabletMode
    case .hinge: means = "the angle of the hinge"
    case .accelerometers: means = "the angle between display and base"
    }
    if isUnknown { return device.isGenerating ? "unknown by \(means)" : "unknown: no subscribers" }
    return "\(screen.tabletMode), by \(means)\(device.isGenerating ? "" : " when it was last read")"
  }

  private static func text(of gravity: Acceleration<ScreenFrame>) -> String {
    let (x, y, z) = (gravity.x, gravity.y, gravity.z)
    return "x \(decimal(x, places: 2))  y \(decimal(y, places: 2))  z \(decimal(z, places: 2)) m/s^2"
  }

  /// The status for programs.
  var json: JSON {
    .object([
      ("running", .bool(true)), ("bus", .string(bus)), ("started", .bool(wasStarted)),
      ("version", device.version.isEmpty ? .null : .string(device.version)),
      ("orientation", .integer(Int64(knownOrientation.rawValue))),
      ("name", .string(knownOrientation.name)),
      ("generating", .bool(device.isGenerating)),
      ("has_accelerometer", .bool(device.hasAccelerometer)),
      ("sensor_name", device.sensorName.isEmpty ? .null : .string(device.sensorName)),
      ("sensor_status", .string(device.sensorStatus)),
      ("sensor_warnings", .array(device.sensorWarnings.map(JSON.string))),
      ("sample_rate_hz", .number(device.sampleRate)),
      ("gravity_m_s2", gravity.map { JSON($0.vector) } ?? .null),
      ("screen", screen.json),
    ])
  }
}

extension SensorStatus {
  /// Whether somebody has to do something about it.
  fileprivate var isWrong: Bool {
    switch self {
    case .absent, .silent, .failed: true
    case .idle, .starting, .active: false
    }
  }

  /// An explanation of the status, for people.
  fileprivate var meaning: String {
    switch self {
    case .absent: "no accelerometer found (see orientationctl sensors)"
    case .idle: "powered down, no subscribers"
    case .starting: "being opened"
    case .active: "delivers samples"
    case .silent: "open, but delivers nothing, or nothing that can be gravity"
    case .failed: "cannot be read (see the journal); retrying periodically"
    }
  }
}
