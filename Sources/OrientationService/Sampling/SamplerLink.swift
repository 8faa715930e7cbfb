// SPDX-License-Identifier: Apache-2.0

// All that the main thread and the sampler thread share. What the main thread wants is kept as a state, not as a
// queue of commands: the sampler looks at it whenever it wakes, and a wish that was taken back in between costs
// nothing. What the sampler has to say goes through a queue, in order, none lost.

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
  private let releaseWanted = Atomic<Bool>(false)
  private let surveyWanted = Atomic<Bool>(true)
  private let quit = Atomic<Bool>(false)
  private let configuration = Mailbox<Configuration>()
  private let events = EventRing<SamplerEvent>(capacity: SamplerLink.capacity)

  /// Ends the sampler's wait, so that it looks at what is wanted.
  let wakeUp: WakeUpEvent
  /// Tells the main thread that there are events.
  let eventsArrived: WakeUpEvent
  /// Signalled when the thread has ended.
  let ended: WakeUpEvent
  /// The filtered gravity.
  let gravity = GravitySnapshot()
  /// Who may have left a buffer on.
  let neighbour = Neighbour()
  /// The tilt, told while somebody watches.
  let tilt = TiltWatch()

  /// Creates the link of a sampler and its main thread.
  ///
  /// - Throws: ``SourceError/system(operation:code:)`` when there are no descriptors left.
  package init() throws(SourceError) {
    wakeUp = try WakeUpEvent(isWatched: true)
    eventsArrived = try WakeUpEvent()
    ended = try WakeUpEvent()
  }

  // MARK: The main thread's side

  /// Makes the sampler sample under this session's number; nil ends the sampling, and has it tell when it has ended.
  func want(session: SamplingSession?) {
    if session == nil { releaseWanted.store(true, ordering: .releasing) }
    wanted.store(session ?? 0, ordering: .releasing)
    wakeUp.signal()
  }

  /// Makes the sampler look through the devices again.
  func wantSurvey() {
    surveyWanted.store(true, ordering: .releasing)
    wakeUp.signal()
  }

  /// Makes the sampler go by another configuration.
  func want(_ configuration: Configuration) {
    self.configuration.put(configuration)
    wakeUp.signal()
  }

  /// Makes the sampler thread end.
  func wantEnd() {
    quit.store(true, ordering: .releasing)
    wakeUp.signal()
  }

  /// Hands over every event that has arrived.
  func drainEvents(_ handle: (SamplerEvent) -> Void) {
    eventsArrived.drain()
    while let event = events.pop() { handle(event) }
  }

  // MARK: The sampler's side

  /// The session to sample for; nil where nobody asks.
  var wantedSession: SamplingSession? {
    let session = wanted.load(ordering: .acquiring)
    return session == 0 ? nil : session
  }

  /// Whether the thread has to end.
  var isEndWanted: Bool { quit.load(ordering: .acquiring) }

  /// Whether to tell that no sensor is open any more; asking takes the wish on.
  func takeReleaseWish() -> Bool {
    releaseWanted.exchange(false, ordering: .acquiringAndReleasing)
  }

  /// Whether to look through the devices; asking takes the wish on.
  func takeSurveyWish() -> Bool {
    surveyWanted.exchange(false, ordering: .acquiringAndReleasing)
  }

  /// The configuration to go by from here on; nil while it is the same.
  ///
  /// Asking takes the wish on.
  func takeConfiguration() -> Configuration? { configuration.take() }

  /// Tells the tilt, if somebody watches and it has changed.
  @inline(__always)
  func tellTilt(of gravity: Acceleration<ScreenFrame>, in session: SamplingSession) {
    guard tilt.isOn, let change = tilt.change(with: gravity) else { return }
    post(.tilted(session, change))
  }

  /// Forgets where gravity was, as the sampling has ended.
  func forgetGravity() {
    gravity.clear()
    tilt.forget()
  }

  /// Tells the main thread something.
  ///
  /// A full queue means that the main thread has not run for seconds; nothing that could be sampled meanwhile could be
  /// told, so waiting for it loses nothing. (systemd's watchdog ends a main thread that stays stuck.)
  func post(_ event: SamplerEvent) {
    while !events.push(event) {
      eventsArrived.signal()
      usleep(10_000)
    }
    eventsArrived.signal()
  }
}
