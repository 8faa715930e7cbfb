// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@Suite("The table of UIKit's cases")
struct UIKitTableTests {
  private static let room = "Tests/OrientationClientTests/AppPolicy"

  @Test("names a test that there is, in each row")
  func tests() throws {
    let article = try projectFile("Sources/OrientationClient/OrientationClient.docc/UIKit.md")
    let rows = article.split(separator: "\n").filter {
      $0.hasPrefix("|") && !$0.hasPrefix("|---") && !$0.hasPrefix("| case")
    }
    #expect(rows.count >= 55)
    for row in rows {
      let test = try #require(row.firstMatch(of: /\| `(\w+)\.(\w+)` \|$/), "\(row)")
      let source = try projectFile("\(Self.room)/\(test.1).swift")
      #expect(source.contains("\n  func \(test.2)("), "\(test.1).\(test.2)")
    }
  }
}
