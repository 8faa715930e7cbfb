// SPDX-License-Identifier: Apache-2.0

import IIO
import Orientation
import Systemd

/// A thread as the main thread, which starts it, sees it: from its start to its end.
final class Worker<Plan: Sendable, Report: Sendable> {
  /// What it shares with its thread.
  let link: ThreadLink<Plan, Report>

  private var arrivals: EventSource?
  private var watchdog: ThreadWatchdog?

  /// Prepares a thread.
  init(for link: ThreadLink<Plan, Report>) { self.link = link }

  // The loop forgets the descriptors before they are closed.
  deinit {
    arrivals = nil
    watchdog = nil
  }

  /// Calls functions of the main thread from here on.
  ///
  /// - Parameters:
  ///   - loop: the loop of the main thread.
  ///   - priority: whether reports are handled before other events.
  ///   - whenReported: called when there are reports, or the thread has ended. It must call ``ThreadLink/drain(_:)``.
  ///   - whenWatched: called when the thread hangs in a driver, and when it is back.
  /// - Throws: `SystemdError` if the loop cannot wait for them.
  func listen(
    on loop: EventLoop, priority: EventPriority = .normal,
    whenReported: @escaping () -> Void, whenWatched: @escaping (ThreadWatchdog.State) -> Void
  ) throws(SystemdError) {
    arrivals = try loop.onReadable(link.reports.arrived.fileDescriptor, priority: priority, whenReported)
    watchdog = try ThreadWatchdog(of: link.wakeUp.event, loop: loop, tell: whenWatched)
  }

  /// Starts the thread.
  ///
  /// - Parameter work: runs on the new thread, until the link requests its end.
  /// - Throws: ``SourceError/system(operation:code:)``
  func start(_ work: @escaping (ThreadLink<Plan, Report>) -> Void) throws(SourceError) {
    try detachThread { [link] in
      work(link)
      link.reportEnd()
    }
  }

  /// Makes the thread end; it reports when it has.
  func stop() { link.requestStop() }

  /// Waits until the thread has ended, for the end of the process: nothing that it reports is handled any more.
  ///
  /// - Returns: whether it did in time; a thread that hangs in a sensor's driver does not.
  func waitForEnd(until deadline: BootTime) -> Bool {
    repeat {
      // If the queue of reports is full, the thread waits for room.
      if link.drain({ _ in }) { return true }
    } while link.reports.arrived.wait(until: deadline) == .signalled
    return false
  }
}
