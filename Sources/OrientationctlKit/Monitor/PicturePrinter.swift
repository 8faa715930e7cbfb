// SPDX-License-Identifier: Apache-2.0

import Glibc
import IIO
import Orientation
import OrientationClient
import Systemd

/// Shows what the monitor follows as a moving picture of the tablet.
///
/// Frames are drawn only while something moves.
final class PicturePrinter: MonitorPrinter {
  /// The time between two frames, in seconds.
  private static let framePause = 1.0 / 30
  /// The time between two questions for gravity, in seconds: the daemon renews it at most four times a second.
  private static let gravityPause = 0.2
  /// The same while the sensor delivers nothing.
  private static let pauseWithoutGravity = 1.0
  /// How long a message is shown, in seconds.
  private static let messageTime = 8.0

  private let terminal: PictureTerminal
  private var picture: MonitorPicture
  private var writer: FrameWriter
  private var keys = PictureKeys()
  private weak var monitor: (any MonitorControl)?

  private var sources: [Source] = []
  private var frameTimer: Timer?
  private var gravityTimer: Timer?
  private var lastFrame: BootTime?
  private var lastMessage: BootTime?
  private var isAskingForGravity = false
  private var hasState = false

  /// An event source in an array, which only classes can be in.
  private final class Source {
    private let source: EventSource
    init(_ source: consuming EventSource) { self.source = source }
  }

  /// Prepares the terminal, and shows nothing yet.
  ///
  /// - Parameter hysteresis: the band along the borders, as the daemon is configured.
  /// - Throws: ``CommandError`` if there is no terminal that can show a picture.
  init(hysteresis: Angle) throws(CommandError) {
    terminal = try PictureTerminal()
    picture = MonitorPicture(hysteresis: hysteresis)
    picture.hasKeys = terminal.hasKeys
    writer = FrameWriter(hasColours: terminal.hasColours)
  }

  let showsDevice = true
  let isDone = false
  let shortfall: String? = nil

  // MARK: What the monitor reports

  func print(_ change: DeviceChange) {
    picture.orientation = change.orientation
    // Gravity has changed, too.
    askForGravity()
    wake()
  }

  func print(_ screen: ScreenSnapshot, at _: BootTime) {
    picture.screen = screen
    if !hasState {
      hasState = true
      picture.message = ""
      picture.settle()
    }
    askForGravity()
    wake()
  }

  func show(_ device: DeviceSnapshot) {
    picture.device = device
    wake()
  }

  func printUnavailable() {
    picture.screen = nil
    picture.device = DeviceSnapshot()
    picture.gravity = .unknown
    hasState = false
    wake()
  }

  func note(_ text: String) {
    picture.message = text
    lastMessage = .now
    wake()
  }

  // MARK: The beginning and the end

  func start(on loop: borrowing EventLoop, for monitor: any MonitorControl) throws(SystemdError) {
    self.monitor = monitor
    func onSignal(_ signal: CInt, _ body: @escaping () throws(OutputError) -> Void) throws(SystemdError) {
      sources.append(Source(try loop.onSignal(signal) { [unowned self] in attempt(body) }))
    }
    try onSignal(SIGWINCH) { [unowned self] () throws(OutputError) in redraw() }
    try onSignal(SIGTSTP) { [unowned self] () throws(OutputError) in
      try terminal.suspend()
      redraw()
    }
    // Another program may have used the terminal while this one was stopped.
    try onSignal(SIGCONT) { [unowned self] () throws(OutputError) in
      try terminal.show()
      redraw()
    }
    frameTimer = try loop.timer(accuracySeconds: 0.002) { [unowned self] in attempt(drawFrame) }
    gravityTimer = try loop.timer { [unowned self] in askForGravity() }
    attempt { () throws(OutputError) in try terminal.show() }
    if terminal.hasKeys {
      sources.append(
        Source(try loop.onReadable(STDIN_FILENO, priority: .beforeBus) { [unowned self] in readKeys() }))
    }
    wake()
  }

  func finish() {
    sources = []
    frameTimer = nil
    gravityTimer = nil
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
    try? frameTimer?.arm(afterSeconds: lastFrame == nil ? 0 : Self.framePause)
  }

  private func redraw() {
    writer.reset()
    wake()
  }

  private func drawFrame() throws(OutputError) {
    let now = BootTime.now
    // After a time without frames, nothing has moved.
    let elapsed = lastFrame.map { min(now.seconds(since: $0), Self.framePause * 3) } ?? Self.framePause
    if let shown = lastMessage, picture.screen != nil, now.seconds(since: shown) > Self.messageTime {
      picture.message = ""
      lastMessage = nil
    }
    try terminal.flush()
    picture.advance(seconds: elapsed)
    if terminal.isReady {
      let (columns, rows) = terminal.size
      try terminal.write(
        writer.update(to: picture.state.frame(columns: columns, rows: rows, range: terminal.range)))
    }
    lastFrame = now
    if picture.isMoving || !terminal.isReady {
      wake()
    } else {
      lastFrame = nil
    }
  }

  // MARK: Gravity

  private func askForGravity() {
    guard hasState, !isAskingForGravity, picture.gravity != .forbidden else { return }
    isAskingForGravity =
      monitor?.call("GetGravity", of: DBusNames.deviceInterface, isInteractive: false, { _ in }) {
        [weak self] reply in self?.gravityAnswered(reply)
      } ?? false
  }

  private func gravityAnswered(_ reply: borrowing Message) {
    isAskingForGravity = false
    guard hasState else { return }
    var pause = Self.gravityPause
    do throws(BusError) {
      if let error = reply.error { throw error }
      picture.gravity = .known(
        try reply.readStruct("ddd") { fields throws(BusError) in
          Acceleration(x: try fields.readDouble(), y: try fields.readDouble(), z: try fields.readDouble())
        })
    } catch {
      switch error.name {
      case ServiceErrorName.notAuthorized, BusError.Name.interactiveAuthorizationRequired,
        BusError.Name.accessDenied:
        picture.gravity = .forbidden
      default:
        picture.gravity = .unknown
        pause = Self.pauseWithoutGravity
      }
    }
    try? gravityTimer?.arm(afterSeconds: pause)
    wake()
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
    case .lock: change("ToggleRotationLock")
    case .left: rotate(by: .counterclockwise)
    case .right: rotate(by: .clockwise)
    case .up, .down: rotate(by: .half)
    case .enter: break
    }
  }

  /// Rotates the interface by hand, to the next orientation in this direction that it may have.
  private func rotate(by turn: QuarterTurn) {
    guard let screen = picture.screen else { return }
    var goal = screen.orientation
    for _ in 0..<3 {
      guard let next = InterfaceOrientation.allCases.first(where: { QuarterTurn(from: goal, to: $0) == turn })
      else { return }
      goal = next
      if screen.effective.contains(goal) { break }
    }
    guard goal != screen.orientation else { return }
    change("SetInterfaceOrientation") { call throws(BusError) in try call.append(goal.rawValue) }
  }

  private func change(
    _ member: String, _ arguments: @escaping (borrowing Message) throws(BusError) -> Void = { _ in }
  ) {
    guard hasState else { return }
    _ = monitor?.call(member, of: DBusNames.screenInterface, isInteractive: true, arguments) {
      [weak self] reply in if let error = reply.error { self?.note(error.message) }
    }
  }
}
