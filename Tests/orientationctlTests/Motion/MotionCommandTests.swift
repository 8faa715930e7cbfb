// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import Orientation
import TestSupport
import Testing

@testable import OrientationctlKit

@Suite("orientationctl motion")
struct MotionCommandTests {
  private let socket: FakeMotionSocket
  private let folder: TemporaryFolder

  init() throws {
    socket = try FakeMotionSocket()
    folder = try TemporaryFolder()
  }

  private func start(_ arguments: String...) throws -> ChildProcess {
    try ChildProcess("orientationctl", ["motion", "--socket", socket.path] + arguments)
  }

  @Test("requests a sensor at an interval, and prints a line for each sample until Ctrl-C")
  func lines() throws {
    let program = try start("gravity", "--every", "12.5")
    let connection = try socket.accept()
    try connection.wait(forRequests: 1)
    #expect(connection.requests == [.start(.gravity, interval: MotionInterval(nearestTo: 12_500))])
    try connection.send(.active, of: .gravity)
    try connection.send(.gravity, 0.0004, -9.80665, 1.5)
    try connection.send(.accelerometer, 1, 1, 1)
    try connection.send(.gravity, 10, 0, 0, at: 2, lost: 3)
    try connection.send(.gravity, 10, 0, 0, at: 3, lost: 1)
    try wait(for: "three lines") { program.lines.count >= 3 }
    program.send(SIGINT)
    #expect(try program.exitCode() == 0)
    #expect(program.lines.count == 3)
    #expect(program.lines[0].wholeMatch(of: /\d\d:\d\d:\d\d\.\d{3}    0\.000   -9\.807    1\.500/) != nil)
    #expect(program.lines[1].hasSuffix("   10.000    0.000    0.000"))
    #expect(
      program.errors == "orientationctl: 3 samples were lost\norientationctl: 1 sample was lost\n")
  }

  @Test("breaks its messages between words on a narrow terminal, and nowhere else")
  func narrowTerminal() throws {
    let words = ["motion", "--socket", "/no/socket", "--seconds", "0.1"]
    let terminal = try PseudoTerminal(columns: 30, rows: 24)
    let program = try terminal.start(
      "sh", ["-c", "exec orientationctl \"$@\" 2>&1", "sh"] + words, environment: ["TERM": "dumb"])
    var shown = ""
    try wait(for: "the end") {
      let isRunning = program.isRunning
      shown += String(decoding: terminal.read(), as: UTF8.self)
      return !isRunning
    }
    #expect(
      shown.split(whereSeparator: \.isNewline) == [
        "orientationctl: nobody listens", "at /no/socket: No such file or", "directory; waiting for it",
        "Error: there was no sample", "during that time: nobody", "listens at /no/socket: No such",
        "file or directory",
      ])
    let piped = try ChildProcess("orientationctl", words)
    #expect(try piped.exitCode() == 1)
    #expect(
      piped.errors.hasPrefix(
        "orientationctl: nobody listens at /no/socket: No such file or directory; waiting for it\n"))
  }

  @Test("prints objects for programs")
  func json() throws {
    let program = try start("gyroscope", "--json")
    let connection = try socket.accept()
    try connection.send(.gyroscope, 0.1, 0.2, -0.3, at: 5, lost: 2)
    try wait(for: "a line") { !program.lines.isEmpty }
    program.send(SIGTERM)
    #expect(try program.exitCode() == 0)
    let line = try object(program.output)
    #expect(line["sensor"] as? String == "gyroscope")
    #expect(line["boottime_ns"] as? Int == 5_000_000_000)
    #expect(line["lost"] as? Int == 2)
    #expect(line["rotation_rate_rad_s"] as? [Double] == [0.1, 0.2, -0.3])
    #expect((line["time"] as? String)?.contains("T") == true)
    #expect(program.errors.isEmpty)
  }

  @Test("ends at once if reading motion is not allowed, and waits if it was allowed before")
  func denied() throws {
    let refused = try start()
    var connection = try socket.accept()
    try connection.send(.denied, of: .accelerometer)
    #expect(try refused.exitCode() == 1)
    #expect(refused.errors.hasPrefix("Error: reading motion is not allowed"))

    let program = try start()
    connection = try socket.accept()
    try connection.send(.accelerometer, 0, 0, 9.8)
    try connection.send(.denied, of: .accelerometer)
    try wait(for: "a note") { program.errors.contains("not allowed at present; waiting until it is") }
    try connection.send(.accelerometer, 0, 0, 9.8)
    try wait(for: "another line") { program.lines.count == 2 }
  }

  @Test("says why there are no samples, and fails if there were none in time")
  func noSamples() throws {
    let program = try start("gyroscope")
    let connection = try socket.accept()
    try connection.send(.noSensor, of: .gyroscope)
    try wait(for: "a note") { program.errors.hasSuffix("\n") }
    program.send(SIGINT)
    #expect(try program.exitCode() == 0)
    #expect(program.errors == "orientationctl: there is no gyroscope; waiting for one\n")
    socket.stop()
    let absent = try orientationctl("motion", "--socket", socket.path, "--seconds", "0.1")
    #expect(try absent.exitCode() == 1)
    #expect(
      absent.errors == """
        orientationctl: nobody listens at \(socket.path): No such file or directory; waiting for it
        Error: there was no sample during that time: nobody listens at \(socket.path): No such file or directory

        """)
  }

  @Test("waits for a daemon that restarts")
  func restart() throws {
    let program = try start()
    for count in 1...2 {
      let connection = try socket.accept()
      try connection.wait(forRequests: 1)
      try connection.send(.accelerometer, 0, 0, 9.8)
      try wait(for: "a line") { program.lines.count == count }
      connection.end()
      try wait(for: "a note") {
        program.errors.components(separatedBy: "orientationd has ended").count == count + 1
      }
    }
  }

  @Test("tries again if the daemon refuses it")
  func refused() throws {
    let program = try start()
    let connection = try socket.accept()
    try connection.send(.limitsExceeded, of: nil)
    connection.end()
    try wait(for: "a note") { program.errors.contains("or makes too many requests; trying again\n") }
    let next = try socket.accept()
    try next.send(.accelerometer, 0, 0, 9.8)
    try wait(for: "a line") { program.lines.count == 1 }
  }

  @Test("ends when the reader of its lines is gone", arguments: OutputReader.Kind.allCases)
  func reader(kind: OutputReader.Kind) throws {
    let reader = try OutputReader(kind)
    let bus = try PrivateBus()
    let program = try reader.start("orientationctl", ["motion", "--socket", socket.path], on: bus)
    let connection = try socket.accept()
    try connection.send(.accelerometer, 0, 0, 9.8)
    #expect(reader.readLine().contains("9.800"))
    reader.close()
    #expect(try program.exitCode() == 0)
    try connection.waitForEnd()
  }

  @Test("draws the samples")
  func plot() throws {
    let picture = "\(folder.path)/a.svg"
    let program = try start("--plot", picture)
    let connection = try socket.accept()
    for index in 0..<50 {
      try connection.send(.accelerometer, 1, Float(index), -3, at: 1 + Double(index) / 10)
    }
    try wait(for: "the lines") { program.lines.count == 50 }
    program.send(SIGINT)
    #expect(try program.exitCode() == 0)
    #expect(program.errors == "orientationctl: the picture is in \(picture)\n")
    let parser = try ChildProcess(
      "python3", ["-c", "import sys, xml.dom.minidom; xml.dom.minidom.parse(sys.argv[1])", picture])
    #expect(try parser.exitCode() == 0, "\(parser.errors)")
    let text = folder.read("a.svg")
    #expect(text.contains(">accelerometer: 50 samples in 4.9 s, 10.0 Hz<"))
    #expect(text.contains(">m/s²<") && text.contains(">49.0<") && text.contains(">-49.0<"))
    #expect(text.components(separatedBy: "<polyline").count == 4)
  }

  @Test("keeps an older picture if it fails without a sample, and fails at once if none can be written")
  func noPicture() throws {
    let picture = try folder.write("older", to: "a.svg")
    let program = try start("--plot", picture)
    let connection = try socket.accept()
    try connection.send(.denied, of: .accelerometer)
    #expect(try program.exitCode() == 1)
    #expect(folder.read("a.svg") == "older")
    #expect(program.errors.hasPrefix("Error: reading motion is not allowed"))

    let interrupted = try start("--plot", picture)
    let next = try socket.accept()
    try next.send(.noSensor, of: .accelerometer)
    try wait(for: "a note") { interrupted.errors.hasSuffix("\n") }
    interrupted.send(SIGINT)
    #expect(try interrupted.exitCode() == 0)
    #expect(interrupted.errors.hasSuffix("there was no sample; no picture was written\n"))
    #expect(folder.read("a.svg") == "older")

    _ = try folder.write("", to: "b.svg/a")
    let ofFolder = try start("--plot", "\(folder.path)/b.svg")
    #expect(try ofFolder.exitCode() == 1)
    #expect(ofFolder.errors.hasSuffix("b.svg is a folder; give the name of a file in it\n"))

    let pipe = "\(folder.path)/c.svg"
    #expect(mkfifo(pipe, 0o600) == 0)
    let ofPipe = try start("--plot", pipe)
    #expect(try ofPipe.exitCode() == 1)
    #expect(
      ofPipe.errors.hasSuffix("c.svg is not a regular file, and stays as it is; give another name\n"))
    var status = stat()
    #expect(stat(pipe, &status) == 0 && status.st_mode & S_IFMT == S_IFIFO)

    let other = try start("--plot", "\(folder.path)/missing/a.svg")
    #expect(try other.exitCode() == 1)
    #expect(other.errors.hasSuffix("missing/a.svg cannot be written: No such file or directory\n"))
  }

  @Test("interrupts the lines while there were no samples, and has the usual rate")
  func gap() {
    let samples = ((0..<20).map { $0 } + (120..<140).map { $0 }).map {
      (time: BootTime(nanoseconds: $0 * 100_000_000), vector: SIMD3<Float>(1, 2, 3))
    }
    let text = MotionPlot(samples, of: .gravity).picture.text
    #expect(text.contains(">gravity: 40 samples in 13.9 s, 10.0 Hz<"))
    #expect(text.components(separatedBy: "<polyline").count == 7)
  }

  @Test("draws a picture without samples, and keeps the newest of many")
  func limits() {
    #expect(MotionPlot([], of: .gyroscope).picture.text.contains("gyroscope: 0 samples"))
    var kept = KeptSamples(limit: 10)
    for second in 0..<95 {
      kept.add((BootTime(nanoseconds: Int64(second)), [0, 0, 0]))
    }
    #expect(10...20 ~= kept.samples.count)
    #expect(kept.samples.last?.time.nanoseconds == 94)
    #expect(zip(kept.samples, kept.samples.dropFirst()).allSatisfy { $0.time < $1.time })
  }
}
