// SPDX-License-Identifier: Apache-2.0

// An sd-bus connection belongs to one thread, which waits in sd-event. So this thread is an executor of Swift's concurrency: what
// is isolated to an actor on it runs on the thread, between two waits, and so do the handlers of messages. No thread of Swift's pool
// is ever blocked or needed, and an idle app is not woken up. The thread exists as long as the process, from the first use on.

import CLinux
import Synchronization
import Systemd

/// A thread that runs an event loop, and the jobs of actors.
///
/// It is not checked that this is Sendable, because the loop is not. It is created in `init`, before its thread exists; then only
/// that thread uses it: in `run()`, in its handlers, and in methods that check the thread before anything else. What is attached to it is
/// destroyed there, too, with the actor that owns it (`isolated deinit`).
final class BusExecutor: SerialExecutor, TaskExecutor, @unchecked Sendable {
  /// The only one that a process needs.
  static let shared = BusExecutor()

  private let loop: EventLoop
  private let jobsArrived: CInt
  private var jobSource: EventSource?
  /// Keeps the loop's descriptor for timers: later ones need none, so that what waits for a new attempt gets it.
  private var clock: Timer?
  private let jobs = Mutex<[UnownedJob]>([])
  private let thread = Mutex<pthread_t?>(nil)

  private init() {
    jobsArrived = eventfd(0, CInt(EFD_CLOEXEC | EFD_NONBLOCK))
    do throws(SystemdError) {
      guard jobsArrived >= 0 else { throw SystemdError(code: errno, operation: "eventfd") }
      loop = try EventLoop()
      jobSource = try loop.onReadable(jobsArrived) { [unowned self] in runJobs() }
      clock = try loop.timer {}
    } catch {
      // As Swift's own executors do if they cannot have a thread.
      fatalError("orientationd's client needs an event loop: \(error)")
    }
    start()
  }

  // MARK: For actors

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let isFirst = jobs.withLock { jobs in
      jobs.append(job)
      return jobs.count == 1
    }
    guard isFirst else { return }
    // It fails only at 2^64 - 1.
    eventfd_write(jobsArrived, 1)
  }

  func checkIsolated() { precondition(isIsolatingCurrentContext() == true, "not on the thread of the bus") }

  func isIsolatingCurrentContext() -> Bool? {
    thread.withLock { thread in thread.map { pthread_equal($0, pthread_self()) != 0 } ?? false }
  }

  // MARK: For what runs on the thread

  /// Has the loop receive and send the messages of a bus.
  func attach(_ bus: Bus) throws(BusError) {
    checkIsolated()
    try bus.attach(to: loop)
  }

  /// The loop, for what waits for descriptors of its own.
  func eventLoop() -> EventLoop {
    checkIsolated()
    return loop
  }

  /// Runs work after the present handler, for instance to destroy what has called it.
  func afterwards(_ work: @escaping () -> Void) {
    checkIsolated()
    loop.post(work)
  }

  // MARK: The thread

  private func start() {
    var (all, before) = (sigset_t(), sigset_t())
    sigfillset(&all)
    // These are of the thread that has caused them.
    for fault in [SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP] { sigdelset(&all, fault) }
    // The thread inherits this: signals are for the app's own threads.
    pthread_sigmask(SIG_SETMASK, &all, &before)
    defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
    var id = pthread_t()
    let code = pthread_create(
      &id, nil,
      { executor in
        guard let executor else { return nil }
        Unmanaged<BusExecutor>.fromOpaque(executor).takeRetainedValue().run()
        return nil
      }, Unmanaged.passRetained(self).toOpaque())
    precondition(code == 0, "orientationd's client needs a thread: \(String(cString: strerror(code)))")
    pthread_detach(id)
  }

  private func run() {
    thread.withLock { $0 = pthread_self() }
    nameThread("orientation-bus")
    do throws(SystemdError) {
      _ = try loop.run()
      fatalError("the event loop of orientationd's client has ended")
    } catch {
      fatalError("orientationd's client cannot wait for events: \(error)")
    }
  }

  private func runJobs() {
    var count: eventfd_t = 0
    eventfd_read(jobsArrived, &count)
    let batch = jobs.withLock { jobs in
      defer { jobs = [] }
      return jobs
    }
    for job in batch {
      job.runSynchronously(isolatedTo: asUnownedSerialExecutor(), taskExecutor: asUnownedTaskExecutor())
    }
  }
}
