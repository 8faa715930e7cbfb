// SPDX-License-Identifier: Apache-2.0

import Foundation
import Orientation
import TestSupport
import Testing

@Suite("orientationctl classify")
struct ClassifyTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// The names in the lines "t_s,state".
  private func names(_ program: ChildProcess) -> [String] {
    program.lines.compactMap { $0.split(separator: ",").last.map(String.init) }
  }

  @Test("prints a line for each change, the first state included, and nothing else")
  func changes() throws {
    let poses: [DeviceOrientation] = [
      .portrait, .landscapeLeft, .faceUp, .landscapeRight, .portraitUpsideDown, .faceDown,
    ]
    let program = try orientationctl("classify", folder.write(recording(poses), to: "trace.csv"))
    #expect(try program.exitCode() == 0)
    #expect(program.errors.isEmpty)
    #expect(names(program) == poses.map(\.name))
    #expect(program.lines.first == "0.120,portrait")
  }

  @Test("recognizes a recording in g, and one in mg", arguments: [1, 1000.0])
  func inG(unit: Double) throws {
    let text = recording([.portrait, .landscapeLeft, .faceUp]).split(separator: "\n").dropFirst().map {
      line in
      let numbers = line.split(separator: ",").compactMap { Double($0) }
      return "\(numbers[0]),"
        + numbers.dropFirst().map { "\($0 / standardGravity * unit)" }.joined(separator: ",")
    }
    let trace = try folder.write("t_s,ax,ay,az\n" + text.joined(separator: "\n"), to: "trace.csv")
    let program = try orientationctl("classify", trace)
    #expect(try program.exitCode() == 0)
    #expect(names(program) == (unit == 1 ? ["portrait", "landscapeLeft", "faceUp"] : []))
  }

  @Test("says the same to a sensor that rests meanwhile, and tells what that saves")
  func pace() throws {
    let poses: [DeviceOrientation] = [.portrait, .landscapeLeft, .faceUp]
    let file = try folder.write(recording(poses), to: "trace.csv")
    for sensor in ["polled", "on-change"] {
      let program = try orientationctl("classify", "--pace", sensor, file)
      #expect(try program.exitCode() == 0)
      #expect(names(program) == poses.map(\.name))
      #expect(program.errors.contains("wake-ups for"))
    }
  }

  @Test("keeps to the recording's own time, in seconds with three decimals")
  func time() throws {
    let text = recording([.portrait, .landscapeLeft], start: 1_000_000.5)
    let program = try orientationctl("classify", folder.write(text, to: "trace.csv"))
    #expect(program.lines.first == "1000000.620,portrait")
    let second = program.lines.last?.split(separator: ",").first.flatMap { Double($0) } ?? 0
    #expect(second > 1_000_002.5 && second < 1_000_004.5)
  }

  @Test("goes on where time goes back, and says at which line")
  func backwardTime() throws {
    let text =
      recording([.portrait])
      + recording([.landscapeLeft]).split(separator: "\n").dropFirst().joined(separator: "\n")
    let trace = try folder.write(text, to: "trace.csv")
    let program = try orientationctl("classify", trace)
    #expect(try program.exitCode() == 0)
    #expect(names(program) == ["portrait", "landscapeLeft"])
    #expect(program.errors.contains("\(trace):") && program.errors.contains("time goes backwards"))
  }

  @Test("reads the standard input for -")
  func standardInput() throws {
    let program = try orientationctl("classify", "-", input: .text(recording([.faceUp])))
    #expect(program.output == "0.120,faceUp\n")
  }

  @Test("says that the standard input is closed")
  func closedInput() throws {
    let program = try ChildProcess("sh", ["-c", "exec orientationctl classify - <&-"])
    #expect(try program.exitCode() == 1)
    #expect(program.errors == "Error: the standard input is closed\n")
  }

  @Test("says that a recording has no state, as a short one")
  func short() throws {
    let trace = try folder.write(recording([.portrait], seconds: 0.08), to: "trace.csv")
    let program = try orientationctl("classify", trace)
    #expect(try program.exitCode() == 0)
    #expect(program.output.isEmpty)
    #expect(
      program.errors
        == "orientationctl: \(trace) has no first state: too few samples, or none that shows gravity\n")
  }

  @Test("sees what the daemon would see at its rate, and with --every all samples")
  func every() throws {
    // At 100 Hz, every fourth sample, which a daemon at 25 Hz takes, is of another orientation.
    var text = "t_s,ax,ay,az\n"
    for index in 0..<400 {
      let (x, y, z) = reading(index % 4 == 0 ? .portrait : .landscapeLeft)
      text += "\(Double(index) / 100),\(x),\(y),\(z)\n"
    }
    let trace = try folder.write(text, to: "trace.csv")
    #expect(try names(orientationctl("classify", trace)) == ["portrait"])
    #expect(try names(orientationctl("classify", "--every", trace)).last == "landscapeLeft")
  }

  @Test("takes the settings of --config, and says which of its lines it passes over")
  func configuration() throws {
    let trace = try folder.write(recording([.portrait, .landscapeLeft], seconds: 1), to: "trace.csv")
    let slow = try folder.write("FilterTimeConstant=2\nNonsense=1\n", to: "slow.conf")
    let program = try orientationctl("classify", "--config", slow, trace)
    #expect(try program.exitCode() == 0)
    #expect(names(program) == ["portrait"])
    #expect(program.errors.contains("\(slow):2: unknown key 'Nonsense'"))
    #expect(try names(orientationctl("classify", trace)) == ["portrait", "landscapeLeft"])
  }

  @Test(
    "names file and line of what is wrong in a recording",
    arguments: [
      ("t_s,ax,ay\n0,1,2\n", 1, "no column \"az\""),
      ("t_s,ax,ay,az\n0,1,2,3\n0.1,1,two,3\n", 3, "ay: a finite number was expected, not \"two\""),
      ("t_s,ax,ay,az\n0,1,2\n", 2, "4 columns were expected"),
      ("t_s,ax,ay,az\n0,nan,2,3\n", 2, "ax: a finite number was expected"),
    ])
  func wrongRecording(_ text: String, _ line: Int, _ reason: String) throws {
    let trace = try folder.write(text, to: "trace.csv")
    let program = try orientationctl("classify", trace)
    #expect(try program.exitCode() == 1)
    #expect(program.output.isEmpty)
    #expect(program.errors.hasPrefix("Error: \(trace):\(line): "))
    #expect(program.errors.contains(reason))
  }

  @Test("says which file it cannot read, and what to do with a compressed one")
  func unreadable() throws {
    let missing = try orientationctl("classify", "/nonexistent/trace.csv")
    #expect(try missing.exitCode() == 1)
    #expect(missing.errors == "Error: /nonexistent/trace.csv: does not exist\n")
    let compressed = try orientationctl("classify", "trace.csv.gz")
    #expect(try compressed.exitCode() == 1)
    #expect(compressed.errors.contains("zcat trace.csv.gz | orientationctl classify -"))
    let configuration = try orientationctl("classify", "--config", "/nonexistent.conf", "-")
    #expect(try configuration.exitCode() == 1)
    #expect(configuration.errors.contains("/nonexistent.conf: cannot be read: No such file"))
  }

  @Test("fails where its output cannot be written")
  func fullDisk() throws {
    let program = try ChildProcess(
      "sh", ["-c", "orientationctl classify - >/dev/full"], input: .text(recording([.faceUp])))
    #expect(try program.exitCode() == 1)
    #expect(program.errors.contains("the output cannot be written: No space left on device"))
  }

  @Test("touches no other file than that of its picture, and no pipe that this is a link to")
  func otherFiles() throws {
    _ = try folder.write("notes", to: "a.svg.new")
    let program = try orientationctl(
      "classify", "--plot", "\(folder.path)/a.svg", "-", input: .text(recording([.faceUp])))
    #expect(try program.exitCode() == 0)
    #expect(folder.read("a.svg.new") == "notes")
    let (link, pipe) = ("\(folder.path)/b.svg", "\(folder.path)/pipe")
    #expect(mkfifo(pipe, 0o600) == 0)
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: pipe)
    let refused = try orientationctl(
      "classify", "--plot", link, "-", input: .text(recording([.faceUp])))
    #expect(try refused.exitCode() == 1)
    #expect(refused.errors.contains("b.svg is not a regular file"))
  }

  @Test("draws a picture of it, in which each change has its reason")
  func plot() throws {
    let poses: [DeviceOrientation] = [.portrait, .landscapeLeft, .faceUp, .faceDown, .portraitUpsideDown]
    let picture = "\(folder.path)/a.svg"
    let name = try folder.write(recording(poses), to: "<a&b>.csv")
    let program = try orientationctl("classify", "--plot", picture, name)
    #expect(try program.exitCode() == 0)
    #expect(names(program) == poses.map(\.name), "the lines are the same")
    let parser = try ChildProcess(
      "python3", ["-c", "import sys, xml.dom.minidom; xml.dom.minidom.parse(sys.argv[1])", picture])
    #expect(try parser.exitCode() == 0, "\(parser.errors)")
    let text = folder.read("a.svg")
    #expect(text.contains("&lt;a&amp;b&gt;.csv: 250 samples in 10.0 s, 25.0 Hz"))
    #expect(text.contains(">first report</text>"))
    for pose in poses { #expect(text.contains(">\(pose.name)</text>")) }
    #expect(text.components(separatedBy: "° past the band, evidence ").count == poses.count)
  }

  @Test("draws pictures of any length that stay small")
  func longPlot() throws {
    let turns = Array(repeating: [DeviceOrientation.portrait, .landscapeLeft], count: 400).flatMap { $0 }
    let trace = try folder.write(recording(turns), to: "a.csv")
    #expect(try orientationctl("classify", "--plot", "\(folder.path)/a.svg", trace).exitCode() == 0)
    let text = folder.read("a.svg")
    #expect(text.contains(">and 740 more</text>"))
    #expect(text.utf8.count < 1_500_000)
  }

  @Test("draws a picture of a single sample")
  func shortPlot() throws {
    let trace = try folder.write("t_s,ax,ay,az\n1,0,9.81,0\n", to: "a.csv")
    #expect(try orientationctl("classify", "--plot", "\(folder.path)/a.svg", trace).exitCode() == 0)
    #expect(folder.read("a.svg").contains("1 samples"))
  }

  @Test("does not draw over a recording", arguments: ["a.csv", "a", ""])
  func plotName(name: String) throws {
    let trace = try folder.write(recording([.portrait]), to: "a.csv")
    let program = try orientationctl(
      "classify", "--plot", name.isEmpty ? "" : "\(folder.path)/\(name)", trace)
    #expect(try program.exitCode() == 64)
    #expect(program.errors.contains("ends in .svg"))
    #expect(folder.read("a.csv") == recording([.portrait]))
  }
}
