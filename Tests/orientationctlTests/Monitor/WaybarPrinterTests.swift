// SPDX-License-Identifier: Apache-2.0

import DaemonClient
import Orientation
import TestSupport
import Testing

@testable import Monitoring

@Suite("The line for waybar")
struct WaybarPrinterTests {
  private var screen: ScreenSnapshot {
    var screen = ScreenSnapshot()
    screen.orientation = .landscapeRight
    return screen
  }

  /// The lines of the tooltip, as waybar reads them.
  private func tooltip(_ screen: ScreenSnapshot) throws -> [Substring] {
    let text = try object(WaybarPrinter.line(of: screen))["tooltip"] as? String
    return try #require(text).split(separator: "\n")
  }

  @Test("shows the lock, for the icon and for the style sheet, and the orientation")
  func lock() {
    var screen = screen
    #expect(
      WaybarPrinter.line(of: screen)
        == #"{"text":"rotation unlocked","alt":"unlocked","class":["unlocked","landscapeRight"],"#
        + #""tooltip":"rotation is unlocked; the interface is in landscapeRight"}"#)
    screen.lock = .locked
    #expect(
      WaybarPrinter.line(of: screen)
        == #"{"text":"rotation locked","alt":"locked","class":["locked","landscapeRight"],"#
        + #""tooltip":"rotation is locked in landscapeRight"}"#)
  }

  @Test(
    "shows each hold in a line, with the texts of apps as they are, not as markup, and with nothing drawn on what is around them"
  )
  func holds() throws {
    var screen = screen
    screen.holds = [
      .init(
        number: 1, orientations: .landscape, application: "<b>A&B</b>",
        reason: "a \"film\"\nheld by \u{1b}[2J"),
      .init(number: 2, orientations: .landscapeLeft, application: "org.example.Game", reason: "\u{338}5 > 4"),
    ]
    #expect(
      try tooltip(screen) == [
        "rotation is unlocked; the interface is in landscapeRight",
        #"held by &lt;b&gt;A&amp;B&lt;/b&gt;: landscapeRight, landscapeLeft (a "film"\u{a}held by \u{1b}[2J)"#,
        #"held by org.example.Game: landscapeLeft (\u{338}5 &gt; 4)"#,
      ])
  }

  @Test("is one line, whatever apps and the daemon say")
  func hostile() throws {
    var screen = screen
    screen.holds = [
      .init(number: 1, orientations: .all, application: hostileName, reason: hostileName)
    ]
    let text = WaybarPrinter.line(of: screen)
    #expect(!text.contains("\n") && isHarmless(text))
    #expect(try tooltip(screen).count == 2)
  }
}

extension InterfaceOrientationHold {
  fileprivate init(
    number: UInt32, orientations: InterfaceOrientationMask, application: String, reason: String
  ) {
    self.init()
    (self.number, self.orientations) = (number, orientations)
    (self.application, self.reason) = (application, reason)
  }
}
