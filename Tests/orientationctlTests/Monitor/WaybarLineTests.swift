// SPDX-License-Identifier: Apache-2.0

import OrientationClient
import TestSupport
import Testing

@testable import OrientationctlKit

@Suite("The line for waybar")
struct WaybarLineTests {
  private var screen: ScreenSnapshot {
    var screen = ScreenSnapshot()
    screen.orientation = .landscapeRight
    return screen
  }

  @Test("shows the lock, for the icon and for the style sheet, and the orientation")
  func lock() {
    var screen = screen
    #expect(
      WaybarLine(of: screen).json.text
        == #"{"text":"rotation unlocked","alt":"unlocked","class":["unlocked","landscapeRight"],"#
        + #""tooltip":"rotation is unlocked; the interface is in landscapeRight"}"#)
    screen.lock = .locked
    #expect(
      WaybarLine(of: screen).json.text
        == #"{"text":"rotation locked","alt":"locked","class":["locked","landscapeRight"],"#
        + #""tooltip":"rotation is locked in landscapeRight"}"#)
  }

  @Test(
    "shows each hold in a line, with the texts of apps as they are, not as markup, and with nothing drawn on what is around them"
  )
  func holds() {
    var screen = screen
    screen.holds = [
      .init(
        number: 1, orientations: .landscape, application: "<b>A&B</b>",
        reason: "a \"film\"\nheld by \u{1b}[2J"),
      .init(number: 2, orientations: .landscapeLeft, application: "org.example.Game", reason: "\u{338}5 > 4"),
    ]
    #expect(
      WaybarLine(of: screen).tooltip.split(separator: "\n") == [
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
    let text = WaybarLine(of: screen).json.text
    #expect(!text.contains("\n") && isHarmless(text))
    #expect(try object(text)["tooltip"] as? String == WaybarLine(of: screen).tooltip)
  }
}
