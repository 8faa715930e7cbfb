// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@Suite("orientationctl's help texts and its manual page, orientationctl(1),")
struct HelpTextTests {
  private let page: ManualPage

  init() throws { page = try ManualPage() }

  @Test("have the same commands")
  func commands() throws {
    let listed = try #require(orientationctl("--help").output.split(separator: "SUBCOMMANDS:\n").last)
      .split(separator: "\n").compactMap { $0.firstMatch(of: /^\s\s(\w+)\s\s/) }.map { String($0.1) }
    #expect(listed.count > 5)
    // The help text of `help` is that of them all.
    #expect(page.usages.keys.sorted() == (listed + ["help"]).sorted())
    #expect(page.sections.keys.filter { $0 != ManualPage.common }.sorted() == listed.sorted())
  }

  @Test("have the same usage of each, and say something of each option and each value")
  func usages() throws {
    for (command, usage) in page.usages where command != "help" {
      let help = try orientationctl("help", command).output
      let line = try #require(help.split(separator: "\n").first { $0.hasPrefix("USAGE: ") })
      let wanted = line.replacingOccurrences(of: "USAGE: orientationctl \(command)", with: "").words
      #expect(usage == wanted, "SYNOPSIS of \(command)")
      let section = try #require(page.sections[command])
      let described = section.options + (page.sections[ManualPage.common]?.options ?? [])
      for option in wanted.filter({ $0.hasPrefix("[--") }) {
        #expect(described.contains(String(option.dropFirst().dropLast())), "\(option) of \(command)")
      }
      #expect(section.options.filter { !wanted.contains("[\($0)]") } == [], "of \(command)")
      for value in help.values { #expect(section.words.contains(value), "\(value) of \(command)") }
    }
  }

  @Test("say the same about the signals that hold passes on")
  func signals() throws {
    let sentence = "SIGINT and SIGQUIT are passed on unless orientationctl is in the foreground of a terminal"
    #expect(try orientationctl("help", "hold").output.words.joined(separator: " ").contains(sentence))
    let text = try projectFile("data/man/orientationctl.1").replacing("\n.Nm\n", with: " orientationctl ")
    #expect(text.words.joined(separator: " ").contains(sentence))
  }

  @Test("say beside each orientation which edge is up", arguments: ["rotate", "supported", "hold"])
  func edges(command: String) throws {
    let help = try orientationctl("help", command).output.words.joined(separator: " ")
    for orientation in [
      "portrait (top edge up)", "portraitUpsideDown (top edge down)", "landscapeRight (right edge up)",
      "landscapeLeft (left edge up)",
    ] {
      #expect(help.contains(orientation))
    }
  }

  @Test("have the same options that several commands have")
  func commonOptions() throws {
    let common = try #require(page.sections[ManualPage.common]).options
    let used = page.usages.values.flatMap(\.self)
    // What every command has, and what help texts leave out.
    let others = ["--version", "-h, --help", "--generate-completion-script <shell>"]
    #expect(common.filter { !used.contains("[\($0)]") && !others.contains($0) } == [])
    let general = try orientationctl("--help").output
    for option in others.prefix(2) { #expect(general.contains("\n  \(option) ")) }
    for option in others { #expect(common.contains(option), "\(option) is missing") }
  }
}

/// orientationctl(1), as far as help texts have the same.
private struct ManualPage {
  /// A subsection.
  struct Section {
    /// The options that it has entries for, as help texts write them: "--count <n>".
    var options: [String] = []
    /// All words of its text.
    var words: Set<String> = []
  }

  /// Where the options stand that several commands have.
  static let common = "Common options"

  /// What SYNOPSIS has behind the name of each command, as help texts write it: "[--count <n>]", "<file>".
  private(set) var usages: [String: [String]] = [:]
  /// The subsection of each command; several can share one.
  private(set) var sections: [String: Section] = [:]

  init() throws {
    let file = projectFolder.appending(path: "data/man/orientationctl.1")
      .standardized
    var heading = ""
    var commands: [String] = []
    for line in try String(contentsOf: file, encoding: .utf8).split(separator: "\n").map(String.init) {
      let words = line.split(separator: " ").map(String.init)
      switch words[0] {
      case ".Sh":
        heading = words[1]
        commands = []
      case ".Ss":
        let title = words.dropFirst().joined(separator: " ")
        commands =
          title == Self.common
          ? [title] : title.matches(of: /orientationctl (\w+)/).map { String($0.1) }
        for command in commands { sections[command] = Section() }
      case ".Cm" where heading == "SYNOPSIS":
        commands = words.dropFirst().filter { $0 != "|" }
        for command in commands { usages[command] = [] }
      case ".Nm" where heading == "SYNOPSIS": commands = []
      case ".Op" where heading == "SYNOPSIS":
        // Of options that exclude each other, help texts do not say so.
        for option in Self.plain(words.dropFirst()).components(separatedBy: " | ") {
          use("[\(option)]", in: commands)
        }
      case ".Ar" where heading == "SYNOPSIS":
        for word in Self.plain(words[...]).split(separator: " ") { use(String(word), in: commands) }
      case ".Fl" where heading == "SYNOPSIS": use("--", in: commands)
      default:
        for command in commands {
          if line.hasPrefix(".It Fl") { sections[command]?.options.append(Self.plain(words.dropFirst())) }
          sections[command]?.words.formUnion(words)
        }
      }
    }
  }

  private mutating func use(_ option: String, in commands: [String]) {
    for command in commands { usages[command]?.append(option) }
  }

  /// What help texts write for mdoc's macros.
  private static func plain(_ words: ArraySlice<String>) -> String {
    words.joined(separator: " ").replacingOccurrences(of: "Fl Fl ", with: "--")
      .replacingOccurrences(of: "Fl ", with: "-").replacingOccurrences(of: " , ", with: ", ")
      .replacing(/\.?Ar (\S+)/) { "<\($0.1)>" }
  }
}

extension String {
  /// The words of a usage; what stands in brackets is one.
  fileprivate var words: [String] { matches(of: /\[[^\]]*\]|\S+/).map { String($0.0) } }

  /// The values that a help text lists.
  fileprivate var values: [String] {
    replacing(/\s+/) { _ in " " }.matches(of: /\(values: ([^;)]*)/).flatMap {
      String($0.1).components(separatedBy: ", ")
    }
  }
}
