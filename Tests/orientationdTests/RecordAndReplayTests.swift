// SPDX-License-Identifier: Apache-2.0

import Foundation
import MockDevices
import Orientation
import TestSupport
import Testing

@Suite("What orientationctl records")
struct RecordAndReplayTests {
  @Test("of a buffered sensor, the daemon replays: the orientation changes as it did")
  func buffered() throws {
    let folder = try TemporaryFolder()
    let kernel = MockKernel()
    kernel.addDevice("iio:device0", attributes: hubAttributes())
    kernel.addDevice("trigger0", attributes: hubTrigger)
    let file = "\(folder.path)/recording.csv"
    let recorder = try ChildProcess(
      "orientationctl", ["record", "--config", "/dev/null", file], environment: kernel.environment)
    try wait(for: "the buffer") { kernel.attribute("buffer/enable", of: chipPath) == "1" }
    // A hub reads the opposite of what holds it up: upright for a second, then its right edge up.
    var time = bootTime
    for (x, y) in [(Int16(0), Int16(-1000)), (-1000, 0)] {
      for _ in 0..<25 {
        kernel.deliver(hubScan(x, y, 7, nanoseconds: time), to: "iio:device0")
        time += 1_000_000
      }
    }
    try wait(for: "the samples") {
      try text(file).split(separator: "\n").filter { $0.hasSuffix(",7") }.count == 50
    }
    recorder.send(SIGINT)
    #expect(try recorder.exitCode() == 0)
    #expect(recorder.errors.hasPrefix("orientationctl: 50 samples in 0.0 s written to \(file); "))
    #expect(kernel.attribute("buffer/enable", of: chipPath) == "0")
    let lines = try text(file).split(separator: "\n").map(String.init)
    #expect(lines.contains("# sampling: buffered at 25 Hz"))
    #expect(lines.contains("0.000000,0.000000,9.806650,-0.068647,0,-1000,7"))
    #expect(lines.last == "0.049000,9.806650,0.000000,-0.068647,-1000,0,7")
    // Stretched, as nobody turns a tablet in a millisecond.
    let slow = lines.map { line in
      guard let first = line.split(separator: ",").first, let seconds = Double(first) else { return line }
      return "\(seconds * 40)" + line.dropFirst(first.count)
    }
    let rig = try Rig(replaying: slow.joined(separator: "\n"))
    try rig.client.begin()
    try rig.client.wait(for: "OrientationName", toBe: "portrait")
    try rig.client.wait(for: "OrientationName", toBe: "landscapeLeft")
  }

  @Test("of a sensor whose buffer fails goes on by polling, as the daemon does, and says so")
  func failingBuffer() throws {
    let folder = try TemporaryFolder()
    let kernel = MockKernel()
    kernel.addDevice("iio:device0", attributes: hubAttributes())
    kernel.addDevice("trigger0", attributes: hubTrigger)
    let faults = try DriverFaults([DriverFault(.write, "buffer/enable", .fails(EIO))])
    let file = "\(folder.path)/recording.csv"
    let recorder = try ChildProcess(
      "orientationctl", ["record", "--config", "/dev/null", "--seconds", "0.4", file],
      environment: kernel.environment.merging(faults.environment) { $1 })
    #expect(try recorder.exitCode() == 0)
    let failure = "setting buffer/enable of accel_3d (iio:device0): Input/output error"
    #expect(recorder.errors.contains("\(failure); polling it instead\n"))
    let lines = try text(file).split(separator: "\n").map(String.init)
    #expect(lines.contains("# no buffer: \(failure)"))
    #expect(lines.filter { $0.hasPrefix("# sampling: ") } == ["# sampling: polled at 25 Hz"])
    #expect(lines.last?.first != "#")
  }

  private func text(_ file: String) throws -> String {
    try String(contentsOfFile: file, encoding: .utf8)
  }
}
