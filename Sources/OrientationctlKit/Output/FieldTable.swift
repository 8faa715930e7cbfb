// SPDX-License-Identifier: Apache-2.0

import Systemd

/// Names and values, one per line, with the values aligned.
///
/// Control characters and line breaks in values are escaped.
struct FieldTable {
  private var fields: [(name: String, value: String, isWrong: Bool)] = []
  private let indentation: String

  init(indentation: String = "") {
    self.indentation = indentation
  }

  /// Adds a line, unless the value is nil.
  ///
  /// - Parameters:
  ///   - name: what it is; only for a text of this program, because it is not escaped.
  ///   - value: any text.
  ///   - isWrong: whether the value is to be highlighted, because it says that something is wrong.
  mutating func add(_ name: String, _ value: String?, isWrong: Bool = false) {
    guard let value else { return }
    fields.append((name, value.printable, isWrong))
  }

  /// The lines.
  ///
  /// - Parameter isHighlighting: whether what is wrong is in its colour.
  /// - Returns: the lines, each with a line feed.
  func text(isHighlighting: Bool = false) -> String {
    let width = fields.map(\.name.count).max() ?? 0
    return fields.map { name, value, isWrong in
      let shown = isHighlighting && isWrong ? Highlight.text(value) : value
      return "\(indentation)\(name)\(String(repeating: " ", count: width - name.count + 2))\(shown)\n"
    }.joined()
  }
}
