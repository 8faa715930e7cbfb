// SPDX-License-Identifier: Apache-2.0

// All that the main thread and the sampler thread share. What the main thread wants is kept as a state, not as a
// queue of commands: the sampler looks at it whenever it wakes, and a request that was taken back in between costs
// nothing. What the sampler reports goes through a queue, in order, none lost.

import CLinux
package import IIO
import Orientation
import SensorSetup
import Synchronization

/// The state and the queue between the main thread and the sampler.
package final class SamplerLink: Sendable {
  /// Room for this many events: over 5 s of changes at the highest rate a classifier without settling time could have.
  private static let capacity = 128

  private let wanted = Atomic<SamplingSession>(0)
  private let releaseRequested = Atomic<Bool>(false)
  private let rescanRequested = Atomic<Bool>(true)
  private let quit = Atomic<Bool>(false)
  private let configuration = Mailbox<Configuration>()
  private let gravityWatch = AtomicLazyReference<GravityWatch>()

  /// Ends the sampler's wait, so that it looks at what is wanted.
  let wakeUp: WakeUpEvent
  /// What the sampler reports.
  let events: EventChannel<SamplerEvent>
  /// Signalled when the thread has ended.
  let ended: WakeUpEvent
  /// The filtered gravity.
  let gravity = LatestGravity()
  /// Who may have left a buffer on.
  let neighbour = Neighbour()

  /// Creates the link of a sampler and its main thread.
  ///
  /// - Throws: ``SourceError/system(operation:code:)`` when there are no descriptors left.
  package init() throws(SourceError) {
    wakeUp = try WakeUpEvent(isWatched: true)
    events = try EventChannel(capacity: Self.capacity)
    ended = try WakeUpEvent()
  }

  // MARK: The main thread's side

  /// Makes the sampler sample under this session's number; nil ends the sampling, and has it report when it has ended.
  func want(session: SamplingSession?) {
    if session == nil { releaseRequested.store(true, ordering: .releasing) }
    wanted.store(session ?? 0, ordering: .releasing)
    wakeUp.signal()
  }

  /// Makes the sampler look through the devices again.
  func requestRescan() {
    rescanRequested.store(true, ordering: .releasing)
    wakeUp.signal()
  }

  /// Makes the sampler go by another configuration.
  func want(_ configuration: Configuration) {
    self.configuration.put(configuration)
    wakeUp.signal()
  }

  /// Makes the sampler thread end.
  func requestStop() {
    quit.store(true, ordering: .releasing)
    wakeUp.signal()
  }

  /// Has the sampler look at gravity for a part of the service; only the first watch is taken.
  func add(_ watch: GravityWatch) {
    _ = gravityWatch.storeIfNil(watch)
  }

  /// Hands over every event that has arrived.
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

  /// Whether to look through the devices; reading it clears it.
  func takeRescanRequest() -> Bool {
    rescanRequested.exchange(false, ordering: .acquiringAndReleasing)
  }

  /// The configuration to go by from here on; nil while it is the same.
  ///
  /// Reading it clears it.
  func takeConfiguration() -> Configuration? { configuration.take() }

  /// Reports which region the gravity has entered, if it is watched and is another one.
  ///
  /// It is called a few times a second: not per sample.
  @inline(never)
  func reportRegion(of gravity: Acceleration<ScreenFrame>, in session: SamplingSession) {
    guard let region = gravityWatch.load()?.change(with: gravity) else { return }
    post(.entered(session, region))
  }

  /// Forgets the gravity, because the sampling has ended.
  func forgetGravity() {
    gravity.clear()
    gravityWatch.load()?.forget()
  }

  /// Reports something to the main thread.
  func post(_ event: SamplerEvent) { events.post(event) }
}
