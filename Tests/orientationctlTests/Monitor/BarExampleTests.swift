// SPDX-License-Identifier: Apache-2.0

import Foundation
import Orientation
import TestSupport
import Testing

/// What the bars run; `make test-waybar` is a real waybar.
@Suite("The examples for bars")
struct BarExampleTests {
  private let bus: PrivateBus
  private let sensor: String

  init() throws {
    bus = try PrivateBus()
    sensor = "replay:\(try bus.folder.write(recording([.faceUp]), to: "replay.csv"))"
  }

  /// The only match of an expression in an example.
  private func value(_ pattern: Regex<(Substring, Substring)>, in example: String) throws -> String {
    let values = try projectFile("examples/bars/\(example)").matches(of: pattern)
    #expect(values.count == 1)
    return String(try #require(values.first).1)
  }

  private func waybar() throws -> [String: Any] {
    let text = try projectFile("examples/bars/waybar.jsonc").replacing(/(?m)^\/\/.*$/) { _ in "" }
    return try #require(object(text)["custom/rotation"] as? [String: Any])
  }

  @Test("for waybar has an icon for each state, and runs what prints them")
  func icons() throws {
    let module = try waybar()
    let icons = try #require(module["format-icons"] as? [String: String])
    #expect(icons.keys.sorted() == ["locked", "unavailable", "unlocked"])
    let daemon = try bus.startDaemon(sensor: sensor)
    let monitor = try bus.start("sh", ["-c", try #require(module["exec"] as? String)])
    try wait(for: "the present state") { monitor.lines.count == 1 }
    let click = try bus.start("sh", ["-c", try #require(module["on-click"] as? String)])
    #expect(try click.exitCode() == 0)
    try wait(for: "the click") { monitor.lines.count == 2 }
    daemon.send(SIGTERM)
    try wait(for: "the end of the daemon") { monitor.lines.count == 3 }
    let states = try monitor.lines.map { try object($0)["alt"] as? String }
    #expect(states == ["unlocked", "locked", "unavailable"])
  }

  @Test("for polybar prints the text alone, at once")
  func text() throws {
    let command = try value(/(?m)^exec = (.*)$/, in: "polybar.ini")
    let daemon = try bus.startDaemon(sensor: sensor)
    let shown = try bus.start("sh", ["-c", command])
    try wait(for: "the present state") { shown.lines == ["rotation unlocked"] }
    let click = try bus.start("sh", ["-c", value(/(?m)^click-left = (.*)$/, in: "polybar.ini")])
    #expect(try click.exitCode() == 0)
    try wait(for: "the click") { shown.lines == ["rotation unlocked", "rotation locked"] }
    daemon.send(SIGTERM)
    try wait(for: "the end of the daemon") { shown.lines.last == "rotation unavailable" }
    try bus.end()
    #expect(try shown.exitCode() == 0)
  }

  @Test("for eww begins with what a line without a daemon has, and runs the same commands")
  func eww() throws {
    let initial = try object(value(/:initial '(.*)'/, in: "eww.yuck"))
    let line = try object(bus.orientationctl("monitor", "--waybar", "--count", "1").output)
    for (name, value) in initial { #expect(line[name] as? String == value as? String, "\(name)") }
    #expect(initial.count == 2)
    let module = try waybar()
    #expect(try value(/\n  "(orientationctl .*)"\)/, in: "eww.yuck") == module["exec"] as? String)
    #expect(try value(/:onclick "([^"]*)"/, in: "eww.yuck") == module["on-click"] as? String)
  }
}
