// SPDX-License-Identifier: Apache-2.0

import DaemonClient
import Following
import Glibc
import IIO
import Monitoring
import Orientation
import Systemd

/// Shows what the monitor follows as a moving picture of the tablet.
///
/// Frames are drawn only while something moves.
final class PicturePrinter: MonitorPrinter {
  /// The time between two frames, in seconds.
  private static let framePause = 1.0 / 30
  /// The time between two questions for gravity, in seconds: the daemon renews it at most four times a second.
  private static let gravityPause = 0.25
  /// The same while the tablet is at rest, or the sensor delivers nothing.
  private static let restPause = 1.0
  /// The same while this user may not read gravity, which changes with the session.
  private static let pauseWithoutPermission = 10.0
  /// The number of answers without a change after which the tablet counts as at rest.
  private static let answersAtRest = 8
  /// The least change that counts, in m/s^2: a tenth of a degree, less than can be seen.
  private static let leastChange = 0.02
  /// What no accelerometer reads while a person holds it, in m/s^2.
  private static let greatestGravity = 1000.0
  /// The time between two attempts to write to a terminal that takes nothing, in seconds.
  private static let pauseOfTerminal = 0.25
  /// How long a message is shown, in seconds.
  private static let messageTime = 8.0

  private let terminal: PictureTerminal
  private var picture: MonitorPicture
  private var keys = PictureKeys()
  private weak var monitor: Monitor?

  private var signals: HandledSignals?
  private var input: EventSource?
  private var frameTimer: Timer?
  private var gravityTimer: Timer?
  private var lastFrame: BootTime?
  private var messageTimer: Timer?
  private var isAskingForGravity = false
  private var equalAnswers = 0
  /// The orientation that was asked for by hand, and how many of these calls are not answered yet.
  private var goal: (orientation: InterfaceOrientation, calls: Int)?
  /// Whether a daemon answers.
  private var hasState: Bool { picture.screen != nil }

  /// Prepares the terminal, and shows nothing yet.
  ///
  /// - Parameter hysteresis: the band along the borders, as the daemon is configured.
  /// - Throws: ``CommandError`` if there is no terminal that can show a picture.
  init(hysteresis: Angle) throws(CommandError) {
    terminal = try PictureTerminal()
    picture = MonitorPicture(hysteresis: hysteresis)
    picture.hasKeys = terminal.hasKeys
  }

  let showsDevice = true

  // MARK: What the monitor reports

  func show(_ orientation: DeviceOrientation, decidedAt _: BootTime?) -> [String] {
    picture.orientation = orientation
    // Gravity has changed, too.
    askForGravity()
    wake()
    return []
  }

  func show(_ screen: ScreenSnapshot) -> [String] {
    let isFirst = !hasState
    picture.screen = screen
    if isFirst { picture.settle() }
    askForGravity()
    wake()
    return []
  }

  func show(_ device: DeviceSnapshot) {
    // The daemon is there: what was said about it is over.
    if !hasState { picture.message = "" }
    picture.device = device
    wake()
  }

  func showUnavailable() -> [String] {
    picture.screen = nil
    picture.device = DeviceSnapshot()
    picture.gravity = .unknown
    wake()
    return []
  }

  func note(_ text: String) {
    picture.message = text
    messageTimer?.arm(afterSeconds: Self.messageTime)
    wake()
  }

  /// Removes a message after its time; what is said while there is no daemon stays until there is one.
  private func messageIsOver() {
    guard hasState else { return }
    picture.message = ""
    wake()
  }

  // MARK: The beginning and the end

  func start(on loop: EventLoop, for monitor: Monitor) throws(SystemdError) {
    self.monitor = monitor
    signals = try HandledSignals([SIGWINCH, SIGTSTP, SIGCONT], in: loop) { [unowned self] signal in
      attempt { () throws(OutputError) in
        if signal == SIGTSTP { try terminal.suspend() }
        // Another program may have used the terminal while this one was stopped.
        if signal == SIGCONT { try terminal.show() }
        redraw()
      }
    }
    frameTimer = try loop.timer(accuracySeconds: 0.002) { [unowned self] in attempt(drawFrame) }
    gravityTimer = try loop.timer { [unowned self] in askForGravity() }
    messageTimer = try loop.timer { [unowned self] in messageIsOver() }
    attempt { () throws(OutputError) in try terminal.show() }
    if terminal.hasKeys {
      input = try loop.onReadable(STDIN_FILENO, priority: .beforeBus) { [unowned self] in readKeys() }
    }
    wake()
  }

