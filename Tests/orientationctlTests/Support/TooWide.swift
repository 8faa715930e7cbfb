// SPDX-License-Identifier: Apache-2.0

/// The lines of a text that a usual terminal breaks, but for those to copy, which are indented and must not be broken.
func tooWide(_ text: String) -> [Substring] {
  text.split(separator: "\n").filter { $0.count > 80 && !$0.hasPrefix("    ") }
}
