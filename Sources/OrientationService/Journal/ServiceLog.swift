// SPDX-License-Identifier: Apache-2.0

// What the journal sees, and nothing else writes to it. At run time it names the sensors that are found, and what misbehaves; each
// kind of message has an id of its own, except the steps of --verbose, so that `journalctl MESSAGE_ID=...` finds it.

import CLinux
import Evdev
import IIO
import Orientation
import SensorSetup
import Systemd

/// The service's messages for the journal.
public final class ServiceLog {
  let journal = Journal(identifier: "orientationd")
  /// Whether the steps that orientationd(8) lists are logged too.
  public var verbosity = Options.Verbosity.normal

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
  public init() {}

  /// A line of the configuration was passed over.
  public func problem(_ problem: ConfigurationProblem) {
    journal.log(
      .warning, "\(problem)", id: "8a1f0c1d5b3e4c0c9f6f4be0a2d51c01",
      fields: ["CONFIG_FILE": problem.path, "CONFIG_LINE": "\(problem.line ?? 0)"])
  }

  /// The configuration was read again, and differs.
  func reloaded(_ changes: [ConfigurationChange]) {
    let later = changes.filter { $0.key.subject == .nextStart }
    let now = changes.filter { $0.key.subject != .nextStart }
    if !now.isEmpty {
      let words = now.map { $0.description }.joined(separator: ", ")
      journal.log(.notice, "configuration reloaded: \(words)", id: "8a1f0c1d5b3e4c0c9f6f4be0a2d51c40")
    }
    if !later.isEmpty {
      let words = later.map { $0.description }.joined(separator: ", ")
      journal.log(
        .notice, "\(words) needs a restart: systemctl restart orientationd",
        id: "8a1f0c1d5b3e4c0c9f6f4be0a2d51c41")
    }
  }

  /// The daemon cannot start or go on.
  public func fatal(_ reason: String) {
    journal.log(.error, reason, id: "8a1f0c1d5b3e4c0c9f6f4be0a2d51c02")
  }

  /// Something could not be sent; as the next change may fail too, this is rarely logged.
  func cannotAnnounce(_ error: BusError) {
    guard unsent.shouldLogEvent(error, at: .now) else { return }
    journal.log(.warning, "a change could not be announced: \(error)", id: "8a1f0c1d5b3e4c0c9f6f4be0a2d51c04")
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
    journal.log(
      .warning, "the sensor does not answer; exiting without closing it",
      id: "8a1f0c1d5b3e4c0c9f6f4be0a2d51c06")
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
      journal.log(.notice, "\(error); polling it instead", id: "8a1f0c1d5b3e4c0c9f6f4be0a2d51c08")
    case .bufferWorks: fallbackSession = nil
    case .unreadable(_, let error):
      guard interruptions.shouldLog(error, at: .now) else { return }
      journal.log(
        .notice, "\(error); keeping the orientation and retrying for \(Int(ReadRetry.limit)) s",
        id: "8a1f0c1d5b3e4c0c9f6f4be0a2d51c1c")
    case .motionEventsLost: motionEventsLost()
    case .gravityLength(_, let length): gravityIs(length)
    case .failed(_, let error):
      fallbackSession = nil
      guard failures.shouldLog(error, at: .now) else { return }
      journal.log(
        .warning, "the sensor does not work: \(error); retrying periodically",
        id: "8a1f0c1d5b3e4c0c9f6f4be0a2d51c09")
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
    journal.log(
      .notice,
      "\(name): the chip does not report motion by events, although its driver offers them; at rest it is read as "
        + "without events", id: "8a1f0c1d5b3e4c0c9f6f4be0a2d51c1d")
  }

  /// Gravity is so many times as long as it should be; this is logged once for a sensor.
  private func gravityIs(_ length: Double) {
    guard newSensor(after: &sensorOfWrongScale) != nil, let sensor = lastScan?.sensor else { return }
    journal.log(.notice, sensor.wrongScale(length), id: "8a1f0c1d5b3e4c0c9f6f4be0a2d51c1e")
  }

  private func delivers(in session: SamplingSession) {
    // A sensor that is read again was not lost, so its recovery is not logged.
    _ = interruptions.shouldLogRecovery()
    if failures.shouldLogRecovery() {
      journal.log(.notice, "the sensor works again", id: "8a1f0c1d5b3e4c0c9f6f4be0a2d51c07")
    }
    guard fallbackSession != session, fallbackSensor == lastScan?.sensor?.name else { return }
    if fallbacks.shouldLogRecovery() {
      journal.log(.notice, "the sensor's buffer works again", id: "8a1f0c1d5b3e4c0c9f6f4be0a2d51c17")
    }
  }

  /// The sampler hangs in the sensor's driver, or is back; like its failures, this is rarely logged.
  func samplerBecame(_ state: ThreadWatchdog.State) {
    switch state {
    case .hung:
      let name = lastScan?.sensor?.name ?? ""
      guard hangs.shouldLog(.silent(device: name, seconds: WakeUpEvent.hangLimit), at: .now) else { return }
      hangingSensor = name
      sensorDriverHangs(name)
    case .responding:
      guard hangs.shouldLogRecovery() else { return }
      sensorDriverAnswers(hangingSensor)
    }
  }

