// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@Suite("The daemon's command line and configuration")
struct CommandLineTests {
  @Test("--version and --help print and end well, without a bus")
  func information() throws {
    let version = try Daemon.start(["--version"])
    #expect(try version.exitCode() == 0)
    #expect(version.output.hasPrefix("orientationd "))
    let help = try Daemon.start(["--help"])
    #expect(try help.exitCode() == 0)
    for option in ["--user", "--sensor", "--config", "--state", "--verbose", "--version", "--help"] {
      #expect(help.output.contains(option))
    }
  }

  @Test(
    "wrong use ends with code 2 and says what is right",
    arguments: [
      (["--sensors", "auto"], "unknown option '--sensors'; see orientationd --help"),
      (["--sensor"], "--sensor needs a value: --sensor SENSOR; see orientationd --help"),
      (
        ["--sensor", "replay:"],
        "--sensor takes auto, NAME, replay:FILE, simulated, ip:HOST or iio:URI, not 'replay:'"
      ),
      (["--state"], "--state needs a value: --state DIR"),
      (["--config="], "--config needs a value: --config FILE"),
      (["--user=me"], "--user takes no value"),
      (["start"], "unexpected argument 'start'"),
    ])
  func wrongUse(arguments: [String], complaint: String) throws {
    let daemon = try Daemon.start(arguments)
    #expect(try daemon.exitCode() == 2)
    #expect(daemon.errors.hasPrefix("orientationd: \(complaint)"))
    #expect(daemon.errors.split(separator: "\n").count == 1)
  }

  @Test("a configuration that was named and cannot be read ends it with code 1 and the file's name")
  func unreadableConfiguration() throws {
    let folder = try TemporaryFolder()
    for (path, reason) in [
      ("\(folder.path)/missing.conf", "No such file or directory"), (folder.path, "Is a directory"),
    ] {
      let daemon = try Daemon.start(["--config", path])
      #expect(try daemon.exitCode() == 1)
      #expect(daemon.errors == "orientationd: configuration \(path): cannot be read: \(reason)\n")
    }
  }

  @Test("a configuration without read permission ends it with code 1 and the file's name")
  func forbiddenConfiguration() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("", to: "secret.conf")
    #expect(chmod(path, 0) == 0)
    // root reads everything, unless it gives up the capabilities for that.
    let daemon = try ChildProcess(
      "setpriv",
      (getuid() == 0 ? ["--bounding-set=-dac_override,-dac_read_search"] : []) + [
        Daemon.path, "--config", path,
      ])
    #expect(try daemon.exitCode() == 1)
    #expect(daemon.errors == "orientationd: configuration \(path): cannot be read: Permission denied\n")
  }

  @Test("wrong lines are named with file and line, each once; the right ones and the defaults hold")
  func wrongLines() throws {
    let rig = try Rig(
      sensor: "simulated",
      configuration: """
        [Orientation]
        SampelRate=50
        SampleRate=10000
        AlwaysOn=yes
        """)
    try rig.client.wait(for: "SampleRate", toBe: 25.0)
    let path = "\(rig.folder.path)/test.conf"
    #expect(rig.log.filter { $0.hasPrefix("orientationd: \(path):2: unknown key 'SampelRate'") }.count == 1)
    #expect(
      rig.log.filter {
        $0.hasPrefix("orientationd: \(path):3: SampleRate= takes a number of Hz from 5 to 200")
      }
      .count == 1)
  }

  @Test("the sampling rate, and the sensor, are those of the configuration")
  func configured() throws {
    let bus = try PrivateBus()
    let client = try Client(on: bus)
    let folder = try TemporaryFolder()
    let file = try folder.write("Sensor=simulated\nSampleRate=50\nAlwaysOn=yes\n", to: "test.conf")
    let daemon = try Daemon.start(["--config=\(file)"], bus: bus)
    try client.waitForService()
    try client.wait(for: "SampleRate", toBe: 50.0)
    #expect(daemon.isRunning)
  }

  @Test("--verbose logs clients and changes, which are not logged without")
  func verbose() throws {
    for arguments in [["--verbose"], []] {
      let bus = try PrivateBus()
      let client = try Client(on: bus)
      let daemon = try Daemon.start(["--sensor", "simulated", "--config", "/dev/null"] + arguments, bus: bus)
      try client.waitForService()
      try client.begin()
      try client.wait(for: "an orientation") { try client.property("Orientation") != 0 }
      #expect(daemon.errors.contains("begins") == !arguments.isEmpty)
    }
  }
}
