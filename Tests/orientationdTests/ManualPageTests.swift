// SPDX-License-Identifier: Apache-2.0

import Foundation
import OrientationService
import Testing

@Suite("The manual page of the interfaces, org.orientationd1(5)")
struct ManualPageTests {
  private let data = URL(fileURLWithPath: #filePath).appending(path: "../../../data").standardized

  private func lines() throws -> [Substring] {
    try String(contentsOf: data.appending(path: "man/org.orientationd1.5"), encoding: .utf8).split(
      separator: "\n")
  }

  @Test(
    "has an entry for each member, properties with their type and methods with their arguments",
    arguments: [Daemon.deviceInterface, Daemon.screenInterface])
  func members(interface: String) throws {
    let entries = try lines().filter { $0.hasPrefix(".It Va ") || $0.hasPrefix(".It Fn ") }.map(String.init)
    let wanted = try InterfaceDescription.installed(interface).manualEntries
    #expect(!wanted.isEmpty)
    for entry in wanted { #expect(entries.contains(entry), "\(entry) is missing") }
  }

  @Test("has no entry for anything else")
  func nothingElse() throws {
    let entries = try lines().filter { $0.hasPrefix(".It Va ") || $0.hasPrefix(".It Fn ") }.map(String.init)
    let known = try [Daemon.deviceInterface, Daemon.screenInterface].flatMap {
      try InterfaceDescription.installed($0).manualEntries
    }
    #expect(entries.filter { !known.contains($0) } == [])
  }

  @Test("has an entry for each error, and names each polkit action")
  func errors() throws {
    let lines = try lines()
    for name in [
      ServiceErrorName.notGenerating, ServiceErrorName.sensorUnavailable, ServiceErrorName.invalidOrientation,
      ServiceErrorName.unsupportedOrientation, ServiceErrorName.limitsExceeded,
      ServiceErrorName.notAuthorized,
    ] {
      #expect(
        lines.contains(".It Er \(name.dropFirst("org.orientationd1.Error.".count))"), "\(name) is missing")
    }
    for action in ["org.orientationd1.set-rotation-lock", "org.orientationd1.rotate"] {
      #expect(lines.contains(".Li \(action) ."), "\(action) is missing")
    }
  }
}

extension InterfaceDescription {
  /// How mdoc has each member.
  fileprivate var manualEntries: [String] {
    var entries: [String] = []
    for element in elements {
      let words = element.split(separator: " ").map(String.init)
      let value = { (name: String) in
        words.first { $0.hasPrefix("\(name)=") }?.dropFirst(name.count + 1) ?? ""
      }
      switch words.first {
      case "property":
        // A structure has brackets already.
        let type = value("type")
        entries.append(".It Va \(value("name")) \(type.hasPrefix("(") ? "" : "Pq ")Li \(type)")
      case "method", "signal": entries.append(".It Fn \(value("name"))")
      case "arg" where value("direction") != "out":
        entries[entries.count - 1] += " \"\(value("type")) \(value("name"))\""
      default: break
      }
    }
    return entries
  }
}
