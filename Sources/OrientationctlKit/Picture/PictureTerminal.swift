// SPDX-License-Identifier: Apache-2.0

// The terminal of a picture: its modes, its size, and what is written to it. ANSI sequences that all terminals of today know,
// without a library: curses does not know synchronized output, and does not restore the terminal after a crash.
//
// The picture is on the alternate screen, so what was on the terminal before comes back. Writing does not wait: a terminal
// that does not read, such as one behind a slow connection, loses frames, and the command still ends at once.

import Following
import Glibc

// Both modules have this structure, and an optimized build takes it for that of CLinux.
import struct CLinux.pollfd

/// A terminal that shows a picture until it is restored.
final class PictureTerminal {
  // The end also clears: the kernel's console has no alternate screen.
  private static let begin = "\u{1b}[?1049h\u{1b}[?25l\u{1b}[?7l"
  private static let end = "\u{1b}[?2026l\u{1b}[0m\u{1b}[?7h\u{1b}[?25h\u{1b}[2J\u{1b}[1;1H\u{1b}[?1049l"

  /// What kills a program that has a fault, Ctrl-\, and the other signals that kill (but for SIGKILL).
  private static let fatalSignals = [
    SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV, SIGSYS, SIGQUIT, SIGUSR1, SIGUSR2, SIGALRM, SIGVTALRM,
    SIGPROF, SIGXCPU, SIGXFSZ, SIGPOLL, SIGPWR, SIGSTKFLT,
  ]

  /// What ends or stops a program that has no event loop for it.
  private static let endSignals = [SIGINT, SIGTERM, SIGHUP, SIGTSTP]

  private let range: CharacterRange
  /// Whether its keys are read.
  let hasKeys = isatty(STDIN_FILENO) != 0

  private let signals: [CInt]
  private let descriptor: CInt
  private var writer: FrameWriter
  private var savedModes = termios()
  private var isShown = false
  /// What the signals did before the picture.
  private var actionsBefore: [(CInt, sigaction)] = []
  /// What the terminal has not taken yet.
  private var unwritten: [UInt8] = []

  /// Checks that the standard output is a terminal which can show a picture, and changes nothing yet.
  ///
  /// - Parameter hasLoop: whether the caller handles the signals that end or stop a program; if not, the terminal is restored
  ///   when they come, and ``wasStopped`` says that the picture must be shown again.
  /// - Throws: ``CommandError`` with the reason if it is not.
  init(hasLoop: Bool = true) throws(CommandError) {
    signals = Self.fatalSignals + (hasLoop ? [] : Self.endSignals)
    guard isatty(STDOUT_FILENO) != 0 else {
      throw CommandError("a picture needs a terminal, and the standard output is none")
    }
    let variables = TerminalVariables.environment
    guard variables.canMoveCursor else {
      throw CommandError(
        "a picture needs a terminal whose cursor can be moved, and TERM says that this is none")
    }
    range = variables.range
    writer = FrameWriter(hasColours: variables.hasColours)
    descriptor = Self.openOutput()
  }

  deinit {
    restore()
    close(descriptor)
  }

