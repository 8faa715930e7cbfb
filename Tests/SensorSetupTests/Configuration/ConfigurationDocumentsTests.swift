// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@testable import SensorSetup

@Suite(
  "The keys of the configuration stand with their defaults, and in the fuzzer's first file with another value, in"
)
struct ConfigurationDocumentsTests {
  /// A value of each that is not the default.
  private func others() throws -> [String: String] {
    let seed = try projectFile("Tests/System/Fuzz/seeds/configuration/every-key")
    return Dictionary(
      uniqueKeysWithValues: seed.matches(of: /(?m)^(\w+)=(.*)$/).map { (String($0.1), String($0.2)) })
  }

  /// All keys in the code's order, and the defaults that the code has.
  private func check(_ documented: [(key: String, value: String)]) throws {
    #expect(documented.map(\.key) == ConfigurationKey.allCases.map(\.rawValue))
    let others = try others()
    for (name, value) in documented {
      let key = try #require(ConfigurationKey(rawValue: name))
      var configuration = Configuration()
      try key.apply(try #require(others[name], "\(name)= is missing in every-key"), to: &configuration)
      #expect(configuration != Configuration(), "\(name)= has its default in every-key")
      try key.apply(value, to: &configuration)
      #expect(configuration == Configuration(), "\(name)=\(value)")
    }
  }

  @Test("data/orientationd.conf")
  func defaultFile() throws {
    try check(
      try projectFile("data/orientationd.conf").matches(of: /(?m)^#(\w+)=(.*)$/).map {
        (String($0.1), String($0.2))
      })
    #expect(
      try projectFile("Tests/System/Fuzz/seeds/configuration/shipped")
        == projectFile("data/orientationd.conf"))
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
}
