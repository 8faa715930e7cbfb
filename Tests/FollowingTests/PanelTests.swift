// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import Following

@Suite("The panel among the outputs")
struct PanelTests {
  @Test(
    "is the only one that is built in", arguments: ["eDP-1", "DSI-2", "LVDS-1", "eDP1", "DPI-1", "SPI-1"])
  func builtIn(name: String) {
    #expect(Panel(among: [output("HDMI-A-1"), output(name), output("DP-1")], named: nil) == .found([name]))
  }

  @Test("is one of a kind that is less certain only without a more certain one")
  func certainty() {
    #expect(Panel(among: [output("DPI-1"), output("eDP-1")], named: nil) == .found(["eDP-1"]))
    #expect(Panel(among: [output("Unknown-1")], named: nil) == .found(["Unknown-1"]))
    #expect(Panel(among: [output("Unknown-1"), output("HDMI-A-1")], named: nil) == .ambiguous)
  }

  @Test("are two of one kind in a laptop with two screens")
  func two() {
    let outputs = [output("eDP-2"), output("HDMI-A-1"), output("eDP-1")]
    #expect(Panel(among: outputs, named: nil) == .found(["eDP-1", "eDP-2"]))
    #expect(Panel(among: outputs, named: "eDP-2") == .found(["eDP-2"]))
    #expect(Panel(among: outputs + [output("eDP-3")], named: nil) == .ambiguous)
  }

  @Test("is the one that was named, also if another one is built in")
  func named() {
    #expect(Panel(among: [output("eDP-1"), output("HDMI-A-1")], named: "HDMI-A-1") == .found(["HDMI-A-1"]))
    #expect(Panel(among: [output("eDP-1"), output("DSI-1")], named: "DSI-1") == .found(["DSI-1"]))
  }

  @Test("is ambiguous if several of different kinds are built in, or none of those that are there")
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
