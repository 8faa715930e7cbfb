// SPDX-License-Identifier: Apache-2.0

import Glibc
import TestSupport
import Testing

@testable import Orientation

@Suite("A chip that hisses")
struct NoisyChipTests {
  /// How late each turn of people who turn the tablet all the time was announced, from its end, in seconds, the least first;
  /// without the first turns, before which the noise is not known yet.
  private func delays(noise: Double, hertz: Double) -> [Double] {
    (1...(hertz > 50 ? 40 : 120)).flatMap { seed in
      var fidgeting = Fidgeting(seed: UInt64(seed), rests: 1...1.7, noise: noise)
      return fidgeting.delays(hertz: hertz).dropFirst(3)
    }.sorted()
  }

  @Test(
    "with 50 mg of noise, 95 of 100 turns are announced within 0.4 s of their end",
    arguments: [25.0, 100, 200])
  func fifty(hertz: Double) {
    let delays = delays(noise: 0.05, hertz: hertz)
    #expect(delays[delays.count * 95 / 100] <= 0.4)
  }

  @Test(
    "with 100 mg of noise, 95 of 100 turns are announced within 0.6 s of their end",
    arguments: [25.0, 100, 200])
  func hundred(hertz: Double) {
    let delays = delays(noise: 0.1, hertz: hertz)
    #expect(delays[delays.count * 95 / 100] <= 0.6)
  }

  /// The noise floor after readings, in g at a rate.
  private func floor(
    after readings: some Sequence<SIMD3<Double>>, hertz: Double, startingWith known: NoiseFloor = NoiseFloor()
  ) -> NoiseFloor {
    let filter = GravityFilter(timeConstant: 0.03)
    var floor = known
    var block = BlockSums()
    for (index, reading) in readings.enumerated() {
      let force = Force(Float(reading.x), Float(reading.y), Float(reading.z), 0)
      guard index > 0 else {
        block.start(at: force)
        continue
      }
      guard block.add(force, elapsed: Float(1 / hertz)) else { continue }
      floor.learn(from: block, through: filter)
      block.reset()
    }
    return floor
  }

  private func hiss(_ deviation: Double, seconds: Double, hertz: Double) -> [SIMD3<Double>] {
    var noise = SensorNoise(deviation: deviation, seed: 41)
    return (0..<Int(seconds * hertz)).map { _ in held(elevation: 60, roll: 10) + noise.next() }
  }

  @Test(
    "the noise is learned within ten seconds, to a third", arguments: [25.0, 50, 100, 200], [0.02, 0.05, 0.1])
  func learned(hertz: Double, deviation: Double) {
    let floor = floor(after: hiss(deviation, seconds: 10, hertz: hertz), hertz: hertz)
    let expected = Float(3 * deviation * deviation)
    #expect(floor.variance > expected * 2 / 3 && floor.variance < expected * 4 / 3)
  }

  @Test(
    "in motion that lasts it hides nothing: after a second and a half it is taken off nothing",
    arguments: [25.0, 100])
  func moving(hertz: Double) {
    let loud = floor(after: hiss(0.1, seconds: 10, hertz: hertz), hertz: hertz)
    let swinging = hiss(0.1, seconds: 2, hertz: hertz).enumerated().map { index, reading in
      reading + SIMD3(0.5 * sin(2 * .pi * 1.5 * Double(index) / hertz), 0, 0)
    }
    let inMotion = floor(after: swinging, hertz: hertz, startingWith: loud)
    #expect(loud.unrest > 0 && loud.squaredMove > 0)
    #expect(inMotion.unrest == 0 && inMotion.squaredMove == 0)
  }

  @Test("it is forgotten within four seconds if the sensor is quiet", arguments: [25.0, 100])
  func forgotten(hertz: Double) {
    let loud = floor(after: hiss(0.1, seconds: 10, hertz: hertz), hertz: hertz)
    let quiet = floor(after: hiss(0.002, seconds: 4, hertz: hertz), hertz: hertz, startingWith: loud)
    #expect(loud.variance > 0.02 && quiet.variance < 0.002)
  }

  @Test(
    "a tablet that is shaken at up to 5 Hz is not taken for a noisy sensor",
    arguments: [25.0, 50, 100], [0.5, 1, 2, 3.5, 5])
  func shaken(hertz: Double, frequency: Double) {
    var directions = Noise(seed: 43)
    for strength in [0.05, 0.1, 0.3, 1] {
      let push = directions.direction() * strength
      let readings = hiss(0.003, seconds: 20, hertz: hertz).enumerated().map { index, reading in
        reading + push * sin(2 * .pi * frequency * Double(index) / hertz)
      }
      #expect(floor(after: readings, hertz: hertz).variance < 0.0005, "\(strength) g")
    }
  }

  @Test(
    "the noise of a sensor slower than 17 Hz is not learned, as a swing of the arm looks like noise there",
    arguments: [5.0, 10, 16])
  func slow(hertz: Double) {
    #expect(floor(after: hiss(0.1, seconds: 20, hertz: hertz), hertz: hertz).variance == 0)
  }

  @Test("no more than 0.12 g on each axis is learned", arguments: [0.15, 0.2, 0.4])
  func tooMuch(deviation: Double) {
    #expect(floor(after: hiss(deviation, seconds: 60, hertz: 25), hertz: 25).variance <= 3 * 0.12 * 0.12)
  }
}
