// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@testable import SensorSetup

@Suite("The keys of the configuration stand with their defaults in")
struct ConfigurationDocumentsTests {
  /// A value of each that is not the default.
  private let others: [ConfigurationKey: String] = [
    .sensor: "simulated", .sampleRate: "50", .adaptSampleRate: "no", .mountMatrix: "0,1,0;1,0,0;0,0,1",
    .scaleFactor: "0.1", .axisConvention: "kernel", .faceAxis: "inverted", .naturalOrientation: "portrait",
    .laptopOrientation: "portrait", .initialInterfaceOrientation: "portrait", .alwaysOn: "yes",
    .sensorProxy: "yes", .hardwareLock: "no", .mountMatrixSource: "driver", .tabletModeSwitch: "no",
    .followIn: "tablet",
    .responsiveness: "calm", .hysteresis: "10", .filterTimeConstant: "0.1", .handlingMemory: "1",
    .maxClients: "2", .maxClientsPerUser: "2", .maxBeginsPerClient: "2",
  ]

  /// All keys in the code's order, and the defaults that the code has.
  private func check(_ documented: [(key: String, value: String)]) throws {
    #expect(documented.map(\.key) == ConfigurationKey.allCases.map(\.rawValue))
    for (name, value) in documented {
      let key = try #require(ConfigurationKey(rawValue: name))
      var configuration = Configuration()
      try key.apply(try #require(others[key]), to: &configuration)
      #expect(configuration != Configuration())
      try key.apply(value, to: &configuration)
      #expect(configuration == Configuration(), "\(name)=\(value)")
    }
  }

  @Test("and, with another value each, in the fuzzer's first file", arguments: ConfigurationKey.allCases)
  func fuzzSeed(key: ConfigurationKey) throws {
    let seed = try projectFile("Tests/System/Fuzz/seeds/configuration/every-key")
    #expect(seed.contains("\n\(key.rawValue)="))
  }

  @Test("data/orientationd.conf")
  func defaultFile() throws {
    try check(
      try projectFile("data/orientationd.conf").matches(of: /(?m)^#(\w+)=(.*)$/).map {
        (String($0.1), String($0.2))
      })
  }

  @Test("orientationd.conf(5)")
  func manualPage() throws {
    let entries = try projectFile("data/man/orientationd.conf.5").split(separator: "\n.It Cm ").dropFirst()
    try check(
      try entries.map { entry in
        let key = try #require(entry.firstMatch(of: /^(\w+)=\n/)).1
        let value = try #require(
          entry.firstMatch(of: /Default:\s(?:\.Cm )?(\S+?)(?:[,.]|\s\.)?(?:\s|$)/), "\(key)"
        )
        .1
        return (String(key), value == "empty" ? "" : String(value))
      })
  }

  @Test("the table of README.md")
  func readMe() throws {
    try check(
      try projectFile("README.md").matches(of: /(?m)^\| `(\w+)=` \| (?:`([^`]+)`|empty) \|/).map {
        (String($0.1), $0.2.map(String.init) ?? "")
      })
  }
}
