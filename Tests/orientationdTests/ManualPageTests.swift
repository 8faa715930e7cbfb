// SPDX-License-Identifier: Apache-2.0

import Foundation
import Orientation
import OrientationService
import Systemd
import TestSupport
import Testing

/// Each page with the interfaces that it is of.
private let pages = [
  "org.orientationd1.5": [Daemon.deviceInterface, Daemon.screenInterface, DBusNames.sensorInterface],
  "net.hadess.SensorProxy.5": [ProxyClient.interface, ProxyClient.compassInterface],
]

@Suite("The manual pages of the interfaces, org.orientationd1(5) and net.hadess.SensorProxy(5)")
struct ManualPageTests {
  private let data = projectFolder.appending(path: "data")

  private func lines(of page: String = "org.orientationd1.5") throws -> [Substring] {
    try String(contentsOf: data.appending(path: "man/\(page)"), encoding: .utf8).split(separator: "\n")
  }

  @Test(
    "have an entry for each member, properties with their type and methods with their arguments, and for nothing else",
    arguments: pages.keys)
  func members(page: String) throws {
    let entries = try lines(of: page).filter { $0.hasPrefix(".It Va ") || $0.hasPrefix(".It Fn ") }
    let members = try (pages[page] ?? []).flatMap { try InterfaceDescription.installed($0).manualEntries }
    #expect(!members.isEmpty)
    #expect(entries.map(String.init).sorted() == members.sorted())
  }

  @Test("have an entry for each error of our own, and the first names each polkit action")
  func errors() throws {
    let lines = try lines()
    for name in [
      ServiceErrorName.notGenerating, ServiceErrorName.sensorUnavailable, BusError.Name.invalidArguments,
      ServiceErrorName.unsupportedOrientation, BusError.Name.limitsExceeded,
      BusError.Name.accessDenied,
    ] {
      #expect(lines.contains(".It Er \(name.split(separator: ".").last ?? "")"), "\(name) is missing")
    }
    for action in ["org.orientationd1.set-rotation-lock", "org.orientationd1.rotate"] {
      #expect(lines.contains(".Li \(action) ."), "\(action) is missing")
    }
  }

  @Test(
    "have the same results, errors and polkit action of each method, and announcement of each property, as the installed interface",
    arguments: [Daemon.deviceInterface, Daemon.screenInterface, DBusNames.sensorInterface])
  func facts(interface: String) throws {
    let description = try InterfaceDescription.installed(interface)
    let page = try lines().joined(separator: "\n")
    #expect(!description.methods.isEmpty)
    for method in description.methods {
      let comment = try #require(description.comments[method])
      let entry = try #require(self.entry(of: method, ".It Fn ", in: page))
      #expect(
        entry.matches(of: /\.Pq Li (\S+)/).map { String($0.1) } == description.results[method, default: []],
        "results of \(method)")
      let errors = Set(comment.matches(of: /org\.(?:orientationd1|freedesktop\.DBus)\.Error\.(\w+)/).map(\.1))
      #expect(Set(entry.matches(of: /\.Er (\w+)/).map(\.1)) == errors, "errors of \(method)")
      let action = /org\.orientationd1\.([a-z][a-z-]*)/
      let actions = Set(comment.matches(of: action).map(\.1))
      #expect(Set(entry.matches(of: action).map(\.1)) == actions, "action of \(method)")
      // Each call is counted, and each action can be denied, or need a person.
      #expect(errors.contains("LimitsExceeded"), "\(method)")
      for error in ["AccessDenied", "InteractiveAuthorizationRequired"] as [Substring] {
        #expect(errors.contains(error) == !actions.isEmpty, "\(error) of \(method)")
      }
    }
    try compareProperties(of: description, with: page)
  }

  /// Introspection is compared with the XML elsewhere, so this compares the page with the daemon.
  private func compareProperties(of description: InterfaceDescription, with page: String) throws {
    #expect(
      page.contains(
        """

        All properties are read-only.
        Each change, but for
        .Va SampleRate Ns 's ,
        is announced by
        .Li org.freedesktop.DBus.Properties.PropertiesChanged ,
        which has the new value.

        """))
    #expect(description.properties.count > 3)
    for property in description.properties {
      #expect(property.access == "read", "\(property.name)")
      let comment = try #require(description.comments[property.name])
      let entry = try #require(self.entry(of: property.name, ".It Va ", in: page))
      let isConstant = property.changes == "const"
      let isSilent = property.changes == "false"
      #expect(isConstant || isSilent || property.changes == "true", "\(property.name)")
      for text in [comment, String(entry)] {
        #expect(text.contains("Changes are not announced") == isSilent, "\(property.name)")
        #expect(text.contains("never changes while the daemon runs") == isConstant, "\(property.name)")
      }
    }
  }

  @Test("name every action of the installed policy, and no other")
  func actions() throws {
    let policy = try String(contentsOf: data.appending(path: "org.orientationd1.policy"), encoding: .utf8)
    let installed = policy.matches(of: /<action id="([^"]*)"/).map { String($0.1) }
    let interfaces = [Daemon.deviceInterface, Daemon.screenInterface, DBusNames.sensorInterface]
    let methods = try interfaces.flatMap {
      try InterfaceDescription.installed($0).comments.values
    }
    let named = methods.flatMap { $0.matches(of: /org\.orientationd1\.[a-z][a-z-]*/).map { String($0.0) } }
    // The motion socket is no interface of the bus.
    let motion = try String(contentsOf: data.appending(path: "man/orientationd-motion.5"), encoding: .utf8)
      .matches(of: /org\.orientationd1\.[a-z][a-z-]*/).map { String($0.0) }
    #expect(Set(named).union(motion) == Set(installed))
  }

  /// What the page has about a member, from its name on, up to the next entry or the end of the list.
  private func entry(of member: String, _ macro: String, in page: String) -> Substring? {
    page.components(separatedBy: "\n\(macro)").dropFirst().lazy
      .first { $0.split(whereSeparator: \.isWhitespace).first.map(String.init) == member }
      .flatMap { $0.split(separator: "\n.El", maxSplits: 1).first }
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
