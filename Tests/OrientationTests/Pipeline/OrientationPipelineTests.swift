// SPDX-License-Identifier: Apache-2.0

import Orientation
import TestSupport
import Testing

@Suite("The pipeline from sample to change")
struct OrientationPipelineTests {
  private var pipeline: OrientationPipeline { OrientationPipeline(transform: .identity) }

  @Test("nothing is reported before a tenth of a second, and a clear pose right after it")
  func clearFirstReport() throws {
    for pose in axes {
      var pipeline = pipeline
      let changes = pipeline.feed(Array(repeating: pose.axis, count: 25))
      #expect(changes.map(\.orientation) == [pose.orientation])
      #expect(try #require(changes.first).seconds.isClose(to: 0.12, within: 0.001))
    }
  }

  @Test("whatever the attitude, the first report comes within half a second, at any rate", arguments: rates)
  func firstReport(rate: Double) throws {
    var noise = Noise(seed: 3)
    for _ in 0..<500 {
      var pipeline = pipeline
      let attitude = noise.direction()
      let readings = (0..<Int(rate)).map { _ in attitude + noise.vector(deviation: 0.05) }
      let report = try #require(pipeline.feed(readings, hertz: rate).first)
      #expect(report.seconds <= 0.5 + 1 / rate + 1e-6)
    }
  }

  @Test("a sensor that shows nothing of gravity gets no report", arguments: rates)
  func noGravity(rate: Double) {
    for reading in [SIMD3(0.0, 0, 0), SIMD3(0, 0.005, 0), SIMD3(2, 2, -2), SIMD3(.nan, 1, 0)] {
      var pipeline = pipeline
      #expect(pipeline.feed(Array(repeating: reading, count: Int(10 * rate)), hertz: rate).isEmpty)
      // And once it shows it, the report is of that alone.
      let reports = pipeline.feed(Array(repeating: SIMD3(0, 0, -1), count: 250), from: 10)
      #expect(reports.map(\.orientation) == [.faceDown])
    }
  }

  @Test("gravity is what a resting sensor reads")
  func gravity() {
    var (pipeline, noise) = (pipeline, Noise(seed: 5))
    #expect(pipeline.gravity == Acceleration(x: 0, y: 0, z: 0))
    for start in stride(from: 0.0, to: 100, by: 10) {
      let attitude = noise.direction()
      _ = pipeline.feed(Array(repeating: attitude, count: 100), from: start)
      let error = pipeline.gravity.vector - attitude * standardGravity
      #expect((error * error).sum() < 1e-10)
    }
  }

  @Test("from any orientation that it is made to assume, it goes to the true one in one change")
  func assumedOrientation() {
    for assumed in axes {
      var pipeline = pipeline
      _ = pipeline.feed(Array(repeating: SIMD3(0, 1, 0), count: 25))
      pipeline.assume(assumed.orientation)
      let changes = pipeline.feed(Array(repeating: SIMD3(0, 1, 0), count: 25), from: 1)
      #expect(changes.map(\.orientation) == (assumed.orientation == .portrait ? [] : [.portrait]))
    }
  }

  @Test("from any pose to any other, exactly one change is announced, dated by its sample")
  func everyTurn() throws {
    for start in axes {
      for end in axes where end.orientation != start.orientation {
        var pipeline = pipeline
        let turn = Array(repeating: start.axis, count: 25) + Array(repeating: end.axis, count: 25)
        let changes = pipeline.feed(turn)
        #expect(changes.map(\.orientation) == [start.orientation, end.orientation])
        let last = try #require(changes.last)
        #expect(last.time > BootTime(nanoseconds: 1_000_000_000))
        #expect(last.time < BootTime(nanoseconds: 2_000_000_000))
      }
    }
  }

  @Test("a change that was under way is not decided by a gap in the samples")
  func gap() {
    var pipeline = pipeline
    _ = pipeline.feed(Array(repeating: SIMD3(0, 1, 0), count: 25))
    #expect(pipeline.process(at: 1, SIMD3(1, 0, 0)) == nil)
    #expect(pipeline.process(at: 9, SIMD3(1, 0, 0)) == nil)
    #expect(
      pipeline.feed(Array(repeating: SIMD3(1, 0, 0), count: 25), from: 9.04).map(\.orientation) == [
        .landscapeLeft
      ])
  }

  @Test("time that goes back starts the filter anew, and what was announced stays")
  func timeGoesBack() {
    var pipeline = pipeline
    _ = pipeline.feed(Array(repeating: SIMD3(0, 1, 0), count: 25), from: 100)
    #expect(pipeline.feed(Array(repeating: SIMD3(0, 1, 0), count: 25), from: 5).isEmpty)
    #expect(
      pipeline.feed(Array(repeating: SIMD3(1, 0, 0), count: 25), from: 6).map(\.orientation) == [
        .landscapeLeft
      ])
  }

  @Test("a sample that comes twice counts once")
  func repeatedSample() {
    var (once, twice) = (pipeline, pipeline)
    let turn = Array(repeating: SIMD3(0.0, 1, 0), count: 25) + Array(repeating: SIMD3(1.0, 0, 0), count: 25)
    let expected = once.feed(turn)
    var found: [OrientationChange] = []
    for (tick, reading) in turn.enumerated() {
      for _ in 0..<2 {
        if let change = twice.process(at: Double(tick) / 25, reading) { found.append(change) }
      }
    }
    #expect(found == expected)
  }
}
