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
}

/// Wakes up the thread that sends samples.
package final class MotionSignal: Sendable {
  let event: WakeUpEvent

  /// Creates one that is not signalled.
  ///
  /// - Throws: ``SourceError/system(operation:code:)`` if there are no descriptors left.
  package init() throws(SourceError) { event = try WakeUpEvent() }
}

/// The samples of a sensor for one thread that sends them.
package final class MotionFeed: Sendable {
  /// Room for the samples of 0.6 s at 200 Hz.
  private static let capacity = 128

  private let samples = EventRing<MotionSample>(capacity: MotionFeed.capacity)
  private let dropped = Atomic<UInt32>(0)
  private let failing = Atomic<Bool>(false)
  private let signal: MotionSignal

  /// Creates an empty feed that signals each sample.
  package init(signalling signal: MotionSignal) { self.signal = signal }

  /// Passes a sample on; for the sensor's thread.
  ///
  /// If there is no room, the sample is dropped and counted.
  func push(_ sample: MotionSample) {
    if failing.load(ordering: .relaxed) { failing.store(false, ordering: .relaxed) }
    if !samples.push(sample) { dropped.wrappingAdd(1, ordering: .relaxed) }
    signal.event.signal()
  }

  /// Reports that the sensor could not be read; for the sensor's thread.
  func fail() {
    guard !failing.exchange(true, ordering: .relaxed) else { return }
    signal.event.signal()
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
    _ = takeDropped()
  }

  /// How many samples were dropped since the last call; for the thread that sends them.
  func takeDropped() -> UInt32 { dropped.exchange(0, ordering: .relaxed) }
}

/// What readers want of the accelerometer's device.
struct MotionDemand: Sendable {
  /// Where the accelerometer's samples go.
  let feed: MotionFeed
  /// Where those of the gyroscope go that is part of the same device; nil if it is not wanted.
  let gyroscope: RateOutlet?
  /// The shortest interval that a reader wants, as a rate in hertz.
  let rate: Double
}
