// SPDX-License-Identifier: Apache-2.0

import Foundation
import OrientationService
import TestSupport
import Testing

@Suite("orientationd's help text and its manual page, orientationd(8),")
struct HelpTextTests {
  private let help = Options.help.split(separator: "\n").map(String.init)
  private let page: [String]

  init() throws { page = try projectFile("data/man/orientationd.8").split(separator: "\n").map(String.init) }

  @Test("have the same options, in the usage and with a word on each")
  func options() throws {
    let wanted = help.compactMap { $0.firstMatch(of: /^\s\s(--\w+(?: [A-Z]+)?)\s/) }.map { String($0.1) }
    #expect(wanted.count > 5)
    let macros = wanted.map {
      $0.replacing(/--(\w+)/) { "Fl Fl \($0.1)" }.replacing(/\s([A-Z]+)$/) { " Ar \($0.1)" }
    }
    let entries = page.filter { $0.hasPrefix(".It Fl ") }.map { String($0.dropFirst(4)) }
    #expect(entries == macros)
    let usage = page.prefix { $0 != ".Sh DESCRIPTION" }.filter {
      $0.hasPrefix(".Op ") || $0.hasPrefix(".Fl ")
    }
    .flatMap { line in
      line.replacing(/^\.(?:Op\s)?/) { _ in "" }.components(separatedBy: " | ")
    }
    #expect(usage == macros)
  }

  @Test("have options that are understood")
  func understood() throws {
    for option in help.compactMap({ $0.firstMatch(of: /^\s\s(--\w+)( [A-Z]+)?\s/) }) {
      _ = try Options.parse([String(option.1)] + (option.2 == nil ? [] : ["simulated"]))
    }
  }

  @Test("have the same kinds of sensors")
  func sensors() {
    let wanted = help.compactMap { $0.firstMatch(of: /^\s{20,}(\S+)\s\s/) }.map { String($0.1) }
    #expect(wanted.count == 6)
    let macros = wanted.map { word in
      switch word.firstMatch(of: /^(\w+):([A-Z]+)$/) {
      case let match?: ".It Cm \(match.1) : Ns Ar \(match.2)"
      case nil: word.allSatisfy(\.isUppercase) ? ".It Ar \(word)" : ".It Cm \(word)"
      }
    }
    let first = page.firstIndex(of: ".It Fl Fl sensor Ar SENSOR") ?? page.endIndex
    let entries = page[first...].dropFirst().prefix { !$0.hasPrefix(".It Fl") }.filter {
      $0.hasPrefix(".It ")
    }
    #expect(Array(entries) == macros)
  }
}
