// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@testable import Orientation

private typealias Reading = SIMD3<Double>

/// What is said of readings in units of standard gravity, looked at four times a second.
private func verdicts(on readings: [Reading]) -> [SignsOfLife.Verdict] {
  var signs = SignsOfLife()
  return readings.enumerated().map { index, reading in
    let read = reading * standardGravity
    return signs.verdict(
      on: Sample(
        time: BootTime(nanoseconds: Int64(index + 1) * 250_000_000),
        acceleration: Acceleration(x: read.x, y: read.y, z: read.z)))
  }
}

/// Some seconds of a reading, with noise.
private func constant(_ reading: Reading, seconds: Double = 3, deviation: Double = 0) -> [Reading] {
  var noise = SensorNoise(deviation: deviation, seed: 7)
  return (0..<Int(seconds * 4)).map { _ in reading + noise.next() }
}

@Suite("The signs of life of a sensor")
struct SignsOfLifeTests {
  private static let lifeless: [Reading] = [
    Reading(0, 0, 0), Reading(2, 2, 2), Reading(-32.768, 32.767, 0), Reading(0, 0, 70), Reading(0, 0.005, 0),
    Reading(.nan, 0, 1), Reading(.infinity, 0, 0), Reading(0, -.infinity, .nan), Reading(0, 0, 1e30),
  ]

  @Test("end with a second and a half of a constant that is no gravity, and not before", arguments: lifeless)
  private func lifelessConstant(reading: Reading) {
    let said = verdicts(on: constant(Reading(0, 1, 0), seconds: 1) + constant(reading))
    #expect(said[..<4].allSatisfy { $0 == .alive })
    #expect(said[4..<10].allSatisfy { $0 == .doubtful })
    #expect(said[10...].allSatisfy { $0 == .dead })
  }

  @Test("are not in the noise of such a constant", arguments: [Reading(0, 0, 0), Reading(0, 0, 1000)])
  private func noise(reading: Reading) {
    let said = verdicts(on: constant(reading, deviation: max(0.002, reading.z * 0.01)))
    #expect(said.last == .dead)
  }

  @Test(
    "are in all that gravity may be, however badly the chip is calibrated, and however still it lies",
    arguments: [
      Reading(0, 1, 0), Reading(0.61, 0, 0), Reading(0, 0, -1.49), Reading(0.5, 0.5, 0.5), Reading(0, 0, 9.8),
      Reading(0, 0.1, 0), Reading(0.02, 0.01, 0), Reading(0, 40, 3),
    ])
  private func gravity(reading: Reading) {
    #expect(verdicts(on: constant(reading, seconds: 60)).allSatisfy { $0 == .alive })
  }

  @Test("are in zeros, once it is known that one axis is dead because the others have moved")
  func deadAxis() {
    let before = constant(Reading(0, 0, 0))
    let turn = [Reading(0, 1, 0), Reading(0.1, 0.9, 0)]
    #expect(verdicts(on: before).last == .dead)
    #expect(verdicts(on: turn + before).last == .dead)
    #expect(verdicts(on: turn + [Reading(0.9, 0.3, 0)] + before).allSatisfy { $0 == .alive })
    // All axes move: zeros are no gravity.
    #expect(verdicts(on: turn + [Reading(0.9, 0.3, 0.1)] + before).last == .dead)
  }

  @Test("are in a fall and in a shake, which end or change")
  func motion() {
    let fall = constant(Reading(0, 0, 1), seconds: 1) + constant(Reading(0, 0, 0.01), seconds: 1.4)
    #expect(!verdicts(on: fall + constant(Reading(0, 0, 3), seconds: 0.25) + fall).contains(.dead))
    let shake = (0..<40).map { Reading(0, $0 % 2 == 0 ? 2.5 : -2, 0.3) }
    #expect(!verdicts(on: shake).contains(.dead))
    #expect(verdicts(on: shake).last == .alive)
  }

  @Test("are back with the first reading that may be gravity")
  func recovery() {
    let said = verdicts(on: constant(Reading(0, 0, 0)) + [Reading(0, 1, 0), Reading(0, 0, 0)])
    #expect(said.suffix(3) == [.dead, .alive, .doubtful])
  }

  @Test("are wanted before a tablet may rest")
  func rest() {
    var pipeline = OrientationPipeline(transform: .identity)
    func feed(_ z: Double, from start: Int, samples: Int) {
      for index in start..<(start + samples) {
        _ = pipeline.process(
          Sample(
            time: BootTime(nanoseconds: Int64(index) * 40_000_000),
            acceleration: Acceleration(x: 0, y: 0, z: z * standardGravity)))
      }
    }
    func place(_ z: Double) -> Rest {
      Rest(
        at: Acceleration(x: 0, y: 0, z: z * standardGravity), tolerance: Rest.leastTolerance * standardGravity
      )
    }
    feed(1, from: 1, samples: 25)
    #expect(pipeline.isSettled(at: place(1)))
    // A chip with a range of 2 g, saturated: it speaks for no other orientation.
    feed(2, from: 26, samples: 10)
    #expect(!pipeline.isSettled(at: place(2)))
  }
}
