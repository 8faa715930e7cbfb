// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@testable import FuzzTargets

@Suite("Fuzzed methods")
struct MethodTests {
  @Test("each method of the installed interfaces is called with arguments of its types, and no other one")
  func methods() throws {
    let folder = projectFolder.appending(path: "data")
    var installed: Set<String> = []
    for file in try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
    where file.pathExtension == "xml" {
      let interface = file.deletingPathExtension().lastPathComponent
      let text = try String(contentsOf: file, encoding: .utf8)
      for method in text.matches(of: /<method name="(\w+)"(?:\/>|>((?s:.*?))<\/method>)/) {
        let types = try (method.2 ?? "").matches(of: /<arg\b[^>]*>/)
          .filter { !$0.0.contains(#"direction="out""#) }
          .map { try #require($0.0.firstMatch(of: /\btype="([^"]+)"/)).1 }
        installed.insert("\(interface).\(method.1)(\(types.joined()))")
      }
    }
    #expect(!installed.isEmpty)
    #expect(Set(FuzzTargets.methods.map { "\($0.interface).\($0.member)(\($0.signature))" }) == installed)
  }
}