  /// A thread hangs in a sensor's driver.
  func sensorDriverHangs(_ name: String) {
    journal.log(
      .warning, "\(name): the sensor's driver has not answered for \(Int(WakeUpEvent.hangLimit)) s",
      id: "8a1f0c1d5b3e4c0c9f6f4be0a2d51c18")
  }

  /// It is back.
  func sensorDriverAnswers(_ name: String) {
    journal.log(
      .notice, "\(name): the sensor's driver answers again", id: "8a1f0c1d5b3e4c0c9f6f4be0a2d51c19")
  }

  /// libiio refuses the machine; for a device that comes and goes this is logged once.
  @inline(never)
  private func refused(_ refusal: LibiioFailure) {
    guard refusal != loggedRefusal else { return }
    loggedRefusal = refusal
    journal.log(.notice, "\(refusal)", id: "8a1f0c1d5b3e4c0c9f6f4be0a2d51c1a")
  }

  private func found(_ scan: SensorScan) {
    verbose("natural orientation \(scan.natural)")
    if let laptop = scan.natural.laptop { verbose("laptop orientation \(laptop)") }
    for warning in scan.warnings {
      journal.log(.warning, warning, id: "8a1f0c1d5b3e4c0c9f6f4be0a2d51c0a")
    }
    if let absence = scan.absence {
      journal.log(.notice, "\(absence); \(scan.outlook)", id: "8a1f0c1d5b3e4c0c9f6f4be0a2d51c0b")
    }
    guard let sensor = scan.sensor else { return }
    journal.log(
      .info, "accelerometer \(sensor.name): \(sensor.reason)", id: "8a1f0c1d5b3e4c0c9f6f4be0a2d51c0c",
      fields: ["SENSOR": sensor.name])
    guard sensor.origin == .simulation else { return }
    journal.log(
      .notice, "SIMULATED: the announced orientations are not from a real tablet",
      id: "8a1f0c1d5b3e4c0c9f6f4be0a2d51c0d")
  }

  /// Something happened to the saved state.
  func state(said event: StateEvent) {
    switch event {
    case .notKept:
      verbose("the rotation lock is not kept over a restart: neither --state nor STATE_DIRECTORY is set")
    case .unusable(let file):
      journal.log(
        .warning, "\(file); using the defaults", id: "8a1f0c1d5b3e4c0c9f6f4be0a2d51c10",
        fields: ["STATE_FILE": file.path])
    case .cannotLoad(let error):
      journal.log(
        .warning, "the saved state cannot be read: \(error); using the defaults",
        id: "8a1f0c1d5b3e4c0c9f6f4be0a2d51c11", fields: ["STATE_FILE": error.path])
    case .cannotSave(let error):
      journal.log(
        .warning,
        "the rotation lock cannot be saved: \(error); it is tried again every \(Int(StateKeeper.retrySeconds)) s",
        id: "8a1f0c1d5b3e4c0c9f6f4be0a2d51c12", fields: ["STATE_FILE": error.path])
    case .savedAgain:
      journal.log(.notice, "the rotation lock is saved again", id: "8a1f0c1d5b3e4c0c9f6f4be0a2d51c13")
    case .notSavedInTime:
      journal.log(
        .warning, "the disk does not answer; exiting without saving the rotation lock",
        id: "8a1f0c1d5b3e4c0c9f6f4be0a2d51c1b")
    }
  }

  /// An input device with a switch or key of ours cannot be used; this is rarely logged.
  func hardwareSwitch(_ device: InputDeviceDescription, failed error: InputDeviceError) {
    switch error {
    case .vanished: return
    case .permissionDenied:
      // One cause for all devices, and one remedy.
      guard !isSwitchDenialLogged else { return }
      isSwitchDenialLogged = true
      journal.log(
        .warning,
        "\(error); the switches and keys of '\(device.name)' for rotation lock and tablet mode are ignored. The service's "
          + "user needs read access: the udev rule 60-orientationd.rules grants it with setfacl, and the unit needs "
          + "DeviceAllow=char-input r",
        id: "8a1f0c1d5b3e4c0c9f6f4be0a2d51c14", fields: ["INPUT_DEVICE": device.path])
    case .system:
      guard switchFailures.shouldLogEvent(error, at: .now) else { return }
      journal.log(
        .warning,
        "\(error); the switches and keys of '\(device.name)' for rotation lock and tablet mode are ignored",
        id: "8a1f0c1d5b3e4c0c9f6f4be0a2d51c15", fields: ["INPUT_DEVICE": device.path])
    }
  }

  /// There are more input devices with a switch or key of ours than are listened to; a device that comes again and again is rarely
  /// logged.
  func tooManyHardwareSwitches(_ device: InputDeviceDescription, limit: Int) {
    guard ignoredSwitches.shouldLogEvent(device, at: .now) else { return }
    journal.log(
      .warning,
      "\(device.path): '\(device.name)' is ignored: \(limit) devices already have a switch or key for rotation lock or "
        + "tablet mode", id: "8a1f0c1d5b3e4c0c9f6f4be0a2d51c16", fields: ["INPUT_DEVICE": device.path]
    )
  }

  /// An input device is listened to.
  func listens(to device: InputDeviceDescription) {
    verbose("listening to the switches and keys of \(device.path), '\(device.name)'")
  }

  /// Logs a step, if every step is wanted.
  func verbose(_ message: String) {
    guard verbosity == .verbose else { return }
    journal.log(.debug, message)
  }
}
