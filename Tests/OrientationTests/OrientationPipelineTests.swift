// SPDX-License-Identifier: Apache-2.0

import Orientation
import Testing

@Suite("The pipeline from sample to change")
struct OrientationPipelineTests {
  private var pipeline: OrientationPipeline { OrientationPipeline(transform: .identity) }

  @Test("the first sample gives the first state")
  func first() {
    for pose in axes {
      var pipeline = pipeline
      #expect(pipeline.process(at: 0, pose.axis)?.orientation == pose.orientation)
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

  @Test("turning the input by a quarter turns the answer")
  func quarterTurns() {
    var noise = Noise(seed: 7)
    var attitude = SIMD3(0.0, 1, 0)
    let walk = (0..<5000).map { _ in
      attitude += noise.vector(deviation: 0.15)
      attitude /= (attitude * attitude).sum().squareRoot()
      return attitude
    }
    var (straight, turned) = (pipeline, pipeline)
    let expected = straight.feed(walk)
    let found = turned.feed(walk.map { SIMD3($0.y, -$0.x, $0.z) })
    let quarter: [DeviceOrientation: DeviceOrientation] = [
      .portrait: .landscapeLeft, .landscapeLeft: .portraitUpsideDown, .portraitUpsideDown: .landscapeRight,
      .landscapeRight: .portrait, .faceUp: .faceUp, .faceDown: .faceDown,
    ]
    #expect(expected.count > 50)
    #expect(found.map(\.orientation) == expected.map { quarter[$0.orientation] })
    #expect(found.map(\.time) == expected.map(\.time))
  }

  @Test(
    "the hysteresis band is the same at every screen elevation",
    arguments: [60.0, 65, 70, 75, 80, 85, 90])
  func hysteresis(elevation: Double) throws {
    var pipeline = pipeline
    let steps = stride(from: 0.0, through: 90, by: 0.02)
    let forth = pipeline.feed(steps.map { held(elevation: elevation, roll: $0) })
    let back = pipeline.feed(steps.map { held(elevation: elevation, roll: 90 - $0) }, from: 4501 / 25)
    #expect(forth.map(\.orientation) == [.portrait, .landscapeLeft])
    #expect(back.map(\.orientation) == [.portrait])
    let there = try #require(forth.last).time.seconds(since: BootTime(nanoseconds: 0)) * 25 * 0.02
    let again =
      90 - (try #require(back.last).time.seconds(since: BootTime(nanoseconds: 0)) * 25 - 4501) * 0.02
    // 10 degrees past the border either way, and what the filter and the settling time take at 0.5 degrees a second.
    #expect(abs(there - 55) < 0.3, "\(there)")
    #expect(abs(again - 35) < 0.3, "\(again)")
  }

  @Test("a knock, a fall, and readings that are no numbers change nothing")
  func disturbances() {
    var pipeline = pipeline
    #expect(pipeline.feed(Array(repeating: SIMD3(0, 1, 0), count: 25)).count == 1)
    var readings = Array(repeating: SIMD3(0.0, 1, 0), count: 100)
    readings[10] = SIMD3(16, -16, 16)
    for tick in 40..<55 { readings[tick] = SIMD3(0.01, -0.02, 0.03) }
    readings[70] = SIMD3(.nan, 0, 0)
    readings[72] = SIMD3(.infinity, 0, 0)
    #expect(pipeline.feed(readings, from: 1).isEmpty)
  }

  @Test("a change that was under way is not decided by a gap in the samples")
  func gap() {
    var pipeline = pipeline
    _ = pipeline.feed(Array(repeating: SIMD3(0, 1, 0), count: 25))
    #expect(pipeline.process(at: 1, SIMD3(1, 0, 0)) == nil)
    #expect(pipeline.process(at: 9, SIMD3(1, 0, 0)) == nil)
    #expect(pipeline.feed(Array(repeating: SIMD3(1, 0, 0), count: 25), from: 9.04).count == 1)
  }
}
