// SPDX-License-Identifier: Apache-2.0

// This folder: the threads of the service. A `Worker` is a thread as the main thread sees it, and a `ThreadLink` is all that the two
// share. Neither waits for the other.

package import IIO
import Synchronization

/// What the main thread and a thread that works for it share: what the one wants, and what the other reports.
///
/// The plan is a state, not a list of commands: it replaces the one before, which may not have been read, so what was withdrawn meanwhile
/// costs nothing. The reports go through a queue, in order, and none is lost.
package final class ThreadLink<Plan: Sendable, Report: Sendable>: Sendable {
  private let plan = Mailbox<Plan>()
  private let quit = Atomic<Bool>(false)
  private let ended = Atomic<Bool>(false)

  /// Ends the thread's wait, so that it looks what is wanted.
  let wakeUp: ThreadWakeUp
  /// What the thread reports; also signalled when it has ended.
  let reports: EventChannel<Report>

  /// Creates the link of a thread.
  ///
  /// - Parameters:
  ///   - capacity: how many reports may wait for the main thread.
  ///   - isWatched: whether it is noticed if the thread does not come back to its waits.
  /// - Throws: ``SourceError/system(operation:code:)`` if there are no descriptors left.
  init(capacity: Int, isWatched: Bool = true) throws(SourceError) {
    wakeUp = try ThreadWakeUp(isWatched: isWatched)
    reports = try EventChannel(capacity: capacity)
  }

  // MARK: The main thread's side

  /// Makes the thread use another plan.
  func want(_ plan: Plan) {
    self.plan.put(plan)
    wakeUp.event.signal()
  }

  /// Makes the thread end, without a look at plans that it has not taken.
  func requestStop() {
    quit.store(true, ordering: .releasing)
    wakeUp.event.signal()
  }

  /// Passes on all reports that have arrived.
  ///
  /// - Returns: whether the thread has ended; these were its last reports then.
  @discardableResult
  func drain(_ handle: (Report) -> Void) -> Bool {
    // In this order: what comes later signals again.
    reports.arrived.drain()
    let hasEnded = ended.load(ordering: .acquiring)
    while let report = reports.next() { handle(report) }
    return hasEnded
  }

  // MARK: The thread's side

  /// The plan to use from now on; nil while it is the same.
  ///
  /// Reading it clears it.
  func takePlan() -> Plan? { plan.take() }

  /// Whether the thread has to end.
  var isStopRequested: Bool { quit.load(ordering: .acquiring) }

  /// Reports something to the main thread.
  func post(_ report: Report) { reports.post(report) }

  /// Reports that the thread has ended, and has nothing open any more.
  func reportEnd() {
    ended.store(true, ordering: .releasing)
    reports.arrived.signal()
  }
}

/// Wakes up a thread.
///
/// It is an object of its own, because other threads than the main one wake up that one which sends motion.
package final class ThreadWakeUp: Sendable {
  let event: WakeUpEvent

  /// Creates one that is not signalled.
  ///
  /// - Parameter isWatched: whether it is noticed if the thread does not come back to its waits.
  /// - Throws: ``SourceError/system(operation:code:)`` if there are no descriptors left.
  package init(isWatched: Bool = false) throws(SourceError) { event = try WakeUpEvent(isWatched: isWatched) }
}
