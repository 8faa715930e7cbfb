// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import Following

@Suite("The panel among the outputs")
struct PanelTests {
  @Test("is the only one that is built in", arguments: ["eDP-1", "DSI-2", "LVDS-1"])
  func builtIn(name: String) {
    #expect(Panel(among: [output("HDMI-A-1"), output(name), output("DP-1")], named: nil) == .found(name))
  }

  @Test("is the one that was named, also if another one is built in")
  func named() {
    #expect(Panel(among: [output("eDP-1"), output("HDMI-A-1")], named: "HDMI-A-1") == .found("HDMI-A-1"))
    #expect(Panel(among: [output("eDP-1"), output("DSI-1")], named: "DSI-1") == .found("DSI-1"))
  }

  @Test("is ambiguous if several are built in, or none of those that are there")
  func ambiguous() {
    #expect(Panel(among: [output("eDP-1"), output("DSI-1")], named: nil) == .ambiguous)
    #expect(Panel(among: [output("HDMI-A-1")], named: nil) == .ambiguous)
    #expect(Panel(among: [output("XeDP-1")], named: nil) == .ambiguous)
  }

  @Test("is missing while there are no outputs, or not the one that was named")
  func missing() {
    #expect(Panel(among: [], named: nil) == .missing)
    #expect(Panel(among: [output("eDP-1")], named: "DSI-1") == .missing)
  }

  @Test("is listed with the others, and names from outside are printable")
  func list() {
    #expect([output("eDP-1"), output("D\n1", isEnabled: false)].list == #"eDP-1, D\u{a}1 (off)"#)
    #expect([Output]().list == "none")
  }
}
