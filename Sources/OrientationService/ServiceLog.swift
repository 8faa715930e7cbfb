// SPDX-License-Identifier: Apache-2.0

// What the journal sees, and nothing else writes to it. At run time it is silent unless something misbehaves; each kind
// of message has an id of its own, so that `journalctl MESSAGE_ID=...` finds it.

import IIO
import Orientation
import Systemd

/// The service's words for the journal.
public final class ServiceLog {
  private let journal = Journal(identifier: "orientationd")
  /// Whether each change, client and session is logged too.
  public var verbosity = Options.Verbosity.normal

  private var lastSurvey: SensorSurvey?
  private var lastFailure: SourceError?
  private var lastFallback: SourceError?

  /// Creates the log of a service.
  public init() {}

  /// A line of the configuration was passed over.
  public func problem(_ problem: ConfigurationProblem) {
    journal.log(
      .warning, "\(problem)", id: "8a1f0c1d5b3e4c0c9f6f4be0a2d51c01",
      fields: ["CONFIG_FILE": problem.path, "CONFIG_LINE": "\(problem.line ?? 0)"])
  }

  /// The daemon cannot start or go on.
  public func fatal(_ reason: String) {
    journal.log(.error, reason, id: "8a1f0c1d5b3e4c0c9f6f4be0a2d51c02")
  }

  /// Something could not be sent.
  func cannotAnnounce(_ error: BusError) {
    journal.log(.warning, "a change could not be announced: \(error)", id: "8a1f0c1d5b3e4c0c9f6f4be0a2d51c04")
  }

  /// The sensor hangs at the end.
  func samplerHangs() {
    journal.log(
      .warning, "the sensor's driver does not answer; exiting without closing it",
      id: "8a1f0c1d5b3e4c0c9f6f4be0a2d51c06")
  }

  /// A client wants notifications.
  func clientBegan(_ client: String) {
    verbose("client \(client) begins")
  }

  /// A client wants one notification less.
  func clientEnded(_ client: String) {
    verbose("client \(client) ends")
  }

  /// A change was told.
  func announced(_ orientation: DeviceOrientation) {
    verbose("orientation \(orientation.name)")
  }

  /// The sampler has something to say; what it said before is not repeated.
  func sampler(said event: SamplerEvent) {
    switch event {
    case .found(let survey):
      guard survey != lastSurvey else { return }
      lastSurvey = survey
      found(survey)
    case .delivering(_, let sampleRate):
      verbose("the sensor delivers at \(sampleRate) Hz")
      guard lastFailure != nil else { return }
      lastFailure = nil
      journal.log(.notice, "the sensor works again", id: "8a1f0c1d5b3e4c0c9f6f4be0a2d51c07")
    case .buffered(_, let error):
      guard error != lastFallback else { return }
      lastFallback = error
      journal.log(.notice, "\(error); polling it instead", id: "8a1f0c1d5b3e4c0c9f6f4be0a2d51c08")
    case .failed(_, let error):
      guard error != lastFailure else { return }
      lastFailure = error
      journal.log(
        .warning, "the sensor does not work: \(error); it is tried again now and then",
        id: "8a1f0c1d5b3e4c0c9f6f4be0a2d51c09")
    case .changed: return
    }
  }

  private func found(_ survey: SensorSurvey) {
    for warning in survey.warnings {
      journal.log(.warning, warning, id: "8a1f0c1d5b3e4c0c9f6f4be0a2d51c0a")
    }
    if let absence = survey.absence {
      let outlook = if case .ambiguousSensor = absence { "none is used" } else { "waiting for one to appear" }
      journal.log(.notice, "\(absence); \(outlook)", id: "8a1f0c1d5b3e4c0c9f6f4be0a2d51c0b")
    }
    guard let sensor = survey.sensor else { return }
    journal.log(
      .info, "accelerometer \(sensor.name): \(sensor.reason)", id: "8a1f0c1d5b3e4c0c9f6f4be0a2d51c0c",
      fields: ["SENSOR": sensor.name])
    guard sensor.origin == .simulation else { return }
    journal.log(
      .notice, "SIMULATED: the orientations announced are those of no real tablet",
      id: "8a1f0c1d5b3e4c0c9f6f4be0a2d51c0d")
  }

  private func verbose(_ message: String) {
    guard verbosity == .verbose else { return }
    journal.log(.debug, message)
  }
}
