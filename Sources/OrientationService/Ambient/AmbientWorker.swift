// SPDX-License-Identifier: Apache-2.0

import IIO
import Orientation
import Systemd

/// A thread of a sensor beside the accelerometer as the main thread sees it, from its start to its end.
final class AmbientWorker {
  /// What is known of the thread.
  enum Message {
    /// It has reported this; ``AmbientEvent/ended`` is the last.
    case event(AmbientEvent)
    /// It hangs in a driver, or is back.
    case watched(SamplerWatchdog.State)
  }

  private let link: AmbientLink
  private let handle: (Message) -> Void
  private var events: EventSource?
  private var watch: SamplerWatchdog?

  /// Starts a thread of the ambient sensors.
  ///
  /// - Parameters:
  ///   - job: what it is to do.
  ///   - loop: the loop of this thread.
  ///   - handle: called for each message; after the last one it may release the worker.
  /// - Throws: ``SourceError/system(operation:code:)``
  convenience init(
    _ job: AmbientJob, loop: borrowing EventLoopReference, handle: @escaping (Message) -> Void
  ) throws(SourceError) {
    try self.init(loop: loop, handle: handle) { AmbientThread.run(job, for: $0) }
  }

  /// Starts a thread.
  ///
  /// - Parameters:
  ///   - loop: the loop of this thread.
  ///   - handle: called for each message; after the last one it may release the worker.
  ///   - work: runs on the new thread, until the link requests its end; posts ``AmbientEvent/ended`` last.
  /// - Throws: ``SourceError/system(operation:code:)``
  init(
    loop: borrowing EventLoopReference, handle: @escaping (Message) -> Void,
    work: @escaping (AmbientLink) -> Void
  ) throws(SourceError) {
    self.handle = handle
    link = try AmbientLink()
    do throws(SystemdError) {
      events = try loop.onReadable(link.events.arrived.fileDescriptor) { [unowned(unsafe) self] in
        handleEvents()
      }
      watch = try SamplerWatchdog(of: link.wakeUp, loop: loop) { handle(.watched($0)) }
    } catch {
      throw .system(operation: "waiting for a sensor's thread", code: error.code)
    }
    try detachThread { [link] in work(link) }
  }

  // The loop forgets the descriptors before they are closed.
  deinit {
    events = nil
    watch = nil
  }

  /// Makes the thread end; it reports when it has.
  func stop() {
    link.requestStop()
  }

  /// Waits until the thread has ended, for the end of the process: nothing that it reports is handled any more.
  ///
  /// - Returns: whether it did in time; a thread that hangs in a sensor's driver does not.
  func waitForEnd(until deadline: BootTime) -> Bool {
    repeat {
      link.events.arrived.drain()
      while let event = link.events.next() {
        if case .ended = event { return true }
      }
    } while link.events.arrived.wait(until: deadline) == .signalled
    return false
  }

  private func handleEvents() {
    // At the end, the handler may release this worker.
    let (link, handle) = (link, handle)
    link.events.arrived.drain()
    while let event = link.events.next() { handle(.event(event)) }
  }
}
