// SPDX-License-Identifier: Apache-2.0

import Orientation
import Testing

@Suite("orientationctl classify")
struct ClassifyTests {
  private let folder = TemporaryFolder()

  /// The names in the lines "t_s,state".
  private func names(_ program: Program) -> [String] {
    program.lines.compactMap { $0.split(separator: ",").last.map(String.init) }
  }

  @Test("prints a line for each change, the first state included, and nothing else")
  func changes() {
    let poses: [DeviceOrientation] = [
      .portrait, .landscapeLeft, .faceUp, .landscapeRight, .portraitUpsideDown, .faceDown,
    ]
    let program = orientationctl("classify", folder.write(recording(poses), to: "trace.csv"))
    #expect(program.end() == 0)
    #expect(program.errors.isEmpty)
    #expect(names(program) == poses.map(\.name))
    #expect(program.lines.first == "0.120,portrait")
  }

  @Test("says the same to a sensor that rests meanwhile, and tells what that saves")
  func pace() {
    let poses: [DeviceOrientation] = [.portrait, .landscapeLeft, .faceUp]
    let file = folder.write(recording(poses), to: "trace.csv")
    for sensor in ["polled", "on-change"] {
      let program = orientationctl("classify", "--pace", sensor, file)
      #expect(program.end() == 0)
      #expect(names(program) == poses.map(\.name))
      #expect(program.errors.contains("wake-ups for"))
    }
  }

  @Test("keeps to the recording's own time, in seconds with three decimals")
  func time() {
    let text = recording([.portrait, .landscapeLeft], start: 1_000_000.5)
    let program = orientationctl("classify", folder.write(text, to: "trace.csv"))
    #expect(program.lines.first == "1000000.620,portrait")
    let second = program.lines.last?.split(separator: ",").first.flatMap { Double($0) } ?? 0
    #expect(second > 1_000_002.5 && second < 1_000_004.5)
  }

  @Test("goes on where time goes back, and says at which line")
  func backwardTime() {
    let text =
      recording([.portrait])
      + recording([.landscapeLeft]).split(separator: "\n").dropFirst().joined(separator: "\n")
    let trace = folder.write(text, to: "trace.csv")
    let program = orientationctl("classify", trace)
    #expect(program.end() == 0)
    #expect(names(program) == ["portrait", "landscapeLeft"])
    #expect(program.errors.contains("\(trace):") && program.errors.contains("time goes back"))
  }

  @Test("reads the standard input for -")
  func standardInput() {
    let program = orientationctl("classify", "-", input: recording([.faceUp]))
    #expect(program.output == "0.120,faceUp\n")
  }

  @Test("sees what the daemon would see at its rate, and with --every all samples")
  func every() {
    // At 100 Hz, every fourth sample, which a daemon at 25 Hz takes, is of another orientation.
    var text = "t_s,ax,ay,az\n"
    for index in 0..<400 {
      let (x, y, z) = reading(index % 4 == 0 ? .portrait : .landscapeLeft)
      text += "\(Double(index) / 100),\(x),\(y),\(z)\n"
    }
    let trace = folder.write(text, to: "trace.csv")
    #expect(names(orientationctl("classify", trace)) == ["portrait"])
    #expect(names(orientationctl("classify", "--every", trace)).last == "landscapeLeft")
  }

  @Test("takes the settings of --config, and says which of its lines it passes over")
  func configuration() {
    let trace = folder.write(recording([.portrait, .landscapeLeft], seconds: 1), to: "trace.csv")
    let slow = folder.write("FilterTimeConstant=2\nNonsense=1\n", to: "slow.conf")
    let program = orientationctl("classify", "--config", slow, trace)
    #expect(program.end() == 0)
    #expect(names(program) == ["portrait"])
    #expect(program.errors.contains("\(slow):2: unknown key 'Nonsense'"))
    #expect(names(orientationctl("classify", trace)) == ["portrait", "landscapeLeft"])
  }

  @Test(
    "names file and line of what is wrong in a recording",
    arguments: [
      ("t_s,ax,ay\n0,1,2\n", 1, "no column \"az\""),
      ("t_s,ax,ay,az\n0,1,2,3\n0.1,1,two,3\n", 3, "ay: a finite number was expected, not \"two\""),
      ("t_s,ax,ay,az\n0,1,2\n", 2, "4 columns were expected"),
      ("t_s,ax,ay,az\n0,nan,2,3\n", 2, "ax: a finite number was expected"),
    ])
  func wrongRecording(_ text: String, _ line: Int, _ reason: String) {
    let trace = folder.write(text, to: "trace.csv")
    let program = orientationctl("classify", trace)
    #expect(program.end() == 1)
    #expect(program.output.isEmpty)
    #expect(program.errors.hasPrefix("Error: \(trace):\(line): "))
    #expect(program.errors.contains(reason))
  }

  @Test("says which file it cannot read, and what to do with a compressed one")
  func unreadable() {
    let missing = orientationctl("classify", "/nonexistent/trace.csv")
    #expect(missing.end() == 1)
    #expect(missing.errors == "Error: /nonexistent/trace.csv: does not exist\n")
    let compressed = orientationctl("classify", "trace.csv.gz")
    #expect(compressed.end() == 1)
    #expect(compressed.errors.contains("zcat trace.csv.gz | orientationctl classify -"))
    let configuration = orientationctl("classify", "--config", "/nonexistent.conf", "-")
    #expect(configuration.end() == 1)
    #expect(configuration.errors.contains("/nonexistent.conf: cannot be read: No such file"))
  }

  @Test("fails where its output cannot be written")
  func fullDisk() {
    let program = Program(["sh", "-c", "orientationctl classify - >/dev/full"], input: recording([.faceUp]))
    #expect(program.end() == 1)
    #expect(program.errors.contains("the output cannot be written: No space left on device"))
  }
}
