// SPDX-License-Identifier: Apache-2.0

import Glibc
import Orientation

/// What a resting sensor reads in each orientation, in units of standard gravity.
let axes: [(orientation: DeviceOrientation, axis: SIMD3<Double>)] = [
  (.portrait, SIMD3(0, 1, 0)), (.portraitUpsideDown, SIMD3(0, -1, 0)),
  (.landscapeLeft, SIMD3(1, 0, 0)), (.landscapeRight, SIMD3(-1, 0, 0)),
  (.faceUp, SIMD3(0, 0, 1)), (.faceDown, SIMD3(0, 0, -1)),
]

/// What a resting sensor reads when the screen stands `elevation` degrees above the table and is rolled by
/// `roll` degrees from portrait towards landscapeLeft.
func held(elevation: Double, roll: Double) -> SIMD3<Double> {
  let (elevation, roll) = (elevation * .pi / 180, roll * .pi / 180)
  return SIMD3(sin(elevation) * sin(roll), sin(elevation) * cos(roll), cos(elevation))
}

/// The rates that the daemon samples at, from the slowest sensor to the fastest, in hertz.
let rates = [10.0, 25, 50, 100, 200]

extension OrientationChange {
  /// The time in seconds.
  var seconds: Double { time.seconds(since: BootTime(nanoseconds: 0)) }
}

extension Acceleration<ScreenFrame> {
  /// The three components.
  var vector: SIMD3<Double> { SIMD3(x, y, z) }
}

extension Double {
  /// Whether it differs from a number by no more than a tolerance.
  func isClose(to other: Double, within tolerance: Double) -> Bool { abs(self - other) <= tolerance }
}

extension OrientationPipeline {
  /// Feeds readings (in g) at a rate from a start on and returns the changes.
  mutating func feed(
    _ readings: some Sequence<SIMD3<Double>>, hertz: Double = 25, from start: Double = 0
  ) -> [OrientationChange] {
    var time = start
    return readings.compactMap { reading in
      defer { time += 1 / hertz }
      return process(at: time, reading)
    }
  }

  /// Feeds one reading in g.
  mutating func process(at seconds: Double, _ reading: SIMD3<Double>) -> OrientationChange? {
    let force = reading * standardGravity
    return process(
      Sample(
        time: BootTime(nanoseconds: Int64((seconds * 1e9).rounded())),
        acceleration: Acceleration(x: force.x, y: force.y, z: force.z)))
  }
}

/// A generator of normally distributed numbers that gives the same numbers every time.
struct Noise {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  /// A number between 0 and 1 (splitmix64, Steele, Lea and Flood 2014).
  mutating func uniform() -> Double {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return Double((mixed ^ (mixed >> 31)) >> 11) * 0x1p-53
  }

  /// A number of the normal distribution with this deviation (Box and Muller 1958).
  mutating func normal(deviation: Double) -> Double {
    deviation * sqrt(-2 * log(1 - uniform())) * cos(2 * .pi * uniform())
  }

  /// A vector of such numbers.
  mutating func vector(deviation: Double) -> SIMD3<Double> {
    SIMD3(normal(deviation: deviation), normal(deviation: deviation), normal(deviation: deviation))
  }

  /// A vector of length one, in any direction alike.
  mutating func direction() -> SIMD3<Double> {
    let vector = vector(deviation: 1)
    return vector / (vector * vector).sum().squareRoot()
  }
}

/// The noise of a sensor, drawn in advance: 65,536 vectors of deviation one.
private let drawnNoise: [SIMD3<Double>] = {
  var noise = Noise(seed: 11)
  return (0..<65536).map { _ in noise.vector(deviation: 1) }
}()

/// A sensor's noise for long recordings: of vectors drawn in advance, in a random order.
struct SensorNoise {
  private var order: Noise
  private let deviation: Double

  init(deviation: Double, seed: UInt64) {
    order = Noise(seed: seed)
    self.deviation = deviation
  }

  /// What the sensor adds to the next reading, in g.
  mutating func next() -> SIMD3<Double> {
    drawnNoise[Int(order.uniform() * 65536) & 65535] * deviation
  }
}
