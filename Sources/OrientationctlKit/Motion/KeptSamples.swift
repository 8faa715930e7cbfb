// SPDX-License-Identifier: Apache-2.0

import Orientation

/// The newest samples, for a picture.
struct KeptSamples {
  /// A sample.
  struct Sample {
    let time: BootTime
    /// In the precision of the socket: an hour of SIMD3<Double> would be 46 MB.
    private let x, y, z: Float

    /// Creates a sample.
    init(time: BootTime, vector: SIMD3<Double>) {
      self.time = time
      (x, y, z) = (Float(vector.x), Float(vector.y), Float(vector.z))
    }

    /// x, y and z.
    var vector: SIMD3<Double> { [Double(x), Double(y), Double(z)] }
  }

  /// How many of the newest samples are kept at least: an hour at 200 Hz.
  static let most = 720_000

  /// Those that are kept, in the order in which they came.
  private(set) var samples: [Sample] = []
  private let limit: Int

  /// Keeps nothing yet.
  init(limit: Int = Self.most) { self.limit = limit }

  /// Keeps a sample; of twice as many as are wanted, the older half is dropped at once.
  mutating func add(_ sample: Sample) {
    if samples.count >= 2 * limit { samples.removeFirst(limit) }
    samples.append(sample)
  }
}
