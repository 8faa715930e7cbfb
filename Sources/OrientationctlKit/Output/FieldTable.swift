// SPDX-License-Identifier: Apache-2.0

import Systemd

/// Names and values, one per line, with the values aligned.
///
/// Control characters and line breaks in values are escaped.
struct FieldTable {
  private var fields: [(name: String, value: String)] = []
  private let indentation: String

  init(indentation: String = "") {
    self.indentation = indentation
  }

  /// Adds a line, unless the value is nil.
  mutating func add(_ name: String, _ value: String?) {
    guard let value else { return }
    fields.append((name, value.printable))
  }

  /// The lines.
  var text: String {
    let width = fields.map(\.name.count).max() ?? 0
    return fields.map { name, value in
      "\(indentation)\(name)\(String(repeating: " ", count: width - name.count + 2))\(value)\n"
    }.joined()
  }
}
