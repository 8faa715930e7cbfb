// SPDX-License-Identifier: Apache-2.0

import Orientation

/// Where the thread that reads a gyroscope puts its samples.
package struct RateOutlet: Equatable, Sendable {
  private let feed: MotionFeed
  private let transform: RateTransform

  /// Creates an outlet.
  ///
  /// - Parameters:
  ///   - feed: where the samples go.
  ///   - transform: from the chip's axes to the screen's.
  init(to feed: MotionFeed, transform: RateTransform) {
    self.feed = feed
    self.transform = transform
  }

  /// Passes a sample on; nil means that it could not be read.
  func push(_ reading: AngularVelocity<SensorFrame>?, at time: BootTime) {
    guard let reading else { return feed.fail() }
    let rates = transform(reading)
    feed.push(MotionSample(time: time, x: Float(rates.x), y: Float(rates.y), z: Float(rates.z)))
  }

  package static func == (one: RateOutlet, other: RateOutlet) -> Bool {
    one.feed === other.feed && one.transform == other.transform
  }
}
