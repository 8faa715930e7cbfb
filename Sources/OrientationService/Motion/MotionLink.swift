// SPDX-License-Identifier: Apache-2.0

import IIO
import Synchronization

/// What the main thread, the sensors' threads and a thread that sends share, from the first stream until the last program has left.
final class MotionLink: Sendable {
  private let quit = Atomic<Bool>(false)

  /// Wakes up the sending thread.
  let signal: MotionSignal
  /// The accelerometer's samples.
  let accelerometer: MotionFeed
  /// Those of a gyroscope that has a device of its own.
  let gyroscope: MotionFeed
  /// Those of a gyroscope that is part of the accelerometer's device.
  ///
  /// Another thread reads these, which may not have ended when the other one begins, so each has its feed.
  let sharedGyroscope: MotionFeed
  /// What the main thread wants.
  let plan = Mailbox<MotionPlan>()
  /// Signalled when the thread has ended.
  let ended: WakeUpEvent

  /// Creates the link of a thread.
  ///
  /// - Throws: ``SourceError/system(operation:code:)`` if there are no descriptors left.
  init() throws(SourceError) {
    ended = try WakeUpEvent()
    let signal = try MotionSignal()
    self.signal = signal
    accelerometer = MotionFeed(signalling: signal)
    gyroscope = MotionFeed(signalling: signal)
    sharedGyroscope = MotionFeed(signalling: signal)
  }

  /// Makes the thread use another plan; for the main thread.
  func want(_ plan: MotionPlan) {
    self.plan.put(plan)
    signal.event.signal()
  }

  /// Makes the thread end, after it has used the last plan; for the main thread.
  func requestStop() {
    quit.store(true, ordering: .releasing)
    signal.event.signal()
  }

  /// Whether the thread has to end.
  var isStopRequested: Bool { quit.load(ordering: .acquiring) }
}
