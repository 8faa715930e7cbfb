// SPDX-License-Identifier: Apache-2.0

// The state that the main thread and the sampler thread share. The requests of the main thread are a state, not a queue of
// commands: the sampler reads it when it wakes up, and a request that was withdrawn meanwhile costs nothing. The reports of
// the sampler go through a queue, in order, and none is lost.

import CLinux
package import IIO
import Orientation
import SensorSetup
import Synchronization

/// The state and the queue between the main thread and the sampler.
package final class SamplerLink: Sendable {
  /// The number of events in the queue: over 5 s of changes at the highest rate of a classifier without settling time.
  private static let capacity = 128

  private let wanted = Atomic<SamplingSession>(0)
  private let releaseRequested = Atomic<Bool>(false)
  private let rescanRequested = Atomic<Bool>(true)
  private let quit = Atomic<Bool>(false)
  private let configuration = Mailbox<Configuration>()
  /// What readers of motion want; in the box, an optional, which is nil if there are no readers any more.
  private let motion = Mailbox<MotionDemand?>()
  private let gravityWatch = AtomicLazyReference<GravityWatch>()
  /// Whether there is a watch: looking for it takes 800 instructions, if the optimizer does not specialize that.
  private let isGravityWatched = Atomic<Bool>(false)

  /// Ends the sampler's wait, so that it reads the requests.
  let wakeUp: WakeUpEvent
  /// The reports of the sampler.
  let events: EventChannel<SamplerEvent>
  /// Signalled when the thread has ended.
  let ended: WakeUpEvent
  /// The filtered gravity.
  let gravity = LatestGravity()
  /// The program that may have left a buffer enabled.
  let neighbour = Neighbour()

  /// Creates the link of a sampler and its main thread.
  ///
  /// - Throws: ``SourceError/system(operation:code:)`` if there are no descriptors left.
  package init() throws(SourceError) {
    wakeUp = try WakeUpEvent(isWatched: true)
    events = try EventChannel(capacity: Self.capacity)
    ended = try WakeUpEvent()
  }

  // MARK: The main thread's side

  /// Makes the sampler sample for this session; nil ends the sampling, and makes it report the end.
  func want(session: SamplingSession?) {
    if session == nil { releaseRequested.store(true, ordering: .releasing) }
    wanted.store(session ?? 0, ordering: .releasing)
    wakeUp.signal()
  }

  /// Makes the sampler scan the devices again.
  func requestRescan() {
    rescanRequested.store(true, ordering: .releasing)
    wakeUp.signal()
  }

  /// Makes the sampler use another configuration.
  func want(_ configuration: Configuration) {
    self.configuration.put(configuration)
    wakeUp.signal()
  }

  /// Makes the sampler pass its samples on to readers, at least at their rate; nil ends this.
  func want(_ motion: MotionDemand?) {
    self.motion.put(motion)
    wakeUp.signal()
  }

  /// Makes the sampler thread end.
  func requestStop() {
    quit.store(true, ordering: .releasing)
    wakeUp.signal()
  }

  /// Makes the sampler check gravity for a part of the service; there can be one watch.
  func add(_ watch: GravityWatch) {
    precondition(gravityWatch.storeIfNil(watch) === watch, "a second watch of gravity")
    isGravityWatched.store(true, ordering: .releasing)
  }

  /// Passes on all events that have arrived.
  func drainEvents(_ handle: (SamplerEvent) -> Void) {
    events.arrived.drain()
    while let event = events.next() { handle(event) }
  }

  // MARK: The sampler's side

  /// The session to sample for; nil if there are no subscribers.
  var wantedSession: SamplingSession? {
    let session = wanted.load(ordering: .acquiring)
    return session == 0 ? nil : session
  }

  /// Whether the thread has to end.
  var isStopRequested: Bool { quit.load(ordering: .acquiring) }

  /// Whether to report that no sensor is open any more; reading it clears it.
  func takeReleaseRequest() -> Bool {
    releaseRequested.exchange(false, ordering: .acquiringAndReleasing)
  }

  /// Whether to scan the devices; reading it clears it.
  func takeRescanRequest() -> Bool {
    rescanRequested.exchange(false, ordering: .acquiringAndReleasing)
  }

  /// The configuration to use from now on; nil while it is the same.
  ///
  /// Reading it clears it.
  func takeConfiguration() -> Configuration? { configuration.take() }

  /// What readers want from now on, which is nil if there are none any more; nil while it is the same.
  ///
  /// Reading it clears it.
  func takeMotionDemand() -> MotionDemand?? { motion.take() }

  /// Reports the region that gravity has entered, if it is watched and has changed.
  ///
  /// It is called a few times a second, not for each sample.
  @inline(never)
  func reportRegion(of gravity: Acceleration<ScreenFrame>, in session: SamplingSession) {
    guard isGravityWatched.load(ordering: .acquiring),
      let region = gravityWatch.load()?.change(with: gravity)
    else { return }
    post(.entered(session, region))
  }

  /// Clears the gravity, because the sampling has ended.
  func forgetGravity() {
    gravity.clear()
    gravityWatch.load()?.forget()
  }

  /// Reports an event to the main thread.
  func post(_ event: SamplerEvent) { events.post(event) }
}
