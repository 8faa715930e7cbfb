// SPDX-License-Identifier: Apache-2.0

package import IIO
import Orientation

/// What the main thread and the sampler thread share, and what other sensors' threads know of the accelerometer.
package final class SamplerLink: Sendable {
  /// The number of events in the queue: 5 s, if each sample at 25 Hz, the default, brought one.
  private static let capacity = 128

  /// The plan of the main thread, and the sampler's reports.
  let thread: ThreadLink<SamplerPlan, SamplerEvent>
  /// The filtered gravity.
  let gravity = LatestGravity()
  /// How far the screen leans by it.
  let tilt = TiltWatch()
  /// The program that may have left a buffer enabled.
  let neighbour = Neighbour()

  /// Creates the link of a sampler and its main thread.
  ///
  /// - Throws: ``SourceError/system(operation:code:)`` if there are no descriptors left.
  package init() throws(SourceError) { thread = try ThreadLink(capacity: Self.capacity) }

  // MARK: The sampler's side

  /// Reports how far the screen leans, if that is watched and has changed.
  ///
  /// It is called a few times a second, not for each sample.
  @inline(never)
  func reportTilt(by gravity: Acceleration<ScreenFrame>, in session: SamplingSession) {
    if let tilt = tilt.change(with: gravity) { thread.post(.leans(session, tilt)) }
  }

  /// Clears the gravity, because the sampling has ended.
  func forgetGravity() {
    gravity.clear()
    tilt.forget()
  }
}
