// SPDX-License-Identifier: Apache-2.0

package import IIO
import Orientation
import Synchronization

/// What the main thread and the sampler thread share, and what other sensors' threads know of the accelerometer.
package final class SamplerLink: Sendable {
  /// The number of events in the queue: over 5 s of changes at the highest rate of a classifier without settling time.
  private static let capacity = 128

  private let gravityWatch = AtomicLazyReference<GravityWatch>()
  /// Whether there is a watch: looking for it takes 800 instructions, if the optimizer does not specialize that.
  private let isGravityWatched = Atomic<Bool>(false)

  /// The plan of the main thread, and the sampler's reports.
  let thread: ThreadLink<SamplerPlan, SamplerEvent>
  /// The filtered gravity.
  let gravity = LatestGravity()
  /// The program that may have left a buffer enabled.
  let neighbour = Neighbour()

  /// Creates the link of a sampler and its main thread.
  ///
  /// - Throws: ``SourceError/system(operation:code:)`` if there are no descriptors left.
  package init() throws(SourceError) { thread = try ThreadLink(capacity: Self.capacity) }

  /// Makes the sampler check gravity for a part of the service; there can be one watch.
  ///
  /// For the main thread.
  func add(_ watch: GravityWatch) {
    precondition(gravityWatch.storeIfNil(watch) === watch, "a second watch of gravity")
    isGravityWatched.store(true, ordering: .releasing)
  }

  // MARK: The sampler's side

  /// Reports the region that gravity has entered, if it is watched and has changed.
  ///
  /// It is called a few times a second, not for each sample.
  @inline(never)
  func reportRegion(of gravity: Acceleration<ScreenFrame>, in session: SamplingSession) {
    guard isGravityWatched.load(ordering: .acquiring),
      let region = gravityWatch.load()?.change(with: gravity)
    else { return }
    thread.post(.entered(session, region))
  }

  /// Clears the gravity, because the sampling has ended.
  func forgetGravity() {
    gravity.clear()
    gravityWatch.load()?.forget()
  }
}
