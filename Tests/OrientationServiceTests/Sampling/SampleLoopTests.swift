// SPDX-License-Identifier: Apache-2.0

import IIO
import Orientation
import Testing

@testable import OrientationService

/// A tablet that lies upright until it is left alone, is turned to its left edge a minute later, and vanishes 4 s after.
private struct RestingTablet: SampleSource, ~Copyable {
  let sampleRate = 25.0
  private(set) var rests = 0
  private var time = BootTime(nanoseconds: 1_000_000_000)
  private var end: BootTime?
  private var acceleration = Acceleration<SensorFrame>(x: 0, y: 9.8, z: 0)

  mutating func next(interruptedBy wakeUp: borrowing WakeUpEvent) throws(SourceError) -> Sample<SensorFrame>?
  {
    guard time < end ?? BootTime(nanoseconds: 20_000_000_000) else { throw .vanished(device: "tablet") }
    time = time.advanced(bySeconds: 0.04)
    return Sample(time: time, acceleration: acceleration)
  }

  mutating func next(
    leaving rest: Rest, interruptedBy wakeUp: borrowing WakeUpEvent
  ) throws(SourceError) -> Sample<SensorFrame>? {
    rests += 1
    #expect(rest.holds(acceleration))
    time = time.advanced(bySeconds: 60)
    guard rests == 1 else { throw .vanished(device: "tablet") }
    end = time.advanced(bySeconds: 4)
    acceleration = Acceleration(x: -9.8, y: 0, z: 0)
    return Sample(time: time, acceleration: acceleration)
  }
}

@Suite("The hot loop")
struct SampleLoopTests {
  /// What is told of a tablet, until it vanishes.
  private func changes(restingBy detector: RestDetector?, of source: inout RestingTablet) throws
    -> [OrientationChange]
  {
    let link = try SamplerLink()
    var pipeline = OrientationPipeline(transform: .identity)
    var signs: SignsOfLife? = SignsOfLife()
    do {
      try SampleLoop.run(&source, through: &pipeline, watching: &signs, restingBy: detector, for: 1, to: link)
    } catch {
      #expect(error == .vanished(device: "tablet"))
    }
    var changes: [OrientationChange] = []
    link.thread.drain { event in
      if case .changed(1, let change) = event { changes.append(change) }
    }
    return changes
  }

  @Test("leaves a still sensor to itself, and takes its first movement as the end of a rest, not of a gap")
  func rests() throws {
    var source = RestingTablet()
    let changes = try changes(restingBy: RestDetector(), of: &source)
    #expect(changes.map(\.orientation) == [.portrait, .landscapeRight])
    #expect(source.rests == 2)
    // Upright at 1.12 s, at rest a second later, turned after a minute, and believed as soon as ever.
    let delay = try #require(changes.last).time.seconds(since: BootTime(nanoseconds: 62_200_000_000))
    #expect(delay > 0 && delay < 0.4)
  }

  @Test("reports the tilt only while it is watched, and each once", arguments: [true, false])
  func tilts(isWatched: Bool) throws {
    let link = try SamplerLink()
    link.tilt.turn(on: isWatched)
    var source = RestingTablet()
    var pipeline = OrientationPipeline(transform: .identity)
    var signs: SignsOfLife? = SignsOfLife()
    #expect(throws: SourceError.self) {
      try SampleLoop.run(&source, through: &pipeline, watching: &signs, restingBy: nil, for: 1, to: link)
    }
    var tilts: [ScreenTilt] = []
    link.thread.drain { event in
      if case .leans(1, let tilt) = event { tilts.append(tilt) }
    }
    #expect(tilts == (isWatched ? [.vertical] : []))
  }

  @Test("without a pace goes on at the full rate")
  func constant() throws {
    var source = RestingTablet()
    #expect(try changes(restingBy: nil, of: &source).map(\.orientation) == [.portrait])
    #expect(source.rests == 0)
  }
}
