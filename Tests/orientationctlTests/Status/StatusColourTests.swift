// SPDX-License-Identifier: Apache-2.0

import Orientation
import TestSupport
import Testing

@Suite("The colours of orientationctl status")
struct StatusColourTests {
  private let bus: PrivateBus

  init() throws { bus = try PrivateBus() }

  /// What is written to a terminal, or to something else, by lines.
  private func lines(
    _ command: String, _ settings: String = "TERM=xterm", to kind: OutputReader.Kind = .terminal
  ) throws -> [String] {
    let reader = try OutputReader(kind)
    let program = try reader.start("sh", ["-c", "\(settings) exec orientationctl \(command)"], on: bus)
    let text = reader.readAll()
    try program.exitCode()
    return text.split(whereSeparator: \.isNewline).map(String.init)
  }

  private func isColoured(_ line: String) -> Bool { line.contains("\u{1b}") }

  @Test("show which lines say that something is wrong, and only the values of these")
  func noSensor() throws {
    let daemon = try bus.startDaemon(sensor: "no-such-sensor")
    let coloured = try lines("status").filter(isColoured)
    #expect(
      coloured.map { $0.prefix { $0 != "\u{1b}" } } == [
        "Orientation    ", "Sensor         ", "Sensor status  ",
      ])
    #expect(coloured.contains("Sensor         \u{1b}[1;31mnone\u{1b}[0m"))
    #expect(coloured.allSatisfy { $0.hasSuffix("\u{1b}[0m") })
    withExtendedLifetime(daemon) {}
  }

  @Test("are absent if nothing is wrong, also while rotation is locked")
  func nothingWrong() throws {
    let sensor = try bus.folder.write(recording([.landscapeLeft]), to: "still.csv")
    let daemon = try bus.startDaemon(sensor: "replay:\(sensor)")
    #expect(try bus.orientationctl("lock").exitCode() == 0)
    let shown = try lines("status")
    #expect(shown.contains("Rotation lock  on"))
    #expect(!shown.contains(where: isColoured), "\(shown)")
    withExtendedLifetime(daemon) {}
  }

  @Test(
    "are absent if the user wants none, or the output is a terminal that may not have them, or no terminal",
    arguments: [
      ("TERM=xterm NO_COLOR=1", OutputReader.Kind.terminal), ("TERM=dumb", .terminal), ("", .terminal),
      ("TERM=xterm", .pipe), ("TERM=xterm", .socket),
    ])
  func noColours(settings: String, kind: OutputReader.Kind) throws {
    let daemon = try bus.startDaemon(sensor: "no-such-sensor")
    let shown = try lines("status", settings, to: kind)
    #expect(shown.contains("Sensor         none"))
    #expect(!shown.contains(where: isColoured), "\(shown)")
    withExtendedLifetime(daemon) {}
  }

  @Test("are there if NO_COLOR is set to nothing, as https://no-color.org has it")
  func emptyNoColor() throws {
    let daemon = try bus.startDaemon(sensor: "no-such-sensor")
    #expect(try lines("status", "TERM=xterm NO_COLOR=").contains(where: isColoured))
    withExtendedLifetime(daemon) {}
  }

  @Test("are not in JSON")
  func json() throws {
    let daemon = try bus.startDaemon(sensor: "no-such-sensor")
    #expect(try !lines("status --json").contains(where: isColoured))
    withExtendedLifetime(daemon) {}
  }

  @Test("mark the error if no daemon runs, by the rules for the standard error")
  func notRunning() throws {
    let error = try #require(try lines("status 2>&1").first)
    #expect(error.hasPrefix("\u{1b}[1;31mError:\u{1b}[0m orientationd does not run on the system bus"))
    let plain = try #require(try lines("status 2>&1", "TERM=xterm NO_COLOR=1").first)
    #expect(plain.hasPrefix("Error: orientationd does not run on the system bus"))
    // The output is a terminal here, and the error is none.
    let file = "\(bus.folder.path)/errors"
    #expect(try lines("status 2>\(file)").isEmpty)
    #expect(bus.folder.read("errors").hasPrefix("Error: orientationd does not run"))
  }

  @Test("mark another version of the daemon, in which control characters are escaped as always")
  func otherVersion() throws {
    let daemon = try MockDaemon(on: bus, sensorName: hostileName.filter { $0 != "\u{0}" }, sampleRate: 25)
    let coloured = try lines("status").filter(isColoured)
    // The sensor's name is its warning, too.
    #expect(coloured.map { $0.prefix { $0 != " " } } == ["Daemon", "Warning"])
    let line = try #require(coloured.first)
    #expect(line.hasPrefix("Daemon         \u{1b}[1;31mrunning on the system bus, version acc\\u{1b}[2J"))
    #expect(line.unicodeScalars.count { $0 == "\u{1b}" } == 2)
    withExtendedLifetime(daemon) {}
  }
}
