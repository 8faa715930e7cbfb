// SPDX-License-Identifier: Apache-2.0

/// Detects a second in which the tablet is held still, and returns the average reading in it.
package struct Stillness: Sendable {
  private let duration: Double
  private var samples: [Sample<SensorFrame>] = []

  /// How long a hand must be still, in seconds: many periods of its tremor of 8 to 12 Hz (Elble and Koller 1990).
  package static let ofHand = 1.0
  /// How far a sample may be from the average, as a fraction of that: 6 degrees.
  private static let tolerance = 0.1
  /// How far it may be in any case, in m/s^2: noise, also on an axis that reads nothing else.
  private static let leastTolerance = 0.3
  /// The minimum number of samples for a result.
  private static let leastSamples = 3

  /// Starts with no sample.
  ///
  /// - Parameter duration: how long the tablet must be still, in seconds.
  package init(lasting duration: Double = ofHand) {
    self.duration = duration
  }

  /// For how much of the duration the readings have stayed near the last one, 0 to 1; for people.
  package var share: Double {
    guard let last = samples.last else { return 0 }
    var start = last.time
    for sample in samples.reversed() {
      guard Self.isNear(last.acceleration.vector, sample.acceleration.vector) else { break }
      start = sample.time
    }
    return min(last.time.seconds(since: start) / duration, 1)
  }

  /// Takes a sample.
  ///
  /// - Returns: the average of the last second, or of the given duration, if the tablet was still in it; else nil.
  package mutating func add(_ sample: Sample<SensorFrame>) -> Acceleration<SensorFrame>? {
    if let last = samples.last, sample.time.seconds(since: last.time) <= 0 { samples = [] }
    samples.append(sample)
    while samples.count > Self.leastSamples, sample.time.seconds(since: samples[1].time) >= duration {
      samples.removeFirst()
    }
    let span = sample.time.seconds(since: samples[0].time)
    guard samples.count >= Self.leastSamples, span >= duration else { return nil }
    let vectors = samples.map { $0.acceleration.vector }
    let mean = vectors.reduce(.zero, +) / Double(vectors.count)
    let isStill = vectors.allSatisfy { Self.isNear(mean, $0) }
    return isStill ? Acceleration(mean) : nil
  }

  private static func isNear(_ one: SIMD3<Double>, _ other: SIMD3<Double>) -> Bool {
    (other - one).length <= max(tolerance * one.length, leastTolerance)
  }
}
