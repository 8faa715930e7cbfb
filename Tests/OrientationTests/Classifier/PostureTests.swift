// SPDX-License-Identifier: Apache-2.0

import Glibc
import Orientation
import TestSupport
import Testing

/// Where people hold tablets: on the lap the screen rises by some 34 degrees above the table.
@Suite("A screen is followed in the postures in which people hold tablets")
struct PostureTests {
  /// The four upright orientations, by their rolls.
  private static let uprights: [(orientation: DeviceOrientation, roll: Double)] = [
    (.portrait, 0), (.landscapeLeft, 90), (.portraitUpsideDown, 180), (.landscapeRight, 270),
  ]

  /// How far a turn of `duration` seconds has gone at `now`: the way of least jerk (Flash and Hogan 1985).
  private func progress(_ now: Double, duration: Double) -> Double {
    let share = min(max(now / duration, 0), 1)
    return share * share * share * (10 - 15 * share + 6 * share * share)
  }

  @Test(
    "on the lap, a turn by 90 degrees is announced within 0.3 s of its end",
    arguments: [30.0, 35, 40, 50, 70], rates)
  func lap(rise: Double, rate: Double) throws {
    for (start, end) in zip(Self.uprights, Self.uprights.dropFirst() + Self.uprights.prefix(1)) {
      for duration in [0.4, 0.6, 0.9] {
        var sensor = SensorNoise(deviation: 0.004, seed: 71)
        let readings = (0..<Int(6 * rate)).map { tick -> SIMD3<Double> in
          let now = Double(tick) / rate - 3
          let roll = start.roll + 90 * progress(now, duration: duration)
          return held(elevation: rise + 0.5 * sin(1.3 * now), roll: roll) + sensor.next()
        }
        var pipeline = OrientationPipeline(transform: .identity)
        let changes = pipeline.feed(readings, hertz: rate, from: -3)
        #expect(changes.map(\.orientation) == [start.orientation, end.orientation], "\(duration) s")
        #expect(try #require(changes.last).seconds < duration + 0.3, "\(duration) s")
      }
    }
  }

  @Test(
    "a tablet that starts on the lap has the right orientation from the first report on",
    arguments: [28.0, 30, 34, 45])
  func start(rise: Double) throws {
    for upright in Self.uprights {
      for roll in [-20.0, 0, 20] {
        var sensor = SensorNoise(deviation: 0.02, seed: 73)
        var pipeline = OrientationPipeline(transform: .identity)
        let readings = (0..<250).map { _ in held(elevation: rise, roll: upright.roll + roll) + sensor.next() }
        let changes = pipeline.feed(readings)
        #expect(changes.map(\.orientation) == [upright.orientation], "rolled by \(roll) degrees")
        #expect(try #require(changes.first).seconds <= 0.52)
      }
    }
  }

  @Test(
    "a tablet that is picked up from the table is announced within 0.4 s of the end, at 10 Hz within 0.6",
    arguments: rates)
  func pickUp(rate: Double) throws {
    for upright in Self.uprights {
      for (rise, duration) in [(30.0, 0.5), (33, 0.5), (40, 0.7), (60, 0.6), (70, 1)] {
        var sensor = SensorNoise(deviation: 0.004, seed: 79)
        let readings = (0..<Int(6 * rate)).map { tick -> SIMD3<Double> in
          let now = Double(tick) / rate - 3
          return held(elevation: rise * progress(now, duration: duration), roll: upright.roll) + sensor.next()
        }
        var pipeline = OrientationPipeline(transform: .identity)
        let changes = pipeline.feed(readings, hertz: rate, from: -3)
        #expect(changes.map(\.orientation) == [.faceUp, upright.orientation], "to \(rise) degrees")
        let limit = rate < 25 ? 0.6 : 0.4
        #expect(try #require(changes.last).seconds < duration + limit, "to \(rise) degrees")
      }
    }
  }

  /// The steps of a person: up and down, also fore and aft by a third of it, and the tablet nods and rolls with them.
  private func walking(rise: Double, roll: Double, bounce: Double, at now: Double) -> SIMD3<Double> {
    let step = 2 * .pi * 1.9 * now
    let (nod, sway) = (2 * sin(step), 2 * sin(step / 2))
    let up = held(elevation: rise + nod, roll: roll + sway)
    let towards = held(elevation: rise + nod - 90, roll: roll + sway)
    return up * (1 + bounce * sin(step) + 0.4 * bounce * sin(2 * step + 1)) + towards * 0.3 * bounce
      * sin(step + 2)
  }

  @Test(
    "a person who walks and turns the tablet gets the turn within 0.6 s of its end",
    arguments: [0.2, 0.3, 0.35])
  func walker(bounce: Double) throws {
    for rise in [40.0, 55, 70] {
      for rate in [25.0, 50, 100] {
        for delay in stride(from: 0.0, to: 0.5, by: 0.1) {
          let readings = (0..<Int(20 * rate)).map { tick -> SIMD3<Double> in
            let now = Double(tick) / rate - 12
            return walking(
              rise: rise, roll: 90 * progress(now - delay, duration: 0.6), bounce: bounce, at: now)
          }
          var pipeline = OrientationPipeline(transform: .identity)
          let changes = pipeline.feed(readings, hertz: rate, from: -12)
          #expect(changes.map(\.orientation) == [.portrait, .landscapeLeft], "\(rise) degrees, \(rate) Hz")
          #expect(try #require(changes.last).seconds < delay + 0.6 + 0.6, "\(rise) degrees, \(rate) Hz")
        }
      }
    }
  }

  @Test(
    "a tablet that is turned about the vertical on a table stays flat", arguments: [0.05, 0.1, 0.2], rates)
  func spin(radius: Double, rate: Double) {
    // Half a turn within 0.8 s each: the sensor, off the axis, is pushed sideways.
    let readings = (0..<Int(8 * rate)).map { tick -> SIMD3<Double> in
      let now = (Double(tick) / rate).truncatingRemainder(dividingBy: 2)
      func angle(_ time: Double) -> Double { .pi * progress(time, duration: 0.8) }
      let speed = (angle(now + 0.002) - angle(now - 0.002)) / 0.004
      let push = (angle(now + 0.002) - 2 * angle(now) + angle(now - 0.002)) / 0.000_004
      return SIMD3(-speed * speed * radius, push * radius, standardGravity) / standardGravity
    }
    var pipeline = OrientationPipeline(transform: .identity)
    #expect(pipeline.feed(readings, hertz: rate).map(\.orientation) == [.faceUp])
  }
}
