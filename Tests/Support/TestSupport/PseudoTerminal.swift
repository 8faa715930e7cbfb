// SPDX-License-Identifier: Apache-2.0

import CProcess
import Glibc

/// A terminal whose window is the test: it reads what programs write, and types.
package final class PseudoTerminal {
  private let window: CInt
  private var device: CInt
  private let name: String

  /// Opens a terminal of this size.
  ///
  /// - Throws: ``GaveUp`` if there is none.
  package init(columns: UInt16, rows: UInt16) throws {
    window = posix_openpt(O_RDWR | O_NOCTTY)
    guard window >= 0, grantpt(window) == 0, unlockpt(window) == 0, let path = terminalName(of: window) else {
      throw GaveUp(description: "no terminal: errno \(errno)")
    }
    name = path
    device = open(name, O_RDWR | O_NOCTTY)
    for descriptor in [window, device] { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
    resize(columns: columns, rows: rows)
  }

  deinit { closeWindow() }

  /// Starts a program in it.
  package func start(
    _ program: String, _ arguments: [String], environment: [String: String] = [:]
  ) throws -> ChildProcess {
    try ChildProcess(program, arguments, environment: environment, input: .path(name), output: device)
  }

  /// Gives it another size; a program is notified only if this is its controlling terminal.
  package func resize(columns: UInt16, rows: UInt16) {
    var size = winsize(ws_row: rows, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
    _ = ioctl(window, UInt(TIOCSWINSZ), &size)
  }

  /// Types a text.
  package func type(_ text: String) { _ = write(window, text, text.utf8.count) }

  /// What programs have written since the last call, after a moment for more.
  package func read() -> [UInt8] {
    var bytes: [UInt8] = []
    var event = pollfd(fd: window, events: Int16(POLLIN), revents: 0)
    var block = [UInt8](repeating: 0, count: 65536)
    while poll(&event, 1, 5) > 0 {
      let count = Glibc.read(window, &block, block.count)
      guard count > 0 else { break }
      bytes += block.prefix(count)
    }
    return bytes
  }

  /// Whether the kernel edits lines and echoes them, as for a shell.
  package var editsLines: Bool {
    var modes = termios()
    guard tcgetattr(window, &modes) == 0 else { return false }
    return modes.c_lflag & tcflag_t(ECHO | ICANON) == tcflag_t(ECHO | ICANON)
      && modes.c_iflag & tcflag_t(ICRNL) != 0
  }

  /// Closes the window, as when it is destroyed.
  package func closeWindow() {
    guard device >= 0 else { return }
    close(device)
    close(window)
    device = -1
  }
}

/// The name of the terminal of a pseudo-terminal's other end; nil if there is none.
///
/// Tests run at the same time, and ptsname(3) has one buffer for all.
func terminalName(of window: CInt) -> String? {
  var name = [CChar](repeating: 0, count: 64)
  guard ptsname_r(window, &name, UInt(name.count)) == 0 else { return nil }
  return String(decoding: name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
}
