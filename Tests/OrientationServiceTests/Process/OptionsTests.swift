// SPDX-License-Identifier: Apache-2.0

import IIO
import SensorSetup
import Systemd
import TestSupport
import Testing

@testable import OrientationService

/// The options of an invocation that serves; nil for one that does not.
private func options(_ arguments: String...) throws -> Options? {
  guard case .serve(let options) = try Options.parse(arguments) else { return nil }
  return options
}

@Suite("The command line")
struct OptionsTests {
  @Test("without options it serves on the system bus, quietly, with the system's configuration")
  func defaults() throws {
    #expect(try options() == Options())
    #expect(Options().bus == .system)
    #expect(Options().sensor == nil)
    #expect(Options().configurationPath == nil)
    #expect(Options().stateFolder == nil)
    #expect(!Options().isVerbose)
  }

  @Test("takes every option, with its value behind a blank or an equals sign")
  func everyOption() throws {
    var expected = Options()
    expected.bus = .session
    expected.isVerbose = true
    expected.sensor = .replay(path: "a=b.csv")
    expected.configurationPath = "/tmp/x=y.conf"
    expected.stateFolder = "/tmp/state=1"
    #expect(
      try options(
        "--user", "--verbose", "--sensor", "replay:a=b.csv", "--config", "/tmp/x=y.conf", "--state",
        "/tmp/state=1")
        == expected)
    #expect(
      try options(
        "--state=/tmp/state=1", "--config=/tmp/x=y.conf", "--sensor=replay:a=b.csv", "--verbose", "--user")
        == expected)
  }

  @Test(
    "takes every kind of sensor",
    arguments: [
      ("auto", SensorRequest.automatic), ("kxcjk1013", .named("kxcjk1013")), ("simulated", .simulated),
      ("replay:/tmp/a.csv", .replay(path: "/tmp/a.csv")),
      ("ip:tablet.local", .remote(IIOAddress(host: "tablet.local"))),
    ])
  func sensors(text: String, request: SensorRequest) throws {
    #expect(try options("--sensor", text)?.sensor == request)
  }

  @Test("--help and --version go before everything behind them")
  func information() throws {
    #expect(try Options.parse(["--help"]) == .help)
    #expect(try Options.parse(["-h"]) == .help)
    #expect(try Options.parse(["--verbose", "--version", "--nonsense"]) == .version)
  }

  @Test("the help names every option and kind of sensor")
  func help() {
    for word in [
      "--user", "--sensor", "--config", "--state", "--verbose", "--version", "--help", "replay:", "ip:",
      "simulated",
    ] {
      #expect(Options.help.contains(word))
    }
  }

  @Test(
    "says what is wrong and what would be right",
    arguments: [
      (["--sensor"], "--sensor needs a value: --sensor SENSOR"),
      (["--sensor="], "--sensor needs a value: --sensor SENSOR"),
      (["--config"], "--config needs a value: --config FILE"),
      (["--config", ""], "--config needs a value: --config FILE"),
      (["--state"], "--state needs a value: --state DIR"),
      (
        ["--sensor", "ip:"],
        "--sensor takes auto, NAME, replay:FILE, simulated, ip:HOST or iio:URI, not 'ip:'"
      ),
      (["--nonsense=1"], "unknown option '--nonsense=1'"), (["-v"], "unknown option '-v'"),
      (["start"], "unexpected argument 'start'"), ([""], "unexpected argument ''"),
      (["--verbose=yes"], "--verbose takes no value"), (["--help=all"], "--help takes no value"),
    ])
  func wrong(arguments: [String], reason: String) {
    #expect(throws: UsageError(reason: reason)) { try Options.parse(arguments) }
  }

  @Test("the state's folder is that of --state, else the first of the service manager's, else none")
  func stateDirectory() throws {
    let named = try #require(try options("--state", "/tmp/a"))
    let unnamed = Options()
    #expect(StateDirectory.path(for: named, variable: "/var/lib/orientationd") == "/tmp/a")
    #expect(StateDirectory.path(for: named, variable: nil) == "/tmp/a")
    #expect(StateDirectory.path(for: unnamed, variable: "/var/lib/orientationd") == "/var/lib/orientationd")
    #expect(StateDirectory.path(for: unnamed, variable: "/var/lib/a:/var/lib/b") == "/var/lib/a")
    #expect(StateDirectory.path(for: unnamed, variable: "") == nil)
    #expect(StateDirectory.path(for: unnamed, variable: nil) == nil)
  }

  @Test("its sensor goes before the configuration's")
  func sensor() throws {
    let folder = try TemporaryFolder()
    var options = Options()
    options.configurationPath = try folder.write("Sensor=simulated\nSampleRate=50", to: "test.conf")
    #expect(try Configuration.load(for: options, log: ServiceLog()).sensor == .simulated)
    options.sensor = .named("kxcjk1013")
    let configuration = try Configuration.load(for: options, log: ServiceLog())
    #expect(configuration.sensor == .named("kxcjk1013"))
    #expect(configuration.sampleRate == 50)
  }
}
