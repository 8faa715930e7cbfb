// SPDX-License-Identifier: Apache-2.0

import Following
import Glibc
import IIO
import Orientation
import Systemd

/// The picture of a calibration in the terminal, which is drawn again with each sample.
final class CalibrationScreen {
  /// The longest time that the picture moves between two samples, in seconds: a slow hub takes longer for one.
  private static let longestStep = 0.1

  /// What is shown.
  var picture: CalibrationPicture

  private let terminal: PictureTerminal
  private var keys = PictureKeys()
  private var lastFrame: BootTime?

  /// Prepares the terminal; nil if the standard input and output are none that can show a picture.
  init?(natural: NaturalOrientation) {
    guard isatty(STDIN_FILENO) != 0, let terminal = try? PictureTerminal(hasLoop: false) else { return nil }
    self.terminal = terminal
    picture = CalibrationPicture(natural: natural)
  }

  /// Begins the picture.
  func begin() throws(OutputError) { try terminal.show() }

  /// Ends it: the terminal is as it was before.
  func end() { terminal.restore() }

  /// Draws the present state.
  func draw() throws(OutputError) {
    if terminal.wasStopped {
      try terminal.show()
      terminal.reset()
    }
    let now = BootTime.now
    picture.advance(seconds: lastFrame.map { min(now.seconds(since: $0), Self.longestStep) } ?? 0)
    lastFrame = now
    try terminal.draw(picture.state)
  }

  /// The keys that were pressed since the last call.
  ///
  /// - Returns: the keys; `quit` also if the terminal is closed.
  func pressedKeys() -> [PictureKey] {
    var pressed: [PictureKey] = []
    while terminal.hasInput {
      guard let bytes = terminal.read() else { return [.quit] }
      pressed += keys.read(bytes)
    }
    if pressed.contains(.redraw) { terminal.reset() }
    return pressed
  }
}
