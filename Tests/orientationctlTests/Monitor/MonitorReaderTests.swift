// SPDX-License-Identifier: Apache-2.0

import Glibc
import Orientation
import TestSupport
import Testing

/// After the first line nothing changes in any of these, so no write could show that nobody reads.
@Suite("orientationctl monitor and what reads its output")
struct MonitorReaderTests {
  private let bus: PrivateBus
  private let daemon: ChildProcess

  init() throws {
    bus = try PrivateBus()
    let folder = bus.folder
    let sensor = try folder.write(recording([.faceUp]), to: "still.csv")
    daemon = try bus.startDaemon(sensor: "replay:\(sensor)")
  }

  private func isGenerating() throws -> Bool? {
    try object(bus.orientationctl("status", "--json").output)["generating"] as? Bool
  }

  @Test(
    "it ends, and so does its subscription, when the reader is gone", arguments: OutputReader.Kind.allCases)
  func readerEnds(kind: OutputReader.Kind) throws {
    let reader = try OutputReader(kind)
    let monitor = try reader.start("orientationctl", ["monitor", "--device"], on: bus)
    #expect(reader.readLine().contains("device faceUp"))
    #expect(try isGenerating() == true)
    reader.close()
    #expect(try monitor.exitCode() == 0)
    #expect(!monitor.errors.contains("Error"))
    #expect(try isGenerating() == false)
  }

  @Test(
    "it ends also if its parent ignores broken pipes and hang-ups", arguments: OutputReader.Kind.allCases)
  func signalsIgnored(kind: OutputReader.Kind) throws {
    let reader = try OutputReader(kind)
    let command = "trap '' PIPE HUP; exec orientationctl monitor --device"
    let monitor = try reader.start("sh", ["-c", command], on: bus)
    #expect(reader.readLine().contains("device faceUp"))
    reader.close()
    #expect(try monitor.exitCode() == 0)
    #expect(try isGenerating() == false)
  }

  @Test(
    "it ends also while no daemon runs, so that it has printed nothing", arguments: OutputReader.Kind.allCases
  )
  func noDaemon(kind: OutputReader.Kind) throws {
    daemon.send(SIGTERM)
    try daemon.exitCode()
    let reader = try OutputReader(kind)
    let monitor = try reader.start("orientationctl", ["monitor"], on: bus)
    try wait(for: "a note") { monitor.errors.contains("waiting for it") }
    reader.close()
    #expect(try monitor.exitCode() == 0)
  }

  @Test("signals that its parent ignores do not end it, as under nohup")
  func endsIgnored() throws {
    let reader = try OutputReader(.socket)
    let command = "trap '' HUP INT; exec orientationctl monitor --device"
    let monitor = try reader.start("sh", ["-c", command], on: bus)
    #expect(reader.readLine().contains("device faceUp"))
    for signal in [SIGHUP, SIGINT] { monitor.send(signal) }
    // It has had the time of two programs to end.
    for _ in 0..<2 { #expect(try isGenerating() == true) }
    monitor.send(SIGTERM)
    #expect(try monitor.exitCode() == 0)
  }

  @Test("it goes on while it is only not read, or what it reads itself ends")
  func idleReader() throws {
    let reader = try OutputReader(.socket)
    let monitor = try reader.start("orientationctl", ["monitor", "--screen"], on: bus)
    #expect(reader.readLine().contains("interface portrait"))
    // The reader says that it writes nothing, and writes something before: neither is the end of the reading.
    reader.write("x")
    reader.endWriting()
    #expect(try bus.orientationctl("lock").exitCode() == 0)
    #expect(reader.readLine().contains("rotation locked"))
    #expect(monitor.isRunning)
  }

  @Test(
    "it goes on if the output is a file or a device that nothing reads", arguments: ["file", "/dev/null"])
  func noReader(output: String) throws {
    let path = output == "file" ? try bus.folder.write("", to: "lines") : output
    let command = "exec orientationctl monitor --device --count 1 >\(path)"
    #expect(try bus.start("sh", ["-c", command]).exitCode() == 0)
    if output == "file" { #expect(bus.folder.read("lines").contains("device faceUp")) }
  }

  @Test("it fails if there is no output at all")
  func noOutput() throws {
    let monitor = try bus.start("sh", ["-c", "exec orientationctl monitor --device >&-"])
    #expect(try monitor.exitCode() == 1)
    #expect(monitor.errors.contains("the output cannot be written: Bad file descriptor"))
  }

  @Test("it goes on without an input and without a place for messages")
  func noInputAndErrors() throws {
    let monitor = try bus.start("sh", ["-c", "exec orientationctl monitor --device --seconds 1 <&- 2>&-"])
    #expect(try monitor.exitCode() == 0)
    #expect(monitor.output.hasSuffix("device faceUp\n"))
    #expect(try isGenerating() == false)
  }
}
