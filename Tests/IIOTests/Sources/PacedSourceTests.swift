// SPDX-License-Identifier: Apache-2.0

import Orientation
import Testing

@testable import IIO

@Suite("A source that keeps its own time")
struct PacedSourceTests {
  /// Takes samples from a source, at whatever pace it gives them.
  private func take<Source: SampleSource & ~Copyable>(
    _ count: Int, from source: inout Source
  ) throws -> [Sample<SensorFrame>] {
    let wakeUp = try WakeUpEvent()
    return try (0..<count).compactMap { _ in try source.next(interruptedBy: wakeUp) }
  }

  @Test("plays a recording in order, with its time stamps, and then holds the last pose")
  func replay() throws {
    let text = "t_s,ax,ay,az\n7,1,0,0\n7.01,2,0,0\n7.03,3,0,0\n"
    var source = ReplaySource(try Recording(parsing: Array(text.utf8), path: "r.csv"))
    let samples = try take(5, from: &source)
    #expect(samples.map(\.acceleration.x) == [1, 2, 3, 3, 3])
    let offsets = samples.map { ($0.time.nanoseconds - samples[0].time.nanoseconds + 500_000) / 1_000_000 }
    #expect(Array(offsets.prefix(3)) == [0, 10, 30])
    #expect(offsets[3] > 30 && offsets[4] > offsets[3])
  }

  @Test("plays a recording as the hot loop sees it at the daemon's rate")
  func replayAtRate() throws {
    let lines = (0..<10).map { "\(Double($0) / 200),\($0),0,0\n" }.joined()
    let recording = try Recording(parsing: Array(("t_s,ax,ay,az\n" + lines).utf8), path: "r.csv")
    var source = ReplaySource(recording, rate: 50)
    #expect(source.sampleRate == 50)
    #expect(try take(4, from: &source).map(\.acceleration.x) == [0, 4, 8, 8])
  }

  @Test("ends its wait when it is woken up")
  func wakeUp() throws {
    let wakeUp = try WakeUpEvent()
    var source = SimulatedSource(rate: 0.001)
    #expect(try source.next(interruptedBy: wakeUp) != nil)
    wakeUp.signal()
    #expect(try source.next(interruptedBy: wakeUp) == nil)
  }

  @Test("simulates a tablet that goes through the six poses, a right angle at a time")
  func simulated() {
    let step = SimulatedSource.holdTime + SimulatedSource.turnTime
    var poses: [[Double]] = []
    for number in 0..<12 {
      let start = Double(number) * step
      let held = SimulatedSource.acceleration(atSeconds: start + 0.1)
      #expect(held == SimulatedSource.acceleration(atSeconds: start + SimulatedSource.holdTime - 0.1))
      poses.append([held.x, held.y, held.z])
      let turning = SimulatedSource.acceleration(atSeconds: start + SimulatedSource.holdTime + 0.5)
      #expect(abs(turning.magnitudeSquared - standardGravity * standardGravity) < 1e-9)
    }
    #expect(Set(poses).count == 6)
    #expect(Array(poses[..<6]) == Array(poses[6...]))
    #expect(poses[0] == [0, standardGravity, 0])
  }

  @Test("simulates a noise that moves every sample a little")
  func noise() throws {
    var source = SimulatedSource(rate: 1000)
    let samples = try take(20, from: &source)
    #expect(Set(samples.map(\.acceleration.y)).count == 20)
    #expect(samples.allSatisfy { abs($0.acceleration.y - standardGravity) <= SimulatedSource.noise })
    #expect(samples.allSatisfy { abs($0.acceleration.x) <= SimulatedSource.noise })
  }

  @Test("ticks at its rate, and skips the ticks that it missed")
  func ticks() {
    var ticker = Ticker(rate: 25, start: BootTime(nanoseconds: 0))
    #expect(ticker.nextTick.nanoseconds == 0)
    ticker.advance(now: BootTime(nanoseconds: 1_000_000))
    #expect(ticker.nextTick.nanoseconds == 40_000_000)
    ticker.advance(now: BootTime(nanoseconds: 79_999_999))
    #expect(ticker.nextTick.nanoseconds == 80_000_000)
    // A read of 7 seconds, as real HID hubs have them.
    ticker.advance(now: BootTime(nanoseconds: 7_080_000_000))
    #expect(ticker.nextTick.nanoseconds == 7_120_000_000)
  }

  @Test("survives rates that make no sense", arguments: [0, -1, .nan, .infinity, 1e300, 1e-300])
  func oddRates(_ rate: Double) {
    var ticker = Ticker(rate: rate, start: BootTime(nanoseconds: 0))
    ticker.advance(now: BootTime(nanoseconds: 1))
    #expect(ticker.nextTick.nanoseconds >= 1000)
    #expect(ticker.nextTick.nanoseconds <= 60_000_000_000)
  }
}
