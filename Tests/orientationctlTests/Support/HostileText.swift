// SPDX-License-Identifier: Apache-2.0

/// A name that would clear a terminal, begin a line of its own in a journal or a file, and turn the order of what follows.
let hostileName = "acc\u{1b}[2J\nMESSAGE=x\u{0}y\u{202e}"

/// How it is shown.
let shownName = #"acc\u{1b}[2J\u{a}MESSAGE=x\u{0}y\u{202e}"#

/// The same as sysfs can have it in one line, and umockdev in its description of a machine.
let hostileLine = "acc\u{1b}[2J\u{9b}31m\u{202e}"

/// How that is shown.
let shownLine = #"acc\u{1b}[2J\u{9b}31m\u{202e}"#

/// How that stands in JSON.
let jsonLine = #"acc\u001b[2J\u009b31m\u202e"#

/// Whether a text holds nothing that does something to a terminal but line feeds.
func isHarmless(_ text: String) -> Bool {
  text.unicodeScalars.allSatisfy { $0 == "\n" || !"\u{0}\u{1b}\u{9b}\u{202e}\r".unicodeScalars.contains($0) }
}
