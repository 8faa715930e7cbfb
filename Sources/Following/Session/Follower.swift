// SPDX-License-Identifier: Apache-2.0

import CLinux
import DaemonClient
import Orientation
package import Systemd

/// Turns the panel as the daemon says, until it is ended.
package final class Follower {
  /// Reaches the outputs of the session's desktop.
  package typealias OutputsFactory =
    (FollowRequest, EventLoop, OutputsListener) throws(CommandError) -> any TurnableOutputs

  private let loop: EventLoop
  private var signals: HandledSignals?
  private var daemon: DaemonWatch?
  private var outputs: (any TurnableOutputs)?
  private var turner: PanelTurner
  private var resume: Timer?
  /// Releases memory when all is quiet again.
  private var quiet: Timer?
  private var hooks: Hooks?
  /// The last transform that is of another version of the daemon.
  private var unknownTransform: String?
  /// Whether the daemon has refused to count this program as who turns the screen.
  private var isRefused = false
  /// Whether the last message says that the daemon is waited for.
  private var isWaitingNoted = false
  private var failure: CommandError?

  /// Follows as the command line says, and ends the process.
  ///
  /// - Parameter connect: reaches the outputs.
  package static func main(outputs connect: OutputsFactory) -> Never {
    keepHeapSmall()
    guard let request = commandLineWords().flatMap({ FollowRequest(words: $0) }) else {
      Report.error("do not start this program directly; run: orientationctl follow")
      exit(64)
    }
    do throws(CommandError) {
      let follower = try Follower(request, outputs: connect)
      try follower.run()
      // At once: to close the connection to an X server that hangs would hang, too.
      withExtendedLifetime(follower) { exit(0) }
    } catch {
      Report.error(error.description)
      exit(error.exitStatus)
    }
  }

  /// Connects to the bus and to the desktop.
  ///
  /// - Parameters:
  ///   - request: what to do.
  ///   - connect: reaches the outputs.
  /// - Throws: ``CommandError`` if the desktop turns the screen itself, or one of them cannot be reached.
  package init(_ request: FollowRequest, outputs connect: OutputsFactory) throws(CommandError) {
    if let desktop = Desktop(environment: Self.variable) { throw desktop.refusal }
    turner = PanelTurner(output: request.output)
    loop = try inEventLoop { () throws(SystemdError) in try EventLoop() }
    try inEventLoop { () throws(SystemdError) in
      resume = try loop.timer { [unowned(unsafe) self] in take(turner.resume(at: now)) }
      quiet = try loop.timer { releaseUnusedPages() }
      hooks = try Hooks(request, loop: loop)
    }
    outputs = try connect(request, loop, listener)
    let bus = request.isUserBus ? Bus.Address.session : .system
    daemon = try bus.watch(for: .turns, in: loop) { [unowned(unsafe) self] in heard($0) }
    // Only now: a desktop or a bus that does not answer at all must not keep a signal from ending the program.
    try inEventLoop { () throws(SystemdError) in
      signals = try HandledSignals(HandledSignals.ends, in: loop) { [unowned(unsafe) self] _ in loop.exit(0) }
    }
    // A message that nobody can read must not end the program.
    ignoreBrokenPipes()
  }

  /// Follows until a signal ends it.
  ///
  /// - Throws: ``CommandError`` if the desktop or the bus has ended, or the panel cannot be turned.
  package func run() throws(CommandError) {
    daemon?.start()
    resume?.arm(afterSeconds: PanelTurner.patienceWithDesktop)
    try inEventLoop { () throws(SystemdError) in try loop.run() }
    daemon?.end()
    if let failure { throw failure }
  }

  private static func variable(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }

  private var listener: OutputsListener {
    OutputsListener(
      changed: { [unowned(unsafe) self] in take(turner.report($0, at: now)) },
      answered: { [unowned(unsafe) self] in take(turner.take($0, at: now)) },
      failed: { [unowned(unsafe) self] in fail($0) })
  }

  /// In seconds, for comparisons.
  private var now: Double {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
  }

  private func take(_ step: PanelTurner.Step) {
    switch step {
    case .wait: break
    case .apply(let arrangement):
      resume?.arm(afterSeconds: PanelTurner.patienceWithDesktop)
      outputs?.apply(arrangement)
    case .resume(let seconds, let note):
      if let note { Report.note(note) }
      resume?.arm(afterSeconds: seconds)
    case .note(let text): Report.note(text)
    case .stop(let failure): fail(failure)
    }
    if turner.isAtRest { resume?.cancel() }
    quiet?.arm(afterSeconds: 1)
    if let transform = turner.shown { hooks?.take(shown: transform) }
  }

  private func fail(_ reason: CommandError) {
    failure = failure ?? reason
    loop.exit(0)
  }

  // MARK: The daemon

  private func heard(_ event: DaemonWatch.Event) {
    switch event {
    case .appeared: askToCount()
    case .device, .deviceChanged, .heldAgain, .turned: break
    case .screen(let screen):
      if isRefused { askToCount() }
      show(screen)
    // The screen stays as it is, and what resets it meanwhile is undone.
    case .waiting(_, let problem):
      isWaitingNoted = true
      Report.note(problem.text)
    case .misunderstood(let problem): Report.note(problem.text)
    case .refused(let problem), .disconnected(let problem): fail(CommandError(problem.text))
    }
  }

  /// Has the daemon know that this program turns the screen, as people are told who does.
  ///
  /// Who is not at the screen is refused, and turns it all the same; so it asks again at the next change.
  private func askToCount() {
    isRefused = false
    _ = daemon?.call(.screen("BeginFollowing")) { [unowned(unsafe) self] reply in
      isRefused = reply.error != nil
    }
  }

  private func show(_ screen: ScreenSnapshot) {
    if isWaitingNoted { Report.note("orientationd runs now") }
    isWaitingNoted = false
    hooks?.take(screen)
    // Until anything has decided on the orientation of the interface, the screen stays as it is: it would turn twice at the start.
    guard screen.isDecided else { return }
    if let transform = OutputTransform(rawValue: screen.transform) {
      take(turner.want(transform, at: now))
    } else if screen.transform != unknownTransform {
      unknownTransform = screen.transform
      Report.note(
        "the daemon has a transform that this orientationctl does not know: \(screen.transform.prefix(40))")
    }
  }
}
