// SPDX-License-Identifier: Apache-2.0

package import Orientation

/// Where the hot loop puts samples while there are readers of motion.
package struct MotionOutlet {
  private let feed: MotionFeed
  private let transform: ScreenTransform
  private let gyroscope: RateOutlet?
  /// The samples for the classifier.
  var mean: BlockMean

  /// Creates an outlet.
  ///
  /// - Parameters:
  ///   - feed: where the samples go.
  ///   - transform: from the chip's axes to the screen's.
  ///   - mean: the samples for the classifier.
  ///   - gyroscope: where those of the gyroscope go that is part of the same device; nil if it is not wanted.
  package init(
    to feed: MotionFeed, transform: ScreenTransform, mean: BlockMean, gyroscope: RateOutlet? = nil
  ) {
    self.gyroscope = gyroscope
    self.feed = feed
    self.transform = transform
    self.mean = mean
  }

  /// Passes a sample on.
  @inline(__always)
  func push(_ sample: Sample<SensorFrame>) {
    let reading = transform(sample.acceleration)
    feed.push(
      MotionSample(time: sample.time, x: Float(reading.x), y: Float(reading.y), z: Float(reading.z)))
  }

  /// Whether the rates of the gyroscope are wanted.
  @inline(__always)
  var wantsRates: Bool { gyroscope != nil }

  /// Passes the gyroscope's reading on; nil means that it could not be read.
  func push(_ rates: AngularVelocity<SensorFrame>?, at time: BootTime) {
    gyroscope?.push(rates, at: time)
  }
}

/// Where the thread that reads a gyroscope puts its samples.
package struct RateOutlet: Equatable, Sendable {
  /// Where they go.
  let feed: MotionFeed
  /// From the chip's axes to the screen's.
  let transform: RateTransform

  /// Passes a sample on; nil means that it could not be read.
  func push(_ reading: AngularVelocity<SensorFrame>?, at time: BootTime) {
    guard let reading else { return feed.fail() }
    let rates = transform(reading)
    feed.push(MotionSample(time: time, x: Float(rates.x), y: Float(rates.y), z: Float(rates.z)))
  }
}
