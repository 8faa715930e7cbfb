// SPDX-License-Identifier: Apache-2.0

import Foundation
import FoundationXML
import TestSupport

/// What introspection XML says of one interface, without its layout.
final class InterfaceDescription: NSObject, XMLParserDelegate {
  /// What clients may do with a property, and expect of it.
  struct Property {
    let name: String
    let access: String
    /// The value of the annotation EmitsChangedSignal, which is `true` if there is none.
    fileprivate(set) var changes = "true"
  }

  /// Each element with its attributes in alphabetical order, indented by its depth, in the order of the text.
  private(set) var elements: [String] = []
  /// The comments right before members that begin with the name of theirs.
  private(set) var comments: [String: String] = [:]
  /// The names of these members.
  private(set) var documented: [String] = []
  /// The names of the methods.
  private(set) var methods: [String] = []
  /// The types of their results.
  private(set) var results: [String: [String]] = [:]
  /// The properties.
  private(set) var properties: [Property] = []
  /// The names of all members.
  private(set) var members: [String] = []

  private let interface: String
  private var isInside = false
  private var depth = 0
  private var comment = ""

  /// Reads XML; of other interfaces in it nothing is kept.
  init(of interface: String, in xml: Data) {
    self.interface = interface
    super.init()
    let parser = XMLParser(data: xml)
    parser.delegate = self
    if !parser.parse() { elements = ["not well-formed: \(xml.count) bytes"] }
  }

  /// Reads the file that is installed.
  static func installed(_ interface: String) throws -> InterfaceDescription {
    let folder = projectFolder.appending(path: "data")
    return InterfaceDescription(
      of: interface, in: try Data(contentsOf: folder.appending(path: "\(interface).xml")))
  }

  func parser(
    _ parser: XMLParser, didStartElement name: String, namespaceURI: String?, qualifiedName: String?,
    attributes: [String: String]
  ) {
    if name == "interface" { isInside = attributes["name"] == interface }
    guard isInside else { return }
    // Notes for generators of bindings, which introspection does not have.
    if attributes["name"]?.hasPrefix("org.qtproject.") == true {
      depth += 1
      return
    }
    let words = attributes.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
    elements.append(String(repeating: " ", count: depth) + ([name] + words).joined(separator: " "))
    if depth == 1, let member = attributes["name"] {
      members.append(member)
      if name == "method" { methods.append(member) }
      if name == "property" {
        properties.append(Property(name: member, access: attributes["access"] ?? ""))
      }
      if comment.hasPrefix("\(member):") {
        documented.append(member)
        comments[member] = comment
      }
    }
    if depth == 2 { readPart(name, attributes) }
    comment = ""
    depth += 1
  }

  /// Takes in what is inside the last member.
  private func readPart(_ name: String, _ attributes: [String: String]) {
    if name == "arg", attributes["direction"] == "out", let method = methods.last {
      results[method, default: []].append(attributes["type"] ?? "")
    }
    if name == "annotation", attributes["name"] == "org.freedesktop.DBus.Property.EmitsChangedSignal",
      let value = attributes["value"]
    {
      properties[properties.endIndex - 1].changes = value
    }
  }

  func parser(
    _ parser: XMLParser, didEndElement name: String, namespaceURI: String?, qualifiedName: String?
  ) {
    guard isInside else { return }
    depth -= 1
    if name == "interface" { isInside = false }
  }

  func parser(_ parser: XMLParser, foundComment comment: String) {
    self.comment = comment.trimmingCharacters(in: .whitespacesAndNewlines)
  }
}