  /// Opens the terminal of the standard output again: not to wait is a setting of the open file, which the shell shares.
  private static func openOutput() -> CInt {
    let flags = O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC
    let own = open("/proc/self/fd/\(STDOUT_FILENO)", flags)
    if own >= 0 { return own }
    // It belongs to another user, as after su(1). Anyone may open the controlling terminal; whether it is the same one says
    // TIOCGDEV (linux/tty_io.h), whose number Swift does not import.
    let controlling = open("/dev/tty", flags)
    var (number, output) = (CUnsignedInt(0), stat())
    if controlling >= 0, ioctl(controlling, 0x8004_5432, &number) == 0, fstat(STDOUT_FILENO, &output) == 0,
      dev_t(number) == output.st_rdev
    {
      return controlling
    }
    if controlling >= 0 { close(controlling) }
    return fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3)
  }

  /// The size in cells, of which there are enough on every screen.
  private var size: (columns: Int, rows: Int) {
    let (columns, rows) = terminalSize(of: descriptor) ?? (Prose.width, 24)
    return (min(columns, 1000), min(rows, 500))
  }

  /// Whether it has taken all that was written; if not, a new frame would only wait.
  var isReady: Bool { unwritten.isEmpty }

  // MARK: Modes

  /// Begins the picture, or sets everything again if something else has used the terminal meanwhile.
  func show() throws(OutputError) {
    if !isShown {
      guard tcgetattr(descriptor, &savedModes) == 0 else { throw .failed(errno) }
      isShown = true
    }
    CrashRestoration.arm(descriptor, modes: savedModes, sequence: "\u{18}" + Self.end)
    catchSignals()
    var modes = savedModes
    // No echo, no lines, and Ctrl-S does not stop the output. Ctrl-C and Ctrl-Z still send their signals.
    modes.c_lflag &= ~tcflag_t(ECHO | ICANON | IEXTEN)
    modes.c_iflag &= ~tcflag_t(IXON | ICRNL)
    // Each key counts at once: VTIME and VMIN (termios(3)), which another program may have set.
    (modes.c_cc.5, modes.c_cc.6) = (0, 1)
    guard tcsetattr(descriptor, TCSANOW, &modes) == 0 else { throw .failed(errno) }
    unwritten = []
    try write(Self.begin)
  }

  /// Restores the terminal if one of the signals comes, but for those that are ignored, as by nohup(1).
  private func catchSignals() {
    if actionsBefore.isEmpty {
      actionsBefore = signals.compactMap { number in
        var action = sigaction()
        sigaction(number, nil, &action)
        let isIgnored = unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self) == 1  // SIG_IGN
        return isIgnored ? nil : (number, action)
      }
    }
    for (number, _) in actionsBefore { signal(number, CrashRestoration.handler) }
  }

  /// Ends the picture: the terminal is as it was before.
  func restore() {
    guard isShown else { return }
    isShown = false
    CrashRestoration.disarm()
    for (number, action) in actionsBefore {
      var action = action
      sigaction(number, &action, nil)
    }
    actionsBefore = []
    // If only a part of a sequence was taken, CAN ends it.
    let sequence = (unwritten.isEmpty ? "" : "\u{18}") + Self.end
    unwritten = []
    // In the background, the kernel would stop this process for these calls.
    Self.blocking(SIGTTOU) {
      try? write(sequence)
      if !unwritten.isEmpty {
        var event = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        poll(&event, 1, 200)
        try? flush()
      }
      tcsetattr(descriptor, TCSANOW, &savedModes)
    }
  }

  /// Whether a signal has stopped this process, and the terminal is restored: ``show()`` shows the picture again.
  var wasStopped: Bool { isShown && !CrashRestoration.isArmed }

  /// Stops this process, as Ctrl-Z is meant, and shows the picture again when it is continued.
  func suspend() throws(OutputError) {
    restore()
    var stop = sigset_t()
    sigemptyset(&stop)
    sigaddset(&stop, SIGTSTP)
    pthread_sigmask(SIG_UNBLOCK, &stop, nil)
    // It returns when the process is continued, or at once if there is no shell that could do this.
    raise(SIGTSTP)
    pthread_sigmask(SIG_BLOCK, &stop, nil)
    try show()
  }

  private static func blocking(_ number: CInt, _ body: () -> Void) {
    var (signals, before) = (sigset_t(), sigset_t())
    sigemptyset(&signals)
    sigaddset(&signals, number)
    pthread_sigmask(SIG_BLOCK, &signals, &before)
    body()
    pthread_sigmask(SIG_SETMASK, &before, nil)
  }

  // MARK: Output and input

  /// Draws a frame, if the terminal has taken those before.
  func draw(_ state: PictureState) throws(OutputError) {
    try flush()
    guard isReady else { return }
    let (columns, rows) = size
    try write(writer.update(to: state.frame(columns: columns, rows: rows, range: range)))
  }

  /// Forgets what is shown: the next frame is written completely.
  func reset() { writer.reset() }

  /// Writes a text, as far as the terminal takes it; ``flush()`` writes the rest later.
  private func write(_ text: String) throws(OutputError) {
    unwritten += Array(text.utf8)
    try flush()
  }

  /// Writes what the terminal has not taken before.
  private func flush() throws(OutputError) {
    while !unwritten.isEmpty {
      let count = unwritten.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if count < 0 {
        if errno == EINTR { continue }
        if errno == EAGAIN { return }
        // A terminal whose window is closed fails with EIO.
        throw errno == EIO || errno == EPIPE ? .closed : .failed(errno)
      }
      unwritten.removeFirst(count)
    }
  }

  /// Whether something was typed.
  var hasInput: Bool {
    var event = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
    return poll(&event, 1, 0) > 0
  }

  /// Reads what was typed, after the loop has found that there is something.
  ///
  /// - Returns: the bytes; nil if there will never be any.
  func read() -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: 256)
    let count = bytes.withUnsafeMutableBytes { Glibc.read(STDIN_FILENO, $0.baseAddress, $0.count) }
    if count < 0 { return errno == EINTR || errno == EAGAIN ? [] : nil }
    return count == 0 ? nil : Array(bytes.prefix(count))
  }
}

extension TerminalVariables {
  /// What characters the terminal shows, by the locale.
  ///
  /// Without any locale, as in a new container, terminals show UTF-8 today.
  var range: CharacterRange {
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"].compactMap(value).first { !$0.isEmpty }
    let charset = (locale ?? "UTF-8").uppercased()
    guard charset.contains("UTF-8") || charset.contains("UTF8") else { return .ascii }
    // The font of the kernel's console has no Braille patterns.
    return type.hasPrefix("linux") ? .blocks : .braille
  }
}

/// Restores the terminal if a signal kills or stops the program: what runs then may only make calls that are safe in a signal handler.
private enum CrashRestoration {
  nonisolated(unsafe) private static var descriptor: CInt = -1
  // Not a static termios: for that, Swift 6.3 has 57 bytes, and copies all 60 of the structure there.
  nonisolated(unsafe) private static let modes = UnsafeMutablePointer<termios>.allocate(capacity: 1)
  nonisolated(unsafe) private static var sequence = UnsafeMutableBufferPointer<UInt8>(start: nil, count: 0)

  static func arm(_ descriptor: CInt, modes: termios, sequence text: String) {
    disarm()
    sequence.deallocate()
    sequence = .allocate(capacity: text.utf8.count)
    _ = sequence.initialize(from: text.utf8)
    self.modes.initialize(to: modes)
    self.descriptor = descriptor
  }

  static func disarm() { descriptor = -1 }

  static var isArmed: Bool { descriptor >= 0 }

  /// Restores, and lets the signal kill or stop the process.
  static let handler: @convention(c) (CInt) -> Void = { number in
    if CrashRestoration.descriptor >= 0 {
      var signals = sigset_t()
      sigemptyset(&signals)
      sigaddset(&signals, SIGTTOU)
      pthread_sigmask(SIG_BLOCK, &signals, nil)
      _ = write(
        CrashRestoration.descriptor, CrashRestoration.sequence.baseAddress, CrashRestoration.sequence.count)
      tcsetattr(CrashRestoration.descriptor, TCSANOW, CrashRestoration.modes)
      CrashRestoration.descriptor = -1
    }
    signal(number, SIG_DFL)
    raise(number)
  }
}
