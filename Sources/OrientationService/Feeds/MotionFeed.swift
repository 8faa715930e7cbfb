// SPDX-License-Identifier: Apache-2.0

// The way of single samples to programs that read motion: a sensor's thread puts each into a ring, and the thread that sends them takes
// them out. Neither waits for the other, and nothing is allocated. Without readers there is no feed.

import IIO
import Orientation
import Synchronization

/// A sample for readers: m/s^2, or rad/s of a gyroscope, along the screen's axes.
package struct MotionSample: Equatable, Sendable, BitwiseCopyable {
  /// When it was taken.
  var time: BootTime
  var x: Float
  var y: Float
  var z: Float
  /// Whether samples before it were dropped.
  var isAfterGap = false
}

/// The samples of a sensor for one thread that sends them.
package final class MotionFeed: Equatable, Sendable {
  /// Room for the samples of 0.6 s at 200 Hz.
  private static let capacity = 128

  private let samples = EventRing<MotionSample>(capacity: MotionFeed.capacity)
  /// Whether the next sample comes after one that was dropped; only the sensor's thread uses it.
  private let isAfterGap = Atomic<Bool>(false)
  private let failing = Atomic<Bool>(false)
  private let receiver: ThreadWakeUp

  /// Creates an empty feed that wakes up the thread that sends the samples for each of them.
  package init(signalling receiver: ThreadWakeUp) { self.receiver = receiver }

  package static func == (one: MotionFeed, other: MotionFeed) -> Bool { one === other }

  /// Passes a sample on; for the sensor's thread.
  ///
  /// If there is no room, the sample is dropped, and the next one that is not says so.
  func push(_ sample: MotionSample) {
    if failing.load(ordering: .relaxed) { failing.store(false, ordering: .relaxed) }
    var sample = sample
    sample.isAfterGap = isAfterGap.load(ordering: .relaxed)
    let isPushed = samples.push(sample)
    if sample.isAfterGap == isPushed { isAfterGap.store(!isPushed, ordering: .relaxed) }
    receiver.event.signal()
  }

  /// Reports that the sensor could not be read; for the sensor's thread.
  func fail() {
    guard !failing.exchange(true, ordering: .relaxed) else { return }
    receiver.event.signal()
  }

  /// Whether the sensor could not be read the last time.
  var isFailing: Bool { failing.load(ordering: .relaxed) }

  /// Takes the next sample; nil if there is none.
  ///
  /// For the thread that sends them.
  package func next() -> MotionSample? { samples.pop() }

  /// Drops all samples; for the thread that sends them.
  func clear() {
    while samples.pop() != nil {}
  }

  /// Forgets that the sensor could not be read, which was before the streams that there are now; for the thread that sends samples.
  func forgetFailure() { failing.store(false, ordering: .relaxed) }
}

/// What readers want of the accelerometer's device.
struct MotionDemand: Equatable, Sendable {
  /// Where the accelerometer's samples go.
  let feed: MotionFeed
  /// Where those of the gyroscope go that is part of the same device; nil if it is not wanted.
  let gyroscope: RateOutlet?
  /// The shortest interval that a reader wants, as a rate in hertz.
  let rate: Double
}
