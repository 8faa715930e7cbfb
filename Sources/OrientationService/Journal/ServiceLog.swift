// SPDX-License-Identifier: Apache-2.0

// What the journal sees, and nothing else writes to it. At run time it names the sensors that are found, and what misbehaves; each
// kind of message has an id of its own, except the steps of --verbose, so that `journalctl MESSAGE_ID=...` finds it.

import CLinux
import Evdev
import IIO
import Orientation
package import SensorSetup
import Systemd

/// The service's messages for the journal.
package final class ServiceLog {
  let journal = Journal(identifier: "orientationd")
  /// Whether the steps that orientationd(8) lists are logged too.
  package var isVerbose = false

  private var lastScan: SensorScan?
  private var loggedRefusal: LibiioFailure?
  private var failures = FailureLimiter<SourceError>()
  private var interruptions = FailureLimiter<SourceError>()
  private var fallbacks = FailureLimiter<SourceError>()
  private var outages = FailureLimiter<SourceError>()
  private var hangs = FailureLimiter<SourceError>()
  /// The sensor whose driver hangs: when the driver answers again, the sensor may be gone.
  private var hangingSensor = ""
  /// The session whose sensor is polled although it has a buffer.
  private var fallbackSession: SamplingSession?
  /// The sensor of the last such session: that another one has a buffer that works is no recovery.
  private var fallbackSensor: String?
  /// The sensor whose events do not work.
  private var sensorWithoutEvents: String?
  /// The sensor whose scale is wrong.
  private var sensorOfWrongScale: String?
  private var unsent = FailureLimiter<BusError>()
  private var switchFailures = FailureLimiter<InputDeviceError>()
  private var ignoredSwitches = FailureLimiter<InputDeviceDescription>()
  private var isSwitchDenialLogged = false

  /// Creates the log of a service.
  package init() {}

  /// A line of the configuration was passed over.
  package func problem(_ problem: ConfigurationProblem) {
    log(
      .warning, "\(problem)", id: "01",
      fields: ["CONFIG_FILE": problem.path, "CONFIG_LINE": "\(problem.line ?? 0)"])
  }

  /// The configuration was read again, and differs.
  ///
  /// - Parameters:
  ///   - now: what differs, and counts from now on.
  ///   - later: what differs from the start, and counts at the next one.
  ///   - responsiveness: how readily the orientation changes because people have set it, which counts before the configuration; nil if
  ///     they have not.
  func reloaded(
    _ now: [ConfigurationChange], atNextStart later: [ConfigurationChange],
    beside responsiveness: Responsiveness?
  ) {
    func words(_ changes: [ConfigurationChange]) -> String {
      changes.map { $0.description }.joined(separator: ", ")
    }
    if !now.isEmpty {
      var counts = ""
      if let responsiveness, now.contains(where: { $0.key == .responsiveness }) {
        counts = "; the orientation changes as people have set it: \(responsiveness.rawValue)"
      }
      log(.notice, "configuration reloaded: \(words(now))\(counts)", id: "40")
    }
    if now.isEmpty, later.isEmpty {
      log(.notice, "configuration reloaded: as at the start; no restart is needed", id: "40")
    }
    if !later.isEmpty {
      let need = later.count == 1 ? "needs" : "need"
      log(.notice, "\(words(later)) \(need) a restart: systemctl restart orientationd", id: "41")
    }
  }

  /// The daemon cannot start or go on.
  package func fatal(_ reason: String) {
    log(.error, reason, id: "02")
  }

  /// Something could not be sent; as the next change may fail too, this is rarely logged.
  func cannotAnnounce(_ error: BusError) {
    guard unsent.shouldLogEvent(error, at: .now) else { return }
    log(.warning, "a change could not be announced: \(error)", id: "04")
  }

  /// Keeps libiio's own messages about a lost connection, or a device that goes while it is looked at, out of the journal.
  ///
  /// libiio writes them to standard error; nothing else does but the language's runtime.
  func silenceLibraries() {
    guard journal.destination == .journal else { return }
    let nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC)
    guard nowhere >= 0 else { return }
    dup2(nowhere, STDERR_FILENO)
    close(nowhere)
  }

  /// The thread of a sensor hangs at the end.
  func sensorThreadHangs() {
    log(.warning, "the sensor does not answer; exiting without closing it", id: "06")
  }

  /// A client wants notifications, or no longer does.
  func clients(changed change: ClientChange) {
    switch change {
    case .began(let client): verbose("client \(client) begins")
    case .ended(let client): verbose("client \(client) ends")
    case .left(let client): verbose("client \(client) has left")
    }
  }

  /// A change was announced.
  func announced(_ orientation: DeviceOrientation) {
    verbose("orientation \(orientation.name)")
  }

  /// Rotation was locked or unlocked.
  func lockChanged(_ lock: RotationLock) {
    verbose(lock == .locked ? "rotation is locked" : "rotation is unlocked")
  }

  /// Somebody has set how readily the orientation changes, or with nil has left that to the configuration.
  func responsivenessChanged(_ responsiveness: Responsiveness?) {
    guard let responsiveness else { return verbose("the orientation changes as the configuration says") }
    verbose("the orientation changes as people have set it: \(responsiveness.rawValue)")
  }

  /// The sampler has reported something; what was logged before is not repeated.
  func sampler(said event: SamplerEvent) {
    switch event {
    case .found(let scan): scanned(scan)
    case .delivering(let session, let sampleRate):
      verbose("the sensor delivers at \(sampleRate) Hz")
      delivers(in: session)
    case .buffered(let session, let error):
      fallbackSession = session
      fallbackSensor = lastScan?.sensor?.name
      guard fallbacks.shouldLog(error, at: .now) else { return }
      log(.notice, "\(error); polling it instead", id: "08")
    case .bufferWorks: fallbackSession = nil
    case .unreadable(_, let error):
      guard interruptions.shouldLog(error, at: .now) else { return }
      log(.notice, "\(error); keeping the orientation and retrying for \(Int(ReadRetry.limit)) s", id: "1c")
    case .motionEventsLost: motionEventsLost()
    case .gravityLength(_, let length): gravityIs(length)
    case .failed(_, let error):
      fallbackSession = nil
      guard failures.shouldLog(error, at: .now) else { return }
      log(.warning, "the sensor does not work: \(error); retrying periodically", id: "09")
    case .changed, .leans, .released: return
    }
  }

  /// The devices were scanned. (Not inlined: a scan is large, and each event would use stack for it.)
  @inline(never)
  private func scanned(_ scan: SensorScan) {
    var scan = scan
    if let refusal = scan.refusal { refused(refusal) }
    // The sensor is the same with libiio and without.
    scan.refusal = nil
    // These have messages of their own.
    scan.hinge = nil
    scan.gyroscope = nil
    guard scan != lastScan else { return }
    let wasUnreachable = lastScan?.isUnreachable == true
    lastScan = scan
    // Another machine may go and come again and again.
    if let absence = scan.absence, scan.isUnreachable {
      guard !wasUnreachable, outages.shouldLog(absence, at: .now) else { return }
    } else if wasUnreachable {
      guard outages.shouldLogRecovery() else { return }
    }
    found(scan)
  }

  /// The present sensor's name if it is not the last one of which something was logged; then it is from now on.
  private func newSensor(after last: inout String?) -> String? {
    let name = lastScan?.sensor?.name ?? ""
    guard name != last else { return nil }
    last = name
    return name
  }

  /// The chip's events do not work; this is logged once for a sensor.
  private func motionEventsLost() {
    guard let name = newSensor(after: &sensorWithoutEvents) else { return }
    log(
      .notice,
      "\(name): the chip does not report motion by events, although its driver offers them; at rest it is read as "
        + "without events", id: "1d")
  }

  /// Gravity is so many times as long as it should be; this is logged once for a sensor.
  private func gravityIs(_ length: Double) {
    guard newSensor(after: &sensorOfWrongScale) != nil, let sensor = lastScan?.sensor else { return }
    log(.notice, sensor.wrongScale(length), id: "1e")
  }

  private func delivers(in session: SamplingSession) {
    // A sensor that is read again was not lost, so its recovery is not logged.
    _ = interruptions.shouldLogRecovery()
    if failures.shouldLogRecovery() {
      log(.notice, "the sensor works again", id: "07")
    }
    guard fallbackSession != session, fallbackSensor == lastScan?.sensor?.name else { return }
    if fallbacks.shouldLogRecovery() {
      log(.notice, "the sensor's buffer works again", id: "17")
    }
  }

  /// The sampler hangs in the sensor's driver, or is back; like its failures, this is rarely logged.
  func samplerBecame(_ state: ThreadWatchdog.State) {
    if state == .hung { hangingSensor = lastScan?.sensor?.name ?? "" }
    thread(of: hangingSensor, became: state, within: &hangs)
  }

  /// A thread hangs in a sensor's driver, or is back.
  func thread(
    of sensor: String, became state: ThreadWatchdog.State, within hangs: inout FailureLimiter<SourceError>
  ) {
    let limit = WakeUpEvent.hangLimit
    switch state {
    case .hung:
      guard hangs.shouldLog(.silent(device: sensor, seconds: limit), at: .now) else { return }
      log(.warning, "\(sensor): the sensor's driver has not answered for \(Int(limit)) s", id: "18")
    case .responding:
      guard hangs.shouldLogRecovery() else { return }
      log(.notice, "\(sensor): the sensor's driver answers again", id: "19")
    }
  }

  /// libiio refuses the machine; for a device that comes and goes this is logged once.
  @inline(never)
  private func refused(_ refusal: LibiioFailure) {
    guard refusal != loggedRefusal else { return }
    loggedRefusal = refusal
    log(.notice, "\(refusal)", id: "1a")
  }

  private func found(_ scan: SensorScan) {
    verbose("natural orientation \(scan.natural)")
    if let laptop = scan.natural.laptop { verbose("laptop orientation \(laptop)") }
    for warning in scan.warnings {
      log(.warning, warning, id: "0a")
    }
    if let absence = scan.absence {
      log(.notice, "\(absence); \(scan.outlook)", id: "0b")
    }
    guard let sensor = scan.sensor else { return }
    log(.info, "accelerometer \(sensor.name): \(sensor.reason)", id: "0c", fields: ["SENSOR": sensor.name])
    guard sensor.origin == .simulation else { return }
    log(.notice, "SIMULATED: the announced orientations are not from a real tablet", id: "0d")
  }

  /// Something happened to the saved state.
  func state(said event: StateEvent) {
    switch event {
    case .notKept:
      verbose("the rotation lock is not kept over a restart: neither --state nor STATE_DIRECTORY is set")
    case .unusable(let file):
      let used = if case .wrongLine = file.defect { "its other lines" } else { "the defaults" }
      log(.warning, "\(file); using \(used)", id: "10", fields: ["STATE_FILE": file.path])
    case .cannotLoad(let error):
      log(
        .warning, "the saved state cannot be read: \(error); using the defaults",
        id: "11", fields: ["STATE_FILE": error.path])
    case .cannotSave(let error):
      log(
        .warning,
        "the rotation lock cannot be saved: \(error); it is tried again every \(Int(StateKeeper.retrySeconds)) s",
        id: "12", fields: ["STATE_FILE": error.path])
    case .savedAgain:
      log(.notice, "the rotation lock is saved again", id: "13")
    case .notSavedInTime:
      log(.warning, "the disk does not answer; exiting without saving the rotation lock", id: "1b")
    }
  }

  /// An input device with a switch or key of ours cannot be used; this is rarely logged.
  func hardwareSwitch(_ device: InputDeviceDescription, failed error: InputDeviceError) {
    let failure =
      "\(error); the switches and keys of '\(device.name)' for rotation lock and tablet mode are ignored"
    switch error {
    case .vanished: return
    case .permissionDenied:
      // One cause for all devices, and one remedy.
      guard !isSwitchDenialLogged else { return }
      isSwitchDenialLogged = true
      log(
        .warning,
        "\(failure). The service's user needs read access: the udev rule 60-orientationd.rules grants it with setfacl, "
          + "and the unit needs DeviceAllow=char-input r", id: "14", fields: ["INPUT_DEVICE": device.path])
    case .system:
      guard switchFailures.shouldLogEvent(error, at: .now) else { return }
      log(.warning, failure, id: "15", fields: ["INPUT_DEVICE": device.path])
    }
  }

  /// There are more input devices with a switch or key of ours than are listened to; a device that comes again and again is rarely
  /// logged.
  func tooManyHardwareSwitches(_ device: InputDeviceDescription, limit: Int) {
    guard ignoredSwitches.shouldLogEvent(device, at: .now) else { return }
    log(
      .warning,
      "\(device.path): '\(device.name)' is ignored: \(limit) devices already have a switch or key for rotation lock or "
        + "tablet mode", id: "16", fields: ["INPUT_DEVICE": device.path])
  }

  /// An input device is listened to.
  func listens(to device: InputDeviceDescription) {
    verbose("listening to the switches and keys of \(device.path), '\(device.name)'")
  }

  // MARK: Light sensor, proximity sensor, compass, tablet mode sensor and gyroscope, which have these kinds of names

  /// A sensor beside the accelerometer was found.
  func sensor(_ name: String, isFoundAs kind: String) {
    log(.info, "\(kind) \(name)", id: "20", fields: ["SENSOR": name])
  }

  /// The devices cannot be looked through for such sensors.
  func cannotLookForAmbientSensors(_ error: SourceError) {
    log(.warning, "light sensor, proximity sensor and compass cannot be looked for: \(error)", id: "21")
  }

  /// One of them cannot be opened or read.
  func sensorFails(_ kind: String, _ error: SourceError) {
    log(.warning, "the \(kind) does not work: \(error); retrying periodically", id: "22")
  }

  /// One of them has failed and delivers again.
  func sensorWorksAgain(_ kind: String) {
    log(.notice, "the \(kind) works again", id: "23")
  }

  /// The buffer of one of them is of no use.
  func sensorIsPolled(_ kind: String, because error: SourceError) {
    log(.notice, "\(error); polling the \(kind) instead", id: "24")
  }

  /// The thread that sends samples cannot be started.
  func cannotSendMotion(_ error: SourceError) {
    log(.warning, "programs cannot be sent motion: \(error)", id: "60")
  }

  // MARK: The journal

  /// Logs a step, if every step is wanted.
  func verbose(_ message: String) {
    guard isVerbose else { return }
    journal.log(.debug, message)
  }

  /// Logs a message of the kind whose id ends with these two digits, by which orientationd(8) lists it.
  func log(
    _ priority: Journal.Priority, _ message: String, id digits: String,
    fields: KeyValuePairs<String, String> = [:]
  ) {
    journal.log(priority, message, id: "8a1f0c1d5b3e4c0c9f6f4be0a2d51c\(digits)", fields: fields)
  }
}
