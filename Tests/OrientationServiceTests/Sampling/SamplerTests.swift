// SPDX-License-Identifier: Apache-2.0

import IIO
import Orientation
import TestSupport
import Testing

@testable import OrientationService
@testable import SensorSetup

/// What a sampler said: the cases of its events, without what varies.
private enum Said: Equatable {
  case found(String?)
  case absent(SourceError)
  case delivering(SamplingSession, rate: Double)
  case changed(SamplingSession, DeviceOrientation)
  case leans
  case buffered
  case bufferWorks
  case unreadable
  case motionEventsLost
  case gravityLength(Double)
  case released
  case failed(SamplingSession, SourceError)

  init(_ event: SamplerEvent) {
    self =
      switch event {
      case .found(let scan): scan.absence.map(Said.absent) ?? .found(scan.sensor?.name)
      case .delivering(let session, let rate): .delivering(session, rate: rate)
      case .changed(let session, let change): .changed(session, change.orientation)
      case .leans: .leans
      case .buffered: .buffered
      case .bufferWorks: .bufferWorks
      case .unreadable: .unreadable
      case .motionEventsLost: .motionEventsLost
      case .gravityLength(_, let length): .gravityLength(length)
      case .released: .released
      case .failed(let session, let error): .failed(session, error)
      }
  }
}

/// A sampler with everything that it has said.
private final class ListenedSampler {
  let sampler: Sampler
  private(set) var said: [Said] = []

  init(sensor: SensorRequest, rate: Double = 200) throws {
    var configuration = Configuration()
    configuration.sensor = sensor
    configuration.sampleRate = rate
    sampler = try Sampler(configuration: configuration)
    try sampler.launch()
  }

  deinit {
    sampler.worker.stop()
    _ = sampler.worker.waitForEnd(until: .now.advanced(bySeconds: 10))
  }

  /// Listens until it has said something, or for 10 s, which is a failure.
  func wait(for expected: Said) {
    while !said.contains(expected) {
      guard sampler.worker.link.reports.arrived.wait(until: .now.advanced(bySeconds: 10)) == .signalled else {
        Issue.record("not said: \(expected); but \(said)")
        return
      }
      sampler.worker.link.drain { said.append(Said($0)) }
    }
  }
}

@Suite("The sampler thread")
struct SamplerTests {
  private let folder: TemporaryFolder
  private let path: String

  init() throws {
    folder = try TemporaryFolder()
    // 1 s upright, then on its left edge.
    let lines = (0..<400).map { "\(Double($0) / 200),\($0 < 200 ? "0,9.8,0" : "-9.8,0,0")" }
    path = try folder.write((["t_s,ax,ay,az"] + lines).joined(separator: "\n"), to: "recording.csv")
  }

  @Test("looks for the sensor, and samples only once it is started: what it says comes in order")
  func order() throws {
    let listened = try ListenedSampler(sensor: .replay(path: path))
    listened.wait(for: .found("replay of \(path)"))
    #expect(listened.said.count == 1)
    listened.sampler.start()
    listened.wait(for: .changed(1, .landscapeRight))
    #expect(
      listened.said == [
        .found("replay of \(path)"), .delivering(1, rate: 200), .changed(1, .portrait),
        .changed(1, .landscapeRight),
      ])
  }

  @Test("shows the gravity while it samples, and forgets it when it is stopped")
  func gravity() throws {
    let listened = try ListenedSampler(sensor: .replay(path: path))
    listened.sampler.start()
    listened.wait(for: .changed(1, .portrait))
    #expect(listened.sampler.link.gravity.value == Acceleration(x: 0, y: 9.8, z: 0))
    listened.sampler.stop()
    listened.sampler.worker.stop()
    #expect(listened.sampler.worker.waitForEnd(until: .now.advanced(bySeconds: 10)))
    #expect(listened.sampler.link.gravity.value == Acceleration(x: 0, y: 0, z: 0))
  }

  @Test("starts again under a new session, from the beginning")
  func again() throws {
    let listened = try ListenedSampler(sensor: .replay(path: path))
    listened.sampler.start()
    listened.wait(for: .changed(1, .portrait))
    listened.sampler.stop()
    listened.sampler.start()
    listened.wait(for: .changed(2, .portrait))
    #expect(listened.sampler.session == 2)
  }

  @Test("goes by another configuration in the same session: another rate, another sensor")
  func reconfigured() throws {
    let listened = try ListenedSampler(sensor: .simulated, rate: 50)
    listened.sampler.start()
    listened.wait(for: .delivering(1, rate: 50))
    var configuration = Configuration()
    (configuration.sensor, configuration.sampleRate) = (.simulated, 100)
    listened.sampler.reconfigure(configuration)
    listened.wait(for: .delivering(1, rate: 100))
    configuration.pipeline.responsiveness = .quick
    listened.sampler.reconfigure(configuration)
    configuration.sensor = .replay(path: path)
    listened.sampler.reconfigure(configuration)
    listened.wait(for: .found("replay of \(path)"))
    listened.wait(for: .changed(1, .landscapeRight))
    let rates = listened.said.filter { if case .delivering = $0 { true } else { false } }
    #expect(rates == [.delivering(1, rate: 50), .delivering(1, rate: 100), .delivering(1, rate: 100)])
  }

  @Test("stopped, it tells when the sensor is released; never started, it has nothing to tell")
  func release() throws {
    let listened = try ListenedSampler(sensor: .replay(path: path))
    listened.sampler.start()
    listened.wait(for: .changed(1, .portrait))
    #expect(!listened.said.contains(.released))
    listened.sampler.stop()
    listened.wait(for: .released)
  }

  @Test("tells of a recording that cannot be played, and ends all the same")
  func failure() throws {
    let missing = "\(folder.path)/missing.csv"
    let listened = try ListenedSampler(sensor: .replay(path: missing))
    listened.wait(for: .absent(.unreadableRecording(reason: "\(missing): does not exist")))
    listened.sampler.start()
    listened.sampler.worker.stop()
    #expect(listened.sampler.worker.waitForEnd(until: .now.advanced(bySeconds: 10)))
  }
}
