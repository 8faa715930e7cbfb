// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@testable import OrientationService
@testable import SensorSetup

@Suite("What the documents say of the sources is true:")
struct DocumentsTests {
  @Test("the calls on the path of a sample, HACKING.md")
  func calls() throws {
    let rows = try projectFile("HACKING.md").matches(of: /(?m)^\| `(\w+)\.(\w+)` \| `([\w\/]+\.swift)` \|/)
    #expect(rows.count > 10)
    for row in rows {
      let source = try projectFile("Sources/\(row.3)")
      #expect(source.contains("func \(row.2)(") || source.contains("func \(row.2)<"), "\(row.1).\(row.2)")
      #expect(source.contains(" \(row.1)"), "\(row.1) in \(row.3)")
    }
  }

  @Test("the files that HACKING.md names")
  func files() throws {
    let paths = try ["Sources", "Tests", "examples"].flatMap { folder in
      try FileManager.default.subpathsOfDirectory(atPath: projectFolder.appending(path: folder).path)
    }
    let names = Set(paths.map { String($0.split(separator: "/").last ?? "") })
    let named = try projectFile("HACKING.md").matches(of: /[\w\/]+\.swift/).map { String($0.0) }
    #expect(named.count > 30)
    for name in named { #expect(names.contains(String(name.split(separator: "/").last ?? "")), "\(name)") }
  }

  /// The sources of all messages.
  private func logs() throws -> String {
    try ["Journal/ServiceLog", "SensorProxy/SensorProxyLog"]
      .map { try projectFile("Sources/OrientationService/\($0).swift") }.joined()
  }

  @Test("the MESSAGE_IDs of the journal, orientationd(8)")
  func messages() throws {
    let log = try logs()
    let ids = Set(log.matches(of: /id: "[0-9a-f]*([0-9a-f]{2})"/).map { String($0.1) })
    #expect(ids.count > 30)
    let page = try #require(
      try projectFile("data/man/orientationd.8").components(separatedBy: "last two digits:").last)
    let entries = page.components(separatedBy: "\n.El")[0].split(separator: "\n").filter {
      $0.hasPrefix(".It ")
    }
    let listed = entries.flatMap { $0.dropFirst(4).components(separatedBy: " , ") }
    #expect(listed.count == Set(listed).count)
    #expect(Set(listed) == ids)
  }

  @Test("the messages that --verbose adds, orientationd(8)")
  func verboseMessages() throws {
    let log = try logs()
    let logged = log.split(separator: "\n").filter { $0.contains("verbose(") }.flatMap {
      $0.matches(of: /"([^"]*)"/).map { $0.1.replacing(/\\\([^)]*\)/, with: "X") }
    }
    #expect(logged.count > 10)
    let page = try projectFile("data/man/orientationd.8")
    let entry = try #require(page.components(separatedBy: "\n.It Fl Fl verbose\n").last)
      .components(separatedBy: "\n.It Fl Fl version")[0]
    // Names are words in capitals there.
    let listed = entry.matches(of: /(?m)^\.It Li (.*)$/).map { $0.1.replacing(/\b[A-Z]+\b/, with: "X") }
    #expect(listed.sorted() == Set(logged).sorted())
  }

  @Test("the keys that need a restart, orientationd.conf(5)")
  func restarts() throws {
    let keys = ConfigurationKey.allCases.filter { $0.subject == .nextStart }.map { "\($0.rawValue)=" }
    let named = try #require(
      try projectFile("data/man/orientationd.conf.5")
        .firstMatch(of: /A reload applies all keys except\n((?:.*\n)*?)These take effect/)
    ).1
    #expect(named.matches(of: /\w+=/).map { String($0.0) }.sorted() == keys.sorted())
  }

  @Test("the actions of polkit: policies, AUTHORIZATION of orientationd(8), table of org.orientationd1(5)")
  func actions() throws {
    func names(_ pattern: Regex<(Substring, Substring)>, in files: String...) throws -> [String] {
      let text = try files.map { try projectFile($0) }.joined()
      return text.matches(of: pattern).map { String($0.1) }.sorted()
    }
    let actions = try names(
      /case \w+ = "(.*)"/, in: "Sources/OrientationService/Authorization/AuthorizedAction.swift")
    #expect(actions.count > 3)
    let policies = ["data/org.orientationd1.policy", "data/sensor-proxy/net.hadess.SensorProxy.policy"]
    let installed = try names(/<action id="(.*)"/, in: policies[0], policies[1])
    #expect(installed == actions)
    let own = actions.filter { $0.hasPrefix("org.orientationd1.") }
    let entries = try names(/\n\.It Li (org\.orientationd1\.[a-z-]+)\n/, in: "data/man/orientationd.8")
    #expect(entries == own)
    let rows = try names(/\n\.It Li ([a-z-]+) Ta\s/, in: "data/man/org.orientationd1.5")
    #expect(rows == actions.compactMap { $0.split(separator: ".").last.map(String.init) }.sorted())
  }
}
