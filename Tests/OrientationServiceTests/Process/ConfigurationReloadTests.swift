// SPDX-License-Identifier: Apache-2.0

import CLinux
import IIO
import Orientation
import TestSupport
import Testing

@testable import OrientationService
@testable import SensorSetup

/// A configuration by chance: each key has its default or any other value.
private func anyConfiguration(_ chance: inout some RandomNumberGenerator) -> Configuration {
  var configuration = Configuration()
  func number(_ range: ClosedRange<Double>) -> String { "\(Double.random(in: range, using: &chance))" }
  func pick(_ values: String...) -> String { values.randomElement(using: &chance) ?? "" }
  for key in ConfigurationKey.allCases where Bool.random(using: &chance) {
    let value =
      switch key {
      case .sensor: pick("auto", "simulated", "kxcjk1013", "replay:/a b", "ip:192.0.2.7:1")
      case .sampleRate: number(5...200)
      case .adaptSampleRate, .alwaysOn, .sensorProxy, .tabletModeSwitch: pick("yes", "no")
      case .hardwareLock: pick("auto", "yes", "switch", "no")
      case .mountMatrix: "0.1,\(number(0.5...1)),0;\(number(-1 ... -0.5)),0,0;0,0,\(number(0.5...1))"
      case .mountMatrixSource: pick("udev", "driver")
      case .scaleFactor: pick("1", "0.1")
      case .axisConvention: pick("proxy", "kernel")
      case .faceAxis: pick("auto", "as-read", "inverted")
      case .naturalOrientation, .laptopOrientation: pick("auto", "portrait", "landscapeRight")
      case .initialInterfaceOrientation: pick("", "portrait", "landscapeLeft")
      case .followIn: pick("always", "tablet")
      case .responsiveness: pick("calm", "normal", "quick")
      case .hysteresis: number(0...40)
      case .filterTimeConstant: number(0...2)
      case .handlingMemory: number(0...60)
      case .maxClients, .maxClientsPerUser, .maxBeginsPerClient:
        "\(Int.random(in: 1...4096, using: &chance))"
      }
    do throws(InvalidValue) {
      try key.apply(value, to: &configuration)
    } catch {
      Issue.record("\(key)=\(value): \(error.reason)")
    }
  }
  return configuration
}

/// The file that says it, key by key.
private func text(of configuration: Configuration) -> String {
  ConfigurationKey.allCases.map { "\($0.rawValue)=\($0.text(in: configuration))\n" }.joined()
}

@Suite("The configuration, read again")
struct ConfigurationReloadTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func reload(
    _ text: String, keeping running: Configuration = Configuration()
  ) throws -> (configuration: Configuration, problems: [String]) {
    let path = try folder.write(text, to: "test.conf")
    let (configuration, problems) = Configuration.reload([path], keeping: running)
    return (configuration, problems.map { $0.description.replacing(path, with: "FILE") })
  }

  @Test("what a key writes it reads as the same, and unchanged files change nothing")
  func law() throws {
    var chance = SystemRandomNumberGenerator()
    for _ in 0..<300 {
      let configuration = anyConfiguration(&chance)
      let reading = try reload(text(of: configuration), keeping: configuration)
      #expect(reading.configuration == configuration)
      #expect(reading.problems == [])
      #expect(reading.configuration.changes(since: configuration) == [])
      // Whatever held before: files that say everything decide everything.
      #expect(
        try reload(text(of: configuration), keeping: anyConfiguration(&chance)).configuration == configuration
      )
    }
  }

  @Test("two configurations are equal where no key has changed")
  func equality() throws {
    var chance = SystemRandomNumberGenerator()
    for _ in 0..<300 {
      let (one, other) = (anyConfiguration(&chance), anyConfiguration(&chance))
      #expect(one.changes(since: other).isEmpty == (one == other))
    }
  }

  @Test("a key that is named no more has its default again")
  func removed() throws {
    var running = Configuration()
    running.sampleRate = 100
    let reading = try reload("AlwaysOn=yes\n", keeping: running)
    #expect(
      reading.configuration.changes(since: running).map(\.description)
        == ["SampleRate=25 (was 100)", "AlwaysOn=yes (was no)"])
  }

  @Test("a wrong value keeps the one that the key had, also after a right one, and a later right one counts")
  func wrongValue() throws {
    var running = Configuration()
    running.sampleRate = 100
    let complaint = "SampleRate= takes a number of Hz from 5 to 200, not 'fast'; the old value is kept"
    for text in ["SampleRate=fast\n", "SampleRate=fast\nAlwaysOn=yes\n"] {
      let reading = try reload(text, keeping: running)
      #expect(reading.configuration.sampleRate == 100)
      #expect(reading.configuration.alwaysOn == text.contains("yes"))
      #expect(reading.problems == ["FILE:1: \(complaint)"])
    }
    #expect(try reload("SampleRate=50\nSampleRate=fast\n", keeping: running).configuration.sampleRate == 100)
    #expect(try reload("SampleRate=fast\nSampleRate=50\n", keeping: running).configuration.sampleRate == 50)
  }

  @Test(
    "a line of which nobody knows what key it is about keeps all that no line sets",
    arguments: ["SampleRate 50", "SampelRate=50", "[Sensors]\nSampleRate=50\n[Orientation]"])
  func strangeLine(line: String) throws {
    var running = Configuration()
    running.sampleRate = 100
    running.alwaysOn = true
    running.limits.clients = 7
    let reading = try reload("MaxClients=8\n\(line)\nAlwaysOn=no\n", keeping: running)
    #expect(reading.configuration.sampleRate == 100)
    #expect(!reading.configuration.alwaysOn)
    #expect(reading.configuration.limits.clients == 8)
    #expect(reading.problems.count == 2)
    #expect(reading.problems.first?.hasSuffix("; ignored") == true)
    #expect(reading.problems.last == "FILE: a key that no line sets keeps its old value")
  }

  @Test("a file that cannot be read keeps everything, and is named")
  func unreadable() throws {
    var running = Configuration()
    running.sampleRate = 100
    let right = try folder.write("AlwaysOn=yes\n", to: "right.conf")
    let missing = "\(folder.path)/missing.conf"
    let (configuration, problems) = Configuration.reload([right, missing], keeping: running)
    #expect(configuration == running)
    #expect(
      problems.map(\.description)
        == ["\(missing): cannot be read: No such file or directory; the old configuration is kept"])
  }

  @Test("a folder that cannot be read keeps everything, and is named")
  func unreadableFolder() throws {
    var running = Configuration()
    running.mountMatrix = .identity
    let unreadable = ConfigurationProblem(
      path: "/etc/orientationd.conf.d", line: nil, reason: "cannot be read")
    let (configuration, problems) = Configuration.reload([], unreadable: [unreadable], keeping: running)
    #expect(configuration == running)
    #expect(
      problems.map(\.description) == [
        "/etc/orientationd.conf.d: cannot be read; the old configuration is kept"
      ])
  }

  @Test("a pipe in the place of a file holds nobody up")
  func pipe() throws {
    let path = "\(folder.path)/pipe.conf"
    #expect(mkfifo(path, 0o600) == 0)
    #expect(Configuration.reload([path], keeping: Configuration()).0 == Configuration())
  }
}
