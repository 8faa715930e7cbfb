// SPDX-License-Identifier: Apache-2.0

import IIO

/// What the main thread, the sensors' threads and a thread that sends share, from the first stream until the last program has left.
struct MotionLink: Sendable {
  /// The plan of the thread that sends, which has nothing to report.
  let thread: ThreadLink<MotionPlan, Void>
  /// The accelerometer's samples.
  let accelerometer: MotionFeed
  /// Those of a gyroscope that has a device of its own.
  let gyroscope: MotionFeed
  /// Those of a gyroscope that is part of the accelerometer's device.
  ///
  /// Another thread reads these, which may not have ended when the other one begins, so each has its feed.
  let sharedGyroscope: MotionFeed

  /// Creates the link of a thread.
  ///
  /// - Throws: ``SourceError/system(operation:code:)`` if there are no descriptors left.
  init() throws(SourceError) {
    thread = try ThreadLink(capacity: 1, isWatched: false)
    accelerometer = MotionFeed(signalling: thread.wakeUp)
    gyroscope = MotionFeed(signalling: thread.wakeUp)
    sharedGyroscope = MotionFeed(signalling: thread.wakeUp)
  }
}
