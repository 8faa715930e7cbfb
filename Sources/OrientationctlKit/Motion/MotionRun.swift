// SPDX-License-Identifier: Apache-2.0

import DaemonClient
import Following
import Monitoring
import Orientation
import OrientationClient
import Systemd

/// Prints the samples of a motion sensor until a stop condition is met.
final class MotionRun {
  private let command: MotionCommand
  private let loop: EventLoop
  private var stopConditions: StopConditions?
  private var session: MotionSession?
  private var printed = 0
  /// The samples that were lost before the next one that is printed.
  private var lost = 0
  /// Why there are no samples, as it was last written; nil since the last sample.
  private var obstacle: String?

  /// The samples for a picture.
  private(set) var kept = KeptSamples()
  /// Why the command has failed; nil if it has not.
  private(set) var failure: CommandError?

  /// Creates a run that is not connected yet.
  ///
  /// - Parameter command: what to print.
  /// - Throws: ``CommandError`` if there are no descriptors left.
  init(_ command: MotionCommand) throws(CommandError) {
    self.command = command
    loop = try inEventLoop { () throws(SystemdError) in try EventLoop() }
    try inEventLoop { () throws(SystemdError) in
      stopConditions = try StopConditions(loop: loop, seconds: command.duration.seconds) { [unowned self] in
        ended(isTimeUp: $0)
      }
    }
    session = MotionSession(
      path: command.socket, requests: [.start(command.sensor.streamed, interval: command.interval)],
      loop: loop
    ) { [unowned self] in handle($0) }
  }

  /// Prints samples; ``failure`` says if that was in vain.
  ///
  /// - Throws: ``CommandError`` if the loop does not work.
  func run() throws(CommandError) {
    session?.connect()
    try inEventLoop { () throws(SystemdError) in try loop.run() }
    session = nil
  }

  private func handle(_ event: MotionSession.Event) {
    switch event {
    case .unavailable(let error):
      guard failure == nil else { return }
      note(error.obstacleToMotion, error.kind == .daemonUnavailable ? waitingForDaemon : "trying again")
    case .record(let record):
      guard record.sensor == command.sensor.streamed else { return }
      lost += Int(record.lost)
      switch record.content {
      case .sample(let x, let y, let z): take([Double(x), Double(y), Double(z)], at: record.time)
      case .state(let state): enter(state)
      }
    }
  }

  private func take(_ vector: SIMD3<Double>, at time: BootTime) {
    let line = command.output.isJSON ? json(vector, at: time).text : text(vector, at: time)
    if lost > 0, !command.output.isJSON {
      Report.note("\(lost) \(lost == 1 ? "sample was" : "samples were") lost")
    }
    lost = 0
    printed += 1
    obstacle = nil
    if command.plot != nil { kept.add((time, SIMD3(vector))) }
    do throws(OutputError) {
      try StandardOutput.write(line + "\n")
    } catch {
      if case .failed = error { failure = CommandError(error.description) }
      loop.exit(0)
    }
  }

  private func text(_ vector: SIMD3<Double>, at time: BootTime) -> String {
    let numbers = [vector.x, vector.y, vector.z].map { number in
      let text = decimal(number, places: 3)
      return String(repeating: " ", count: max(0, 8 - text.count)) + text
    }
    return ([WallTime(time).timeOfDay] + numbers).joined(separator: " ")
  }

  private func json(_ vector: SIMD3<Double>, at time: BootTime) -> JSON {
    let name =
      switch command.sensor {
      case .accelerometer: "acceleration_m_s2"
      case .gravity: "gravity_m_s2"
      case .gyroscope: "rotation_rate_rad_s"
      }
    return .object([
      ("sensor", .string(command.sensor.rawValue)), ("time", .string(WallTime(time).rfc3339)),
      ("boottime_ns", .integer(time.nanoseconds)), ("lost", .integer(Int64(lost))),
      // Single precision: more digits would be made up.
      (name, JSON((vector * 1e5).rounded(.toNearestOrEven) / 1e5)),
    ])
  }

  private func enter(_ state: MotionState) {
    let part = command.sensor == .gyroscope ? "gyroscope" : "accelerometer"
    switch state {
    case .noSensor: note("there is no \(part)", "waiting for one")
    case .failed: note("the \(part) cannot be read (see the journal)", "orientationd tries again")
    case .suspended: note("the device is about to sleep", "waiting until it is awake")
    case .denied where printed == 0:
      failure = .motionDenied
      loop.exit(0)
    case .denied: note("reading motion is not allowed at present", "waiting until it is")
    case .starting, .active, .waiting, .stopped, .limitsExceeded, .invalidRequest: break
    }
  }

  /// What happens without a daemon.
  ///
  /// systemd has the daemon's socket also while the daemon does not run.
  private var waitingForDaemon: String {
    guard command.socket == MotionCommand.daemonSocket else { return "waiting for it" }
    return "waiting for it (systemctl enable --now orientationd-motion.socket)"
  }

  /// Writes why there are no samples, and what happens now, unless that was the last message.
  private func note(_ reason: String, _ consequence: String) {
    guard reason != obstacle else { return }
    obstacle = reason
    Report.note("\(reason); \(consequence)")
  }

  private func ended(isTimeUp: Bool) {
    if isTimeUp, printed == 0 {
      failure = CommandError("there was no sample during that time\(obstacle.map { ": \($0)" } ?? "")")
    }
    loop.exit(0)
  }
}

extension OrientationError {
  /// Why there is no motion, for a person: if nobody listens at its socket, the daemon may run all the same.
  var obstacleToMotion: String {
    guard kind == .daemonUnavailable else { return "\(self)" }
    return self == .ended ? "orientationd has ended" : "nobody listens at \(message)"
  }
}

extension CommandError {
  /// The daemon does not let this program read motion.
  static let motionDenied = CommandError(
    "reading motion is not allowed: run this in the session on the screen, or as root (AUTHORIZATION in orientationd-motion(5))"
  )
}