  func finish() {
    signals = nil
    input = nil
    frameTimer = nil
    gravityTimer = nil
    messageTimer = nil
    terminal.restore()
  }

  private func attempt(_ body: () throws(OutputError) -> Void) {
    do throws(OutputError) {
      try body()
    } catch {
      monitor?.outputFailed(error)
    }
  }

  // MARK: Frames

  /// Draws a frame soon.
  private func wake() {
    guard frameTimer?.isArmed == false else { return }
    let pause = terminal.isReady ? Self.framePause : Self.pauseOfTerminal
    frameTimer?.arm(afterSeconds: lastFrame == nil ? 0 : pause)
  }

  private func redraw() {
    terminal.reset()
    wake()
  }

  private func drawFrame() throws(OutputError) {
    let now = BootTime.now
    // After a time without frames, nothing has moved.
    let elapsed = lastFrame.map { min(now.seconds(since: $0), Self.framePause * 3) } ?? Self.framePause
    picture.advance(seconds: elapsed)
    try terminal.draw(picture.state)
    lastFrame = now
    if picture.isMoving || !terminal.isReady {
      wake()
    } else {
      lastFrame = nil
    }
  }

  // MARK: Gravity

  private func askForGravity() {
    guard hasState, !isAskingForGravity else { return }
    isAskingForGravity =
      monitor?.call(.sensor("MeasureGravity")) { [weak self] reply in self?.gravityAnswered(reply) } ?? false
  }

  private func gravityAnswered(_ reply: borrowing Message) {
    isAskingForGravity = false
    guard hasState else { return }
    let gravity = Self.gravity(in: reply)
    let isAnother = picture.gravity.differs(from: gravity, by: Self.leastChange)
    equalAnswers = isAnother ? 0 : equalAnswers + 1
    let pause =
      switch gravity {
      case .known: equalAnswers < Self.answersAtRest ? Self.gravityPause : Self.restPause
      case .unknown: Self.restPause
      case .forbidden: Self.pauseWithoutPermission
      }
    gravityTimer?.arm(afterSeconds: pause)
    guard isAnother else { return }
    picture.gravity = gravity
    wake()
  }

  /// What an answer to MeasureGravity says.
  private static func gravity(in reply: borrowing Message) -> MonitorPicture.Gravity {
    do throws(BusError) {
      if let error = reply.error { throw error }
      let gravity = try reply.readGravity()
      let components = [gravity.x, gravity.y, gravity.z]
      return components.allSatisfy { abs($0) <= greatestGravity } ? .known(gravity) : .unknown
    } catch {
      switch error.name {
      case BusError.Name.accessDenied, BusError.Name.interactiveAuthorizationRequired: return .forbidden
      default: return .unknown
      }
    }
  }

  // MARK: Keys

  private func readKeys() {
    guard let bytes = terminal.read() else {
      // The terminal is closed, which ends the monitor, too.
      monitor?.outputFailed(.closed)
      return
    }
    for key in keys.read(bytes) { press(key) }
  }

  private func press(_ key: PictureKey) {
    switch key {
    case .quit: monitor?.end()
    case .redraw: redraw()
    case .lock: change(.screen("ToggleRotationLock", authorization: .interactive))
    case .left: rotate(by: .counterclockwise)
    case .right: rotate(by: .clockwise)
    case .up, .down: rotate(by: .half)
    case .enter: break
    }
  }

  /// Rotates the interface by hand, to the next orientation in this direction that it may have.
  private func rotate(by turn: QuarterTurn) {
    guard let screen = picture.screen else { return }
    // Keys may come faster than answers.
    let present = goal?.orientation ?? screen.orientation
    var next = present
    for _ in 0..<3 {
      guard
        let turned = InterfaceOrientation.allCases.first(where: { QuarterTurn(from: next, to: $0) == turn })
      else { return }
      next = turned
      if screen.effective.contains(next) { break }
    }
    guard next != present else { return }
    let call = DaemonCall.screen(
      "Rotate", .uint32(next.rawValue), authorization: .interactive)
    let isSent = change(call) { [weak self] in
      guard let self, let goal = self.goal else { return }
      self.goal = goal.calls > 1 ? (goal.orientation, goal.calls - 1) : nil
    }
    if isSent { goal = (next, (goal?.calls ?? 0) + 1) }
  }

  /// Calls a method that changes the screen; false if it cannot be called.
  @discardableResult
  private func change(_ call: DaemonCall, answered: @escaping () -> Void = {}) -> Bool {
    guard hasState else { return false }
    return monitor?.call(call) { [weak self] reply in
      answered()
      if let error = reply.error { self?.note(error.message) }
    } ?? false
  }
}
